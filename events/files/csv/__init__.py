"""Results as CSV, from spreadsheets."""
