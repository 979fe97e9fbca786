"""The provinces, the region codes known from public files, and FIDE's titles."""

from django.db import migrations

PROVINCES = [
    ("EC", "Eastern Cape"),
    ("FS", "Free State"),
    ("GP", "Gauteng"),
    ("KZN", "KwaZulu-Natal"),
    ("LP", "Limpopo"),
    ("MP", "Mpumalanga"),
    ("NC", "Northern Cape"),
    ("NW", "North West"),
    ("WC", "Western Cape"),
]
REGIONS = [
    ("CSA", "Chess South Africa", None),
    ("RSA", "South Africa", None),
    ("GAU", "Gauteng", "GP"),
    ("LCP", "Limpopo Capricorn", "LP"),
    ("LMG", "Limpopo Mopani", "LP"),
    ("LSG", "Limpopo Sekhukhune", "LP"),
    ("LVT", "Limpopo Vhembe", "LP"),
    ("LWT", "Limpopo Waterberg", "LP"),
]
TITLES = [
    ("GM", "Grandmaster"),
    ("IM", "International Master"),
    ("WGM", "Woman Grandmaster"),
    ("FM", "FIDE Master"),
    ("WIM", "Woman International Master"),
    ("CM", "Candidate Master"),
    ("WFM", "Woman FIDE Master"),
    ("WCM", "Woman Candidate Master"),
]


def fill(apps, schema_editor):
    Province = apps.get_model("players", "Province")
    Region = apps.get_model("players", "Region")
    Title = apps.get_model("players", "Title")
    provinces = {code: Province.objects.create(code=code, name=name) for code, name in PROVINCES}
    for code, name, province in REGIONS:
        Region.objects.create(code=code, name=name, province=provinces.get(province))
    for position, (code, name) in enumerate(TITLES, start=1):
        Title.objects.create(code=code, name=name, position=position)


class Migration(migrations.Migration):
    dependencies = [("players", "0001_initial")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
