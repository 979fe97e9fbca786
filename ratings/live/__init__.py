"""The live list: where players stand by the events of the open month that are accepted so far. Not official."""
