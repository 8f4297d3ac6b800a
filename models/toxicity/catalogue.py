"""The models that Detoxify has published: where their files are, and what is known of them beforehand.

Addresses and file names are those of `detoxify.detoxify.MODEL_URLS` (Detoxify 0.5.4, Apache-2.0). A checkpoint's name
ends in the first digits of its SHA-256, after the custom of torch.hub. It holds no configuration and no tokenizer:
those are of the model that it was trained from, taken at one revision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

RELEASES: Final = "https://github.com/unitaryai/detoxify/releases/download"
HUB: Final = "https://huggingface.co"


@dataclass(frozen=True, slots=True)
class Published:
    """A published model. `base`, `revision`: what it was trained from, on the hub; `files`: what is needed of that."""

    name: str
    title: str
    languages: tuple[str, ...]
    checkpoint: str
    base: str
    revision: str
    files: tuple[str, ...]

    @property
    def file(self) -> str:
        """The checkpoint's name without its release."""
        return self.checkpoint.rpartition("/")[2]


_BERT = ("google-bert/bert-base-uncased", "86b5e0934494bd15c9632b12f734a8a67f723594")
_ROBERTA = ("FacebookAI/roberta-base", "e2da8e2f811d1448a5b465c236feacd80ffbac7b")
_XLM_ROBERTA = ("FacebookAI/xlm-roberta-base", "e73636d4f797dec63c3081bb6ed5c7b0bb3f2089")
_ALBERT = ("albert/albert-base-v2", "8e2f239c5f8a2c0f253781ca60135db913e5c80c")
_COMMON = ("config.json", "tokenizer.json", "tokenizer_config.json")
_SEVEN = ("en", "fr", "es", "it", "pt", "tr", "ru")

PUBLISHED: Final[Mapping[str, Published]] = {
    each.name: each
    for each in (
        Published(
            "original", "Detoxify original, 438 MB; has no sexual label", ("en",),
            "v0.1-alpha/toxic_original-c1212f89.ckpt", *_BERT, (*_COMMON, "vocab.txt"),
        ),
        Published(
            "unbiased", "Detoxify unbiased, 499 MB", ("en",),
            "v0.3-alpha/toxic_debiased-c7548aa0.ckpt", *_ROBERTA, (*_COMMON, "vocab.json", "merges.txt"),
        ),
        Published(
            "multilingual", "Detoxify multilingual, 1.1 GB", _SEVEN,
            "v0.4-alpha/multilingual_debiased-0b549669.ckpt", *_XLM_ROBERTA, (*_COMMON, "sentencepiece.bpe.model"),
        ),
        Published(
            "original-small", "Detoxify original-small, 47 MB; has no sexual label", ("en",),
            "v0.1.2/original-albert-0e1d6498.ckpt", *_ALBERT, (*_COMMON, "spiece.model"),
        ),
        Published(
            "unbiased-small", "Detoxify unbiased-small, 47 MB", ("en",),
            "v0.1.2/unbiased-albert-c8519128.ckpt", *_ALBERT, (*_COMMON, "spiece.model"),
        ),
    )
}  # fmt: skip
