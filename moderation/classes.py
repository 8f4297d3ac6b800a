"""Word classes that the context rules are written in.

Each class is one bit of an integer; the words of each class are data (`lexicon/*/context.toml`), and files may
define further classes for their own patterns.
"""

from typing import Final

ME: Final = 1 << 0  # I, we: the speaker as subject
ME_OBJECT: Final = 1 << 1  # me, us
YOU: Final = 1 << 2  # you as subject
YOU_OBJECT: Final = 1 << 3  # oblique forms of you, where a language has them
YOUR: Final = 1 << 4
THIRD: Final = 1 << 5  # he, she, they in any case
DEMONSTRATIVE: Final = 1 << 6  # this, that, these
SEAT: Final = 1 << 7  # "number", "seat", ordinals and numbers
CARDINAL: Final = 1 << 8  # numbers that may also just count
PERSON: Final = 1 << 9  # guy, woman, player; first names
BE: Final = 1 << 10
PASS: Final = 1 << 11  # adverbs, articles, particles: context is read through them
BOOST: Final = 1 << 12  # swearing and "complete", "utter": raises a mild word
NEGATION: Final = 1 << 13
REPORT: Final = 1 << 14  # said, called, told: somebody else's words follow
REPORT_BASE: Final = 1 << 15  # say, call, tell: somebody else's only with another subject
THING: Final = 1 << 16  # vote, version, logic: never abused
ARTICLE: Final = 1 << 17  # a, the, some, which: no vocative follows
PREPOSITION: Final = 1 << 18
GENERIC: Final = 1 << 19  # only, any, every: "only a fool would"
EXCLAIM: Final = 1 << 20  # what (a), какой
COMMAND: Final = 1 << 21  # shut up, listen: what follows is a vocative
LIKE: Final = 1 << 22
WORD_TALK: Final = 1 << 23  # word, insult, slur: talk about a word is quoting it
PASSIVE: Final = 1 << 24  # was, been, got: "I was called"
THINK: Final = 1 << 25  # I think, I know: what follows is not said of the speaker

LINK: Final = 1 << 26  # plays, sounds, acts (like): reads on to the subject, but a "don't" before it admonishes

GROUP: Final = 1 << 27  # peoples, faiths, sexes: talk of them is no abuse by itself

NAMED: Final[dict[str, int]] = {
    "me": ME,
    "me_object": ME_OBJECT,
    "you": YOU,
    "you_object": YOU_OBJECT,
    "your": YOUR,
    "third": THIRD,
    "demonstrative": DEMONSTRATIVE,
    "seat": SEAT,
    "cardinal": CARDINAL,
    "person": PERSON,
    "be": BE,
    "pass": PASS,
    "boost": BOOST,
    "negation": NEGATION,
    "report": REPORT,
    "report_base": REPORT_BASE,
    "thing": THING,
    "article": ARTICLE,
    "preposition": PREPOSITION,
    "generic": GENERIC,
    "exclaim": EXCLAIM,
    "command": COMMAND,
    "like": LIKE,
    "word_talk": WORD_TALK,
    "passive": PASSIVE,
    "think": THINK,
    "link": LINK,
    "group": GROUP,
}

SOMEBODY: Final = YOU | YOU_OBJECT | THIRD | SEAT | PERSON
# Words that carry no abuse themselves: their recognition confidence does not matter.
FUNCTION: Final = (
    ME
    | ME_OBJECT
    | YOU
    | YOU_OBJECT
    | YOUR
    | THIRD
    | DEMONSTRATIVE
    | SEAT
    | BE
    | PASS
    | ARTICLE
    | PREPOSITION
    | NEGATION
)
EVERYDAY: Final = FUNCTION | THING | PERSON | REPORT | REPORT_BASE | LIKE | ARTICLE | GENERIC | COMMAND

# Classes for patterns that are made of others.
UNIONS: Final[dict[str, tuple[str, ...]]] = {
    "somebody": ("you", "you_object", "third", "seat", "person"),
    "other": ("third", "seat", "person"),
}
