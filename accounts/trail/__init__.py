"""The trail: one table of decisions and corrections, to which rows are only added."""
