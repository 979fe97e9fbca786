"""The library that all apps share. It imports no app and no settings."""
