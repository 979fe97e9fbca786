"""Why a rating is what it is, step by step, and the case file of a month."""
