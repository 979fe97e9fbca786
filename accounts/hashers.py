"""How passwords are kept."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    """Argon2id with 19 MiB, as OWASP recommends for servers that answer many log-ins at once; Django's own takes 100."""

    time_cost = 2
    memory_cost = 19 * 1024  # KiB
    parallelism = 1
