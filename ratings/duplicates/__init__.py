"""The desk on players who may be on the register twice: likely duplicates, merge, split."""
