"""Events and their sections."""
