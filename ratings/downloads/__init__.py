"""The published lists, tournament files and case of a month, made once as files to be fetched (article 25)."""
