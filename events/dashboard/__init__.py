"""What a user finds after logging in: the account and My events."""
