"""Reports of errors in what is rated, and the officers' answers (articles 63, 64)."""
