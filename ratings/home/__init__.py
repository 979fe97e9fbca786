"""The first page: search, the national lists, what changed, what is rated and what comes next."""
