"""What all operations of the API have in common: errors, limits, pages of collections, conditional answers, the schema."""
