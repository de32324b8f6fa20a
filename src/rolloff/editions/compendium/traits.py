"""What wounds carry to whoever bears them, as words on the harm, and the words read once into a nature."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

MORTAL = "mortal"
ON_MODEL = "on the model"
PRECISE = "precise"
INSTANT = "instant death"
AREA = "area"
MOONSILVER = "moonsilver"
CONCUSSIVE = "concussive"
LUMINAGEN = "luminagen"
DESTROYER, DISTORTED = "destroyer", "distorted"
HAYWIRE = "haywire"
GLANCE, PENETRATE = "glance", "penetrate"
ARMOURBANE, MELTA, HUNTERS = "armourbane", "melta", "tank hunters"
HOT, HAZARD, STAYS = "hot", "hazard", "stays"
NO_COVER, REALIGNED, SCREENED = "no cover", "realigned", "screened"
STRENGTH, LEECH, BEARERS, REACH, AIM = "S", "leech", "bearer", "reach", "aim"

# What a mortal wound keeps of the weapon that caused it: it has no Strength and no save to spoil.
LASTING = (CONCUSSIVE, LUMINAGEN)


class Nature(Struct, frozen=True):
    """The words on a harm, read."""

    mortal: bool = False
    on_model: bool = False
    precise: bool = False
    instant: bool = False
    area: bool = False
    moonsilver: bool = False
    concussive: bool = False
    luminagen: bool = False
    destroyer: bool = False
    distorted: bool = False
    haywire: bool = False
    penetrates: bool = False
    dice: tuple[str, ...] = ()
    strength: int = 0
    leech: tuple[int, int] | None = None
    hot: bool = False
    hazard: bool = False
    stays: bool = False
    bearer: int = 0
    reach: tuple[int, ...] | None = None
    aim: tuple[int, ...] | None = None


def leeching(bearer: int, thirst: int) -> str:
    """The word for a wound that restores W to a bearer, up to so many."""
    return f"{LEECH}:{bearer}:{thirst}"


def borne_by(bearer: int) -> str:
    """The word for whose weapon it was."""
    return f"{BEARERS}:{bearer}"


def reaching(places: tuple[int, ...]) -> str:
    """The word for who can be allocated a wound, the first first."""
    return f"{REACH}:{','.join(map(str, places))}"


def on_model(place: int) -> tuple[str, ...]:
    """CF-ALLOC-4: the words for a hit that stays on one model; nobody looks out for it."""
    return reaching((place,)), STAYS


def aimed_at(places: tuple[int, ...]) -> str:
    """The word for whom the attacker may choose for a precise wound."""
    return f"{AIM}:{','.join(map(str, places))}"


def of_strength(strength: int) -> str:
    """The word for the Strength Instant Death is judged by."""
    return f"{STRENGTH}:{strength}"


@lru_cache(maxsize=8192)
def nature(traits: tuple[str, ...]) -> Nature:
    """The words on a harm, read once."""
    words = dict.fromkeys(traits)
    strength = bearer = 0
    leech: tuple[int, int] | None = None
    places: dict[str, tuple[int, ...]] = {}
    for word in traits:
        head, _, rest = word.partition(":")
        if head == STRENGTH and rest:
            strength = int(rest)
        elif head == LEECH:
            who, _, thirst = rest.partition(":")
            leech = (int(who), int(thirst))
        elif head == BEARERS:
            bearer = int(rest)
        elif head in (REACH, AIM):
            places[head] = tuple(int(one) for one in rest.split(",") if one)
    return Nature(
        mortal=MORTAL in words,
        on_model=ON_MODEL in words,
        precise=PRECISE in words,
        instant=INSTANT in words,
        area=AREA in words,
        moonsilver=MOONSILVER in words,
        concussive=CONCUSSIVE in words,
        luminagen=LUMINAGEN in words,
        destroyer=DESTROYER in words,
        distorted=DISTORTED in words,
        haywire=HAYWIRE in words,
        penetrates=PENETRATE in words,
        dice=tuple(word for word in (ARMOURBANE, MELTA, HUNTERS) if word in words),
        strength=strength,
        leech=leech,
        hot=HOT in words,
        hazard=HAZARD in words,
        stays=STAYS in words,
        bearer=bearer,
        reach=places.get(REACH),
        aim=places.get(AIM),
    )


def lasting(traits: tuple[str, ...]) -> tuple[str, ...]:
    """What of a weapon's words a mortal wound keeps."""
    return tuple(word for word in traits if word in LASTING or word.partition(":")[0] in (LEECH, REACH, AIM))
