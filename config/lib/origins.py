"""Where a request comes from."""

import ipaddress

from django.conf import settings
from django.http import HttpRequest

_IPV6_NETWORK = 64  # bits that a household or company has to itself


def network(request: HttpRequest) -> str:
    """Return the network that a request came from: an IPv4 address, or the first 64 bits of an IPv6 address.

    Behind proxies (the setting PROXIES, a number of them) it is the address that the outermost of them added to
    X-Forwarded-For; what stands before it in the header was written by the client.
    """
    address = request.META.get("REMOTE_ADDR", "")
    if settings.PROXIES:
        forwarded = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
        if len(forwarded) >= settings.PROXIES:
            address = forwarded[-settings.PROXIES]
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, _IPV6_NETWORK), strict=False))
    return str(parsed)
