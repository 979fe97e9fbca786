"""The ICU’s form for results abroad, as CSV."""
