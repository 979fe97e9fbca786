"""The regulations on events and files, a function for each article. Pure: no Django, no I/O."""
