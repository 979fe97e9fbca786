"""Names for invented people, after South Africa's languages. First and last names are drawn apart."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random


@dataclass(frozen=True, slots=True)
class Language:
    """Names of one language: its relative share of the people, and the names to combine."""

    share: int
    men: tuple[str, ...]
    women: tuple[str, ...]
    last: tuple[str, ...]


def _language(share: int, men: str, women: str, last: str) -> Language:
    return Language(share, *(tuple(part.strip() for part in names.split(",")) for names in (men, women, last)))


LANGUAGES = (
    _language(
        18,
        "Sipho, Bongani, Thulani, Nkosinathi, Mandla, Sibusiso, Lwazi, Mthokozisi, Sanele, Nhlanhla, Siyabonga, Zweli",
        "Nomvula, Thandeka, Zanele, Nokuthula, Ntombizodwa, Sindisiwe, Hlengiwe, Nonhlanhla, Ayanda, Lindiwe, Thembeka",
        "Mkhize, Zungu, Ngcobo, Cele, Mthembu, Buthelezi, Khumalo, Shabalala, Majola, Hlatshwayo, Gumede, Mhlongo, Ntuli",
    ),
    _language(
        15,
        "Luthando, Vuyani, Mzwandile, Xolani, Andile, Loyiso, Mpumelelo, Sivuyile, Khanyiso, Athenkosi, Odwa, Lindani",
        "Nomfundo, Babalwa, Zukiswa, Lungiswa, Nontsikelelo, Akhona, Siphokazi, Unathi, Phumla, Zimkhitha, Nandipha",
        "Mbekeni-Dyani, Qwabe, Sontonga, Mnyanda, Ngxola, Dlokovu, Gqirana, Mxenge, Ntshinga, Tyali, Xaba, Mqhayi, Hlekani",
    ),
    _language(
        12,
        "Tshepo, Kagiso, Lerato, Thabang, Mpho, Katlego, Neo, Tumelo, Lebohang, Retshepile, Teboho, Motlatsi",
        "Palesa, Dineo, Naledi, Refilwe, Keneilwe, Masego, Boitumelo, Relebohile, Mamello, Puleng, Limpho, Nthabiseng",
        "Mokoena, Molefe, Phiri-Mokone, Ramatsui, Lekota, Mofokeng, Tladi, Moeketsi, Nthite, Sehlabo, Khoabane, Motaung",
    ),
    _language(
        10,
        "Thapelo, Onalenna, Gaone, Kgosi, Oratile, Tebogo, Karabo, Letlhogonolo, Phenyo, Otsile",
        "Gontse, Bontle, Kelebogile, Tshegofatso, Lesego, Amantle, Omphile, Gofaone, Mmabatho, Olebogeng",
        "Seleka, Motsepe, Modise, Mogotsi, Tshukudu, Ramaphiri, Segwagwa, Molokwane, Kgabo, Dithebe, Moagi, Sebego",
    ),
    _language(
        8,
        "Mulalo, Rendani, Fhatuwani, Takalani, Hlulani, Tsakane, Khathutshelo, Vutomi, Ndivhuwo, Nyiko",
        "Livhuwani, Mashudu, Rofhiwa, Tinyiko, Hlamulo, Azwinndini, Khensani, Nkateko, Vhonani, Thendo",
        "Netshitenzhe, Mudau, Ramabulana, Tshivhase, Baloyi, Chauke, Maluleke, Nemutudi, Mathebula, Hlungwani, Rikhotso",
    ),
    _language(
        16,
        "Pieter, Johannes, Hendrik, Gerhardus, Danie, Ruan, André, Francois, Jacobus, Stéfan, Christiaan, Wian, Dewald",
        "Annelize, Marié, Elsabé, Chanté, Hettie, Liezl, Mariska, Zoë, Ronél, Antjie, Karien, Michéle, Anneke",
        "van der Merwe, Botha, Pretorius, Swanepoel, Janse van Rensburg, Terblanché, Coetzee, Labuschagné, Olivier, Nel,"
        " van Niekerk, Steenkamp, Esterhuizen, Opperman, du Plooy",
    ),
    _language(
        11,
        "Graham, Alistair, Matthew, Callum, Dylan, Stuart, Oliver, Rhys, Cameron, Julian, Warren, Keegan",
        "Bronwyn, Jessica, Megan, Charlotte, Siobhán, Hayley, Lauren, Imogen, Tamsin, Gillian, Renée, Robyn",
        "Hartwell, Pemberton, Ashdown, O'Rourke, Cunningham, Whitcombe, Fairbairn, Ellsworth, Thornbury, Ainslie,"
        " Blackwood-Reid, Kirkham",
    ),
    _language(
        10,
        "Yusuf, Imraan, Kavish, Pranav, Rajiv, Ashwin, Mohamed, Tariq, Devan, Nikhil, Ridwaan, Suhail",
        "Priya, Fatima, Aaliyah, Kiara, Nerissa, Sunaina, Zahra, Thirusha, Anjali, Nadia, Shreya, Rehana",
        "Naidoo, Govender, Pillay, Moodley, Reddy, Maharaj, Ebrahim, Patel, Cassim, Chetty-Naicker, Essop, Padayachee,"
        " Davids, Jacobs-Petersen",
    ),
)
_DOUBLE_BARRELLED = 0.03
_SECOND_NAME = 0.15


def people_names(random: Random, sexes: list[str]) -> Iterator[tuple[str, str]]:
    """Yield (last name, first name) for each sex, "M" or "F"; all are different."""
    used: set[tuple[str, str]] = set()
    shares = [language.share for language in LANGUAGES]
    for sex in sexes:
        language = random.choices(LANGUAGES, shares)[0]
        firsts = language.men if sex == "M" else language.women
        while True:
            last, first = random.choice(language.last), random.choice(firsts)
            if random.random() < _DOUBLE_BARRELLED:
                last = f"{last}-{random.choice(random.choice(LANGUAGES).last)}"
            if random.random() < _SECOND_NAME or (last, first) in used:
                first = f"{first} {random.choice(firsts)}"
            if (last, first) not in used and len(set(first.split())) == len(first.split()):
                break
        used.add((last, first))
        yield last, first


def foreign_names(random: Random, count: int) -> list[str]:
    """Return `count` different names of guests abroad as `Last, First`; at most 100."""
    firsts = ["Tomas", "Ilse", "Marek", "Yara", "Joao", "Henrik", "Amina", "Petar", "Elodie", "Kwame"]
    lasts = [
        "Varga",
        "Okonjo",
        "Lindqvist",
        "Duarte",
        "Belmonte",
        "Novotny",
        "Haraldsen",
        "Mwangura",
        "Kastrin",
        "Delacroix",
    ]
    pairs = [f"{last}, {first}" for last, first in product(lasts, firsts)]
    return random.sample(pairs, count)
