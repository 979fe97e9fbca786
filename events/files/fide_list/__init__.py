"""FIDE's rating lists, text and XML, zipped or not, read as a stream. Pure: the caller opens the file."""
