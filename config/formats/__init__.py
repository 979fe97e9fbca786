"""How Django writes days and times, where it does: as the pages do."""
