"""The ground library: what several apps need and none owns. It knows no app and no settings."""
