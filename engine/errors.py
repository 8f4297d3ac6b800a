"""What the engine raises."""


class GameError(ValueError):
    """A game that can't be started or replayed as asked: one clear line, for whoever asked."""


class Refusal(Exception):  # noqa: N818 - it is the game's answer "no", not an error of the program
    """Why a command may not be done now. Inside the engine alone: callers are given a `refused` event."""


def shown(value: object, length: int = 60) -> str:
    """`value` as it may stand in a one-line message: escaped, and cut to `length` characters."""
    try:
        text = ascii(value)
    except (RecursionError, ValueError):  # nested too deeply, or an integer too long to print
        text = f"a {type(value).__name__}"
    return text if len(text) <= length else text[: length - 3] + "..."
