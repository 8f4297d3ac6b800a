"""An A4 page to draw boxes and short texts on. Texts never leave their boxes: they are set smaller, then cut."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Self

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fpdf import FPDF

WIDTH, HEIGHT, MARGIN = 297.0, 210.0, 8.0
"""A4 landscape, in millimetres."""

FAMILY: Final = "sheet"
SMALLEST_PT: Final = 5.0
SMALL_PT: Final = 7.0
"""Smaller than this, two rows are easier to read than one."""
REPLACEMENT: Final = "\N{WHITE SQUARE}"
FONTS: Final = Path(__file__).parent / "fonts"

Align = Literal["L", "C", "R"]


class Paper:
    """A document of pages; a context manager, which closes its fonts.

    Lengths are millimetres from the page's upper left corner, sizes of letters points.
    """

    def __init__(self, title: str) -> None:
        from fpdf import FPDF
        from fpdf.fonts import TTFFont

        logging.getLogger("fpdf").setLevel(logging.ERROR)  # its warnings on letters would hold names
        logging.getLogger("fontTools").setLevel(logging.ERROR)
        self.pdf: FPDF = FPDF("landscape", "mm", "A4")
        self.pdf.add_font(FAMILY, "", FONTS / "DejaVuSansCondensed.ttf")
        self.pdf.add_font(FAMILY, "B", FONTS / "DejaVuSansCondensed-Bold.ttf")
        self._fonts = [font for font in self.pdf.fonts.values() if isinstance(font, TTFFont)]
        self._letters = frozenset(self._fonts[0].cmap)
        self.pdf.set_auto_page_break(auto=False)
        self.pdf.set_margin(0)
        self.pdf.c_margin = 0.8
        self.pdf.set_title(self._known(title))
        self.pdf.set_creator("voicetable")
        self.pdf.set_line_width(0.2)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for font in self._fonts:
            font.close()  # fpdf2 leaves their files open

    def page(self) -> None:
        """A new page."""
        self.pdf.add_page()

    def box(
        self, x: float, y: float, width: float, height: float, text: str = "", *, size: float = 9, bold: bool = False,
        align: Align = "L", border: bool = True, shade: bool = False,
    ) -> None:  # fmt: skip
        """A box with a text of one line in its middle, set smaller where it is too long, and then cut."""
        pdf = self.pdf
        pdf.set_fill_color(232)
        text = self._fitted(text, width - 2 * pdf.c_margin, size, bold=bold)
        pdf.set_xy(x, y)
        pdf.cell(width, height, text, border=1 if border else 0, align=align, fill=shade)

    def two_rows(self, x: float, y: float, width: float, height: float, text: str, *, size: float) -> None:
        """A box whose text is broken into two rows, set smaller, where one would be too small to read."""
        rows = self.rows(text, width, SMALL_PT)
        if len(rows) < 2:
            self.box(x, y, width, height, text, size=size)
            return
        self.box(x, y, width, height)
        half = (height - 1) / 2
        self.box(x, y + 0.5, width, half, rows[0], size=SMALL_PT, border=False)
        self.box(x, y + 0.5 + half, width, half, " ".join(rows[1:]), size=SMALL_PT, border=False)

    def label(self, x: float, y: float, text: str, *, size: float = 6.5, width: float = 60) -> None:
        """A small caption without a box."""
        self.box(x, y, width, 3.2, text, size=size, border=False)

    def line(self, x: float, y: float, width: float) -> None:
        """A line to write on."""
        self.pdf.line(x, y, x + width, y)

    def rows(self, text: str, width: float, size: float) -> list[str]:
        """`text` broken into lines that fit into `width`."""
        self._font(size, bold=False)
        rows: list[str] = []
        for word in self._words(self._known(text), width - 2 * self.pdf.c_margin):
            longer = f"{rows[-1]} {word}" if rows else word
            if rows and self.pdf.get_string_width(longer) <= width - 2 * self.pdf.c_margin:
                rows[-1] = longer
            else:
                rows.append(word)
        return rows

    def bytes(self) -> bytes:
        """The document."""
        return bytes(self.pdf.output())

    def _words(self, text: str, width: float) -> Iterator[str]:
        """The words of `text`; one that is wider than `width` in pieces."""
        for word in text.split():
            while self.pdf.get_string_width(word) > width:
                length = max(
                    (n for n in range(1, len(word)) if self.pdf.get_string_width(word[:n]) <= width), default=1
                )
                yield word[:length]
                word = word[length:]
            yield word

    def _font(self, size: float, *, bold: bool) -> None:
        self.pdf.set_font(FAMILY, "B" if bold else "", size)

    def _fitted(self, text: str, width: float, size: float, *, bold: bool) -> str:
        text = self._known(" ".join(text.split()))
        self._font(size, bold=bold)
        while self.pdf.get_string_width(text) > width and size > SMALLEST_PT:
            size = max(SMALLEST_PT, size - 0.5)
            self._font(size, bold=bold)
        if self.pdf.get_string_width(text) <= width:
            return text
        while text and self.pdf.get_string_width(text + "…") > width:
            text = text[:-1]
        return text + "…" if text else ""

    def _known(self, text: str) -> str:
        """`text` with a square for each letter that the font does not have."""
        return "".join(each if ord(each) in self._letters else REPLACEMENT for each in text)
