"""Finding the clause that answers a question: words weighed by how rare they are, with a player's synonyms.

The ranking is BM25 over three fields (the rule's name, the text, rulings and topic), times the share of the
question's ideas that a clause touches. A word and its synonyms are one idea; a synonym counts for less.
"""

from __future__ import annotations

import re
from collections import defaultdict
from math import log

from msgspec import Struct

from rolloff.table.clause_words import IRREGULAR, NUMBERS, STEMS, STOP_WORDS, SYNONYMS

_WORD = re.compile(r"[a-z0-9]+")
_STOP = frozenset(STOP_WORDS.split())

_SYNONYM_WEIGHT = 0.55


def stem(word: str) -> str:
    """The trunk of an English word, roughly: running → run, moved → mov, enemies → enemi."""
    word = IRREGULAR.get(word, word)
    if word[:1].isdigit():
        return word.removesuffix("s")
    for ending in ("ment", "ing", "ed", "es", "s"):
        trunk = word[: -len(ending)]
        if word.endswith(ending) and len(trunk) > 2 and not (ending == "s" and trunk.endswith("s")):
            if ending in ("ing", "ed") and trunk[-1] == trunk[-2] and trunk[-1] not in "lsz":
                trunk = trunk[:-1]
            word = trunk
            break
    if word.endswith("y") and len(word) > 3:
        word = word[:-1] + "i"
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def terms(text: str) -> list[str]:
    """The trunks of the words of a text that carry meaning."""
    spelled = text.lower().replace("re-roll", "reroll").replace("roll-off", "rolloff").replace("’", "'")
    words = (NUMBERS.get(word, word) for word in _WORD.findall(spelled.replace("'s", "")))
    return [stem(word) for word in words if word not in _STOP]


def _read_synonyms() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for line in SYNONYMS.strip().splitlines():
        asked, meant = line.split(":")
        for word in asked.split():
            found[stem(word)].update(stem(other) for other in meant.split())
    return {word: frozenset(others - {word}) for word, others in found.items()}


def subject(id_: str) -> str:
    """What a clause's id says it is about, in words."""
    return " ".join(STEMS.get(part, part.lower()) for part in id_.split("-")[:-1])


class Hit(Struct, frozen=True):
    """A clause found, and how well it fits."""

    id: str
    score: float


class Index:
    """Clauses by the words in them."""

    FIELDS = (2.0, 1.0, 0.45)
    LENGTH = 0.55
    REPEAT = 1.1

    def __init__(self) -> None:
        """An index of nothing yet."""
        self._postings: dict[str, dict[str, float]] = defaultdict(dict)
        self._lengths: dict[str, float] = {}
        self._weights: dict[str, float] = {}
        self._synonyms = _read_synonyms()

    def add(self, id_: str, title: str, text: str, more: str = "", weight: float = 1.0) -> None:
        """Take in a clause: its rule's name, its text, and what else is said about it."""
        tally: defaultdict[str, float] = defaultdict(float)
        for field, share in zip((title, text, more), self.FIELDS, strict=True):
            for term in terms(field):
                tally[term] += share
        for term, share in tally.items():
            self._postings[term][id_] = share
        self._lengths[id_] = sum(tally.values())
        self._weights[id_] = weight

    def _weigh(self, term: str) -> dict[str, float]:
        """How much a term says for each clause that has it."""
        having = self._postings.get(term, {})
        if not having:
            return {}
        total = len(self._lengths)
        rarity = log(1 + (total - len(having) + 0.5) / (len(having) + 0.5))
        mean = sum(self._lengths.values()) / total
        return {
            id_: rarity
            * share
            * (self.REPEAT + 1)
            / (share + self.REPEAT * (1 - self.LENGTH + self.LENGTH * self._lengths[id_] / mean))
            for id_, share in having.items()
        }

    def _idea(self, term: str) -> dict[str, float]:
        """How much a word of the question says for each clause, by itself or through its best synonym."""
        best = self._weigh(term)
        # A word the book never uses speaks through its synonyms alone.
        share = _SYNONYM_WEIGHT if best else 1.0
        for other in self._synonyms.get(term, ()):
            for id_, value in self._weigh(other).items():
                best[id_] = max(best.get(id_, 0.0), share * value)
        return best

    def search(self, words: str, limit: int = 10) -> list[Hit]:
        """The best clauses for a question, best first; the same question always gives the same list."""
        ideas = [idea for idea in map(self._idea, dict.fromkeys(terms(words))) if idea]
        scores: defaultdict[str, float] = defaultdict(float)
        touched: defaultdict[str, float] = defaultdict(float)
        telling = [max(idea.values()) for idea in ideas]
        for idea, worth in zip(ideas, telling, strict=True):
            for id_, value in idea.items():
                scores[id_] += value
                touched[id_] += worth
        found = [Hit(id_, round(score * self._weights[id_] * touched[id_] / sum(telling), 4)) for id_, score in scores.items()]
        place = {id_: place for place, id_ in enumerate(self._lengths)}
        return sorted(found, key=lambda hit: (-hit.score, place[hit.id]))[:limit]
