"""Tournament files: bytes in, one `Tournament` value with findings out. Pure: no Django, no I/O."""
