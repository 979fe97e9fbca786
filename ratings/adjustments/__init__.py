"""The desk of adjustments, by which the bureau corrects the next list and lets what is published stand (article 64)."""
