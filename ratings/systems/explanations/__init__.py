"""Why a rating is what it is: each system's calculation laid out for one player, from its own figures. Pure."""
