"""Finding the clause that answers a question: words weighed by how rare they are, in a player's vocabulary.

Two things speak for a clause. Its words: BM25 over three fields (the rule's name, the text, rulings and topic), times
the share of the question's ideas it touches; a word and its synonyms are one idea, a synonym counts for less. And the
questions it is known to answer: the closer one of them is to what was asked, the more it counts.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from math import log, sqrt
from operator import itemgetter

import msgspec
from msgspec import Struct

from rolloff.errors import BadInput
from rolloff.typed import convert

_WORD = re.compile(r"[a-z0-9]+")
_SYNONYM = 0.55
"""What a synonym counts beside the word itself."""
_KNOWN = 1.2
"""What a known question, asked to the letter, counts beside the best clause by words alone."""
_STEEP = 1.5
"""How steeply that falls for a known question that is only close: the power its likeness is taken to."""


@cache
def stem(word: str) -> str:
    """The trunk of an English word: running → run, enemies → enemi; a number keeps its figures."""
    from snowballstemmer import stemmer

    trunk: str = word.removesuffix("s") if word[:1].isdigit() else stemmer("english").stemWord(word)
    return trunk


class WordFile(Struct, forbid_unknown_fields=True, rename="kebab"):
    """A file of words (TOML): what says nothing, what is another word for what, what stems of ids stand for, what is asked."""

    stop: str = ""
    forms: dict[str, str] = {}
    same: dict[str, str] = {}
    phrases: dict[str, str] = {}
    subjects: dict[str, str] = {}
    synonyms: dict[str, str] = {}
    asked: dict[str, list[str]] = {}


class Vocabulary:
    """How the players of a rulebook speak, beside how the book does."""

    def __init__(self, *files: WordFile) -> None:
        """The words of several files together; what a later file says of a word comes on top."""
        self.stop = frozenset(word for file in files for word in file.stop.split())
        self.forms = {form: word for file in files for form, word in file.forms.items()}
        self.heads = {stem(word): head for file in files for head, words in file.same.items() for word in words.split()}
        self.phrases = {said: meant for file in files for said, meant in file.phrases.items()}
        self.subjects = {part: words for file in files for part, words in file.subjects.items()}
        self.asked = {id_: tuple(questions) for file in files for id_, questions in file.asked.items()}
        found: defaultdict[str, set[str]] = defaultdict(set)
        for file in files:
            for said, meant in file.synonyms.items():
                for word in said.split():
                    found[self.stem(word)].update(self.stem(other) for other in meant.split())
        self.synonyms = {word: frozenset(others - {word}) for word, others in found.items()}
        self._meant_by: defaultdict[str, set[str]] = defaultdict(set)
        for word, others in self.synonyms.items():
            for other in others:
                self._meant_by[other].add(word)
        long_first = sorted(self.phrases, key=len, reverse=True)
        self._phrase = re.compile(r"\b(?:" + "|".join(map(re.escape, long_first)) + r")\b") if long_first else None

    @classmethod
    def read(cls, *files: bytes) -> Vocabulary:
        """Read word files; `BadInput` if one is not of that form."""
        try:
            return cls(*(convert(tomllib.loads(file.decode()), WordFile) for file in files))
        except (msgspec.MsgspecError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadInput("bad-words", f"a file of words for the rules cannot be read: {error}") from error

    def stem(self, word: str) -> str:
        """The trunk of a word, irregular forms included, or of the word that says the same in whatever form."""
        trunk = stem(self.forms.get(word, word))
        head = self.heads.get(trunk)
        return trunk if head is None else stem(self.forms.get(head, head))

    def akin(self, term: str) -> frozenset[str]:
        """The words that stand for a word, or that it stands for."""
        return self.synonyms.get(term, frozenset()) | self._meant_by.get(term, set())

    def terms(self, text: str) -> list[str]:
        """The trunks of the words of a text that carry meaning."""
        spelled = text.lower().replace("’", "'").replace("'s", "")
        if self._phrase is not None:
            spelled = self._phrase.sub(lambda found: self.phrases[found[0]], spelled)
        return [self.stem(word) for word in _WORD.findall(spelled) if word not in self.stop]

    def subject(self, id_: str) -> str:
        """What a clause's id says it is about, in words."""
        return " ".join(self.subjects.get(part, part.lower()) for part in id_.split("-")[:-1])


class Hit(Struct, frozen=True):
    """A clause found, and how well it fits."""

    id: str
    score: float


