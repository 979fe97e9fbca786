"""What the desk shows of regions and of users beside their records."""
