"""A published list in the layouts that pairing programs and spreadsheets read. Pure."""
