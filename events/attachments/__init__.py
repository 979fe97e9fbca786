"""Evidence sent in with events and appeals: PDF and pictures, seen by the region of the event and the officers."""
