"""Keys of rows in the addresses of mailed links, signed."""

from django.core import signing


def signed_key(signer: signing.Signer, token: str) -> int:
    """Return the primary key that a signer signed; 0, which no row has, for a token that is not its own."""
    try:
        return int(signer.unsign(token))
    except (signing.BadSignature, ValueError):
        return 0