class Index:
    """Clauses by the words in them and the questions they answer."""

    FIELDS = (2.0, 1.0, 0.45, 0.5)
    LENGTH = 0.55
    REPEAT = 1.1

    def __init__(self, vocabulary: Vocabulary | None = None) -> None:
        """An index of nothing yet."""
        self.vocabulary = vocabulary or Vocabulary()
        self._postings: dict[str, dict[str, float]] = defaultdict(dict)
        self._lengths: dict[str, float] = {}
        self._weights: dict[str, float] = {}
        self._known: list[tuple[str, frozenset[str]]] = []
        self._places: dict[str, list[int]] = defaultdict(list)

    def add(self, id_: str, title: str, text: str, more: str = "", weight: float = 1.0) -> None:
        """Take in a clause: its rule's name, its text, and what else is said about it."""
        terms = self.vocabulary.terms
        tally: defaultdict[str, float] = defaultdict(float)
        asked = self.vocabulary.asked.get(id_, ())
        for field, share in zip((title, text, more, " ".join(asked)), self.FIELDS, strict=True):
            for term in terms(field):
                tally[term] += share
        for term, share in tally.items():
            self._postings[term][id_] = share
        self._lengths[id_] = sum(tally.values())
        self._weights[id_] = weight
        for known in {frozenset(terms(question)) for question in asked}:
            for term in known:
                self._places[term].append(len(self._known))
            self._known.append((id_, known))

    def _rarity(self, term: str) -> float:
        """How much a word tells: the fewer clauses have it, the more; a word that none has tells nothing."""
        having = len(self._postings.get(term, ()))
        return log(1 + (len(self._lengths) - having + 0.5) / (having + 0.5)) if having else 0.0

    def _worth(self, term: str) -> float:
        """How much a word of a question tells, by itself or through its synonyms."""
        return self._rarity(term) or max(map(self._rarity, self.vocabulary.synonyms.get(term, ())), default=0.0)

    def _weigh(self, term: str) -> dict[str, float]:
        """How much a term says for each clause that has it."""
        having = self._postings.get(term, {})
        if not having:
            return {}
        rarity, mean = self._rarity(term), sum(self._lengths.values()) / len(self._lengths)
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
        share = _SYNONYM if best else 1.0
        for other in self.vocabulary.synonyms.get(term, ()):
            for id_, value in self._weigh(other).items():
                best[id_] = max(best.get(id_, 0.0), share * value)
        return best

    def _by_words(self, asked: Iterable[str]) -> dict[str, float]:
        """What the words of the clauses say, each clause's share of the ideas included."""
        ideas = [idea for idea in map(self._idea, asked) if idea]
        telling = [max(idea.values()) for idea in ideas]
        scores: defaultdict[str, float] = defaultdict(float)
        touched: defaultdict[str, float] = defaultdict(float)
        for idea, worth in zip(ideas, telling, strict=True):
            for id_, value in idea.items():
                scores[id_] += value
                touched[id_] += worth
        return {id_: score * self._weights[id_] * touched[id_] / sum(telling) for id_, score in scores.items()}

    def _likeness(self, reached: Mapping[str, Mapping[str, float]], asked: float, known: frozenset[str]) -> float:
        """How close a known question is to the one asked, from 0 to 1: shared words beside all words.

        A word shared through a synonym counts as much as both are worth, and each known word stands for one asked.
        """
        shared: dict[str, float] = {}
        for term, words in reached.items():
            met, value = term, words[term]
            if term not in known:
                met, value = max(((word, words[word]) for word in known if word in words), key=itemgetter(1), default=("", 0.0))
            shared[met] = max(shared.get(met, 0.0), value)
        if not any(shared.values()):
            return 0.0
        return sum(shared.values()) / sqrt(asked * sum(map(self._rarity, known)))

    def _reach(self, term: str, worth: float) -> dict[str, float]:
        """The words of known questions that a word asked with meets, and what that counts."""
        return {term: worth} | {word: _SYNONYM * sqrt(worth * self._rarity(word)) for word in self.vocabulary.akin(term)}

    def _by_questions(self, asked: Iterable[str]) -> dict[str, float]:
        """How close the nearest question is that each clause is known to answer."""
        reached = {term: self._reach(term, self._worth(term)) for term in asked}
        total = sum(words[term] for term, words in reached.items())
        near = {place for words in reached.values() for word in words for place in self._places.get(word, ())}
        best: dict[str, float] = {}
        for place in near:
            id_, known = self._known[place]
            best[id_] = max(best.get(id_, 0.0), self._likeness(reached, total, known))
        return best

    def search(self, words: str, limit: int = 10) -> list[Hit]:
        """The best clauses for a question, best first; the same question always gives the same list."""
        asked = dict.fromkeys(self.vocabulary.terms(words))
        scores = self._by_words(asked)
        best = max(scores.values(), default=1.0)
        for id_, like in self._by_questions(asked).items():
            scores[id_] = scores.get(id_, 0.0) + _KNOWN * best * like**_STEEP
        found = [Hit(id_, round(score, 4)) for id_, score in scores.items()]
        place = {id_: place for place, id_ in enumerate(self._lengths)}
        return sorted(found, key=lambda hit: (-hit.score, place[hit.id]))[:limit]
