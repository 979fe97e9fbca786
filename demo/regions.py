"""Regions of the demonstration: those that the migrations write, and more in every province."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InventedPlace:
    """A region with its province, its share of the players, a town for its events and an emblem for their names."""

    code: str
    name: str
    province: str
    share: int
    town: str
    emblem: str


PLACES = tuple(
    InventedPlace(*fields)
    for fields in (
        ("GAU", "Gauteng", "GP", 70, "Johannesburg", "Highveld Lark"),
        ("TSH", "Tshwane", "GP", 40, "Pretoria", "Jacaranda"),
        ("EKU", "Ekurhuleni", "GP", 30, "Benoni", "Crowned Plover"),
        ("SED", "Sedibeng", "GP", 15, "Vereeniging", "Willow Bend"),
        ("CPT", "Cape Town", "WC", 60, "Cape Town", "Silver Tree"),
        ("CWL", "Cape Winelands", "WC", 25, "Stellenbosch", "Oak Avenue"),
        ("GRT", "Garden Route", "WC", 15, "George", "Yellowwood"),
        ("ETH", "eThekwini", "KZN", 45, "Durban", "Lagoon"),
        ("UMG", "uMgungundlovu", "KZN", 20, "Pietermaritzburg", "Mist Belt"),
        ("ZLD", "Zululand", "KZN", 15, "Ulundi", "Umbrella Thorn"),
        ("NMB", "Nelson Mandela Bay", "EC", 30, "Gqeberha", "Penguin Bay"),
        ("BCY", "Buffalo City", "EC", 20, "East London", "Milkwood"),
        ("ORT", "OR Tambo", "EC", 15, "Mthatha", "Red Aloe"),
        ("MAN", "Mangaung", "FS", 22, "Bloemfontein", "Rose Garden"),
        ("LEJ", "Lejweleputswa", "FS", 12, "Welkom", "Flamingo Pan"),
        ("TMF", "Thabo Mofutsanyana", "FS", 10, "Bethlehem", "Sandstone"),
        ("LCP", "Limpopo Capricorn", "LP", 24, "Polokwane", "Marula"),
        ("LMG", "Limpopo Mopani", "LP", 12, "Tzaneen", "Mopane"),
        ("LSG", "Limpopo Sekhukhune", "LP", 10, "Jane Furse", "Leolo"),
        ("LVT", "Limpopo Vhembe", "LP", 16, "Thohoyandou", "Baobab"),
        ("LWT", "Limpopo Waterberg", "LP", 10, "Modimolle", "Waterberry"),
        ("EHL", "Ehlanzeni", "MP", 22, "Mbombela", "Lowveld Fig"),
        ("NKG", "Nkangala", "MP", 14, "Middelburg", "Grass Owl"),
        ("GSB", "Gert Sibande", "MP", 10, "Ermelo", "Blue Crane"),
        ("FBA", "Frances Baard", "NC", 12, "Kimberley", "Camel Thorn"),
        ("NMK", "Namakwa", "NC", 6, "Springbok", "Spring Flower"),
        ("ZFM", "ZF Mgcawu", "NC", 6, "Upington", "Weaver Nest"),
        ("BOJ", "Bojanala", "NW", 16, "Rustenburg", "Kudu Ridge"),
        ("KND", "Dr Kenneth Kaunda", "NW", 12, "Potchefstroom", "Karee"),
        ("NGK", "Ngaka Modiri Molema", "NW", 10, "Mahikeng", "Sandveld"),
    )
)
NATIONAL = InventedPlace("CSA", "Chess South Africa", "", 0, "Kempton Park", "Protea")
HOME_REGION = PLACES[0]  # its Regional Administrator has an account that can log in
