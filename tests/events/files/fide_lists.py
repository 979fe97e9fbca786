"""FIDE's lists for tests, of made-up people: text and XML, of all kinds or of one."""

import io
import zipfile

COMBINED = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA "
    "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)
LEGACY = COMBINED.replace("FOA ", "")
SINGLE = COMBINED[: COMBINED.index("SRtng")] + "OCT26 Gms K  B-day Flag"
MOKOENA = {"fide_id": 14300001, "name": "Mokoena, Naledi", "sex": "F", "title": "WFM", "born": 1990, "flag": "w"}


def listed(**given):
    """The figures of a player as the layouts have them; ratings are (rating, games, K)."""
    plain = {
        "fide_id": 14300001, "name": "Mokoena, Naledi", "federation": "RSA", "sex": "M", "title": "", "women": "", "other": "",
        "foa": "", "standard": (1850, 9, 20), "rapid": (0, 0, 0), "blitz": (0, 0, 0), "born": 1990, "flag": "",
    }  # fmt: skip
    return plain | given


def line(given, *, foa=True, kind=""):
    """A line of a text list."""
    player = listed(**given)
    person = (
        f"{player['fide_id']:<15}{player['name']:61}{player['federation']:4}{player['sex']:4}{player['title']:5}"
        f"{player['women']:5}{player['other']:15}"
    )
    kinds = [kind] if kind else ["standard", "rapid", "blitz"]
    figures = "".join("%-6s%-4s%-3s" % player[kind] for kind in kinds)
    return f"{person}{player['foa'] if foa else '':{4 if foa else 0}}{figures}{player['born']:<6}{player['flag']:4}"


def text(*players, heading=COMBINED, kind=""):
    """A text list of players, each given as `listed` takes it."""
    foa = "FOA" in heading
    lines = [heading, *(line(player, foa=foa, kind=kind) for player in players)]
    return "".join(f"{each}\r\n" for each in lines).encode("ascii")


def xml(*players, kind=""):
    """An XML list of players."""
    elements = []
    for given in players:
        player = listed(**given)
        names = [("fideid", "fide_id"), ("name", "name"), ("country", "federation"), ("sex", "sex"), ("title", "title"),
                 ("w_title", "women"), ("o_title", "other"), ("foa_title", "foa")]  # fmt: skip
        fields = [(tag, player[name]) for tag, name in names]
        for prefix, of_kind in (("", kind),) if kind else (("", "standard"), ("rapid_", "rapid"), ("blitz_", "blitz")):
            rating, games, k = player[of_kind]
            fields += [(f"{prefix}rating", rating), (f"{prefix}games", games), (f"{prefix}k", k)]
        fields += [("birthday", player["born"]), ("flag", player["flag"])]
        elements.append("<player>\n" + "".join(f"<{tag}>{value}</{tag}>\n" for tag, value in fields) + "</player>\n")
    return f"<playerslist>\n{''.join(elements)}</playerslist>\n".encode()


def zipped(content, name="players_list_foa.txt"):
    """A zip with a list."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        # Without the present moment: names of tests are made of the bytes, and are to be alike in every process.
        archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return file.getvalue()
