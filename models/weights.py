"""Small weights that are files of this project: read without pickle, and held against their SHA-256."""

from __future__ import annotations

import hashlib
import io
import json
from typing import TYPE_CHECKING, Any

from models.errors import ModelError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    import numpy as np
    from numpy.typing import NDArray

SUMS = "SHA256.json"
LARGEST_BYTES = 64 << 20


def read_weights(folder: Traversable, name: str) -> dict[str, NDArray[np.generic]]:
    """The arrays of `folder/name` (an .npz). Raises ModelError for a file that is not the pinned one."""
    import numpy as np

    try:
        sums: dict[str, Any] = json.loads((folder / SUMS).read_text(encoding="utf-8"))
        data = (folder / name).read_bytes()
    except (OSError, ValueError) as error:
        raise ModelError(f"weights {name}: can't be read ({error}); install the package anew") from error
    if len(data) > LARGEST_BYTES or hashlib.sha256(data).hexdigest() != sums.get(name):
        raise ModelError(f"weights {name}: expected the file that {SUMS} names, got another; install the package anew")
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return {key: arrays[key] for key in arrays.files}


def write_weights(folder: Any, name: str, arrays: dict[str, NDArray[Any]]) -> int:
    """Write the arrays and the file's sum; the same arrays give the same bytes. Returns the bytes written.

    `folder`: a pathlib.Path.
    """
    import zipfile

    import numpy as np

    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for key in sorted(arrays):
            member = io.BytesIO()
            np.lib.format.write_array(member, np.asarray(arrays[key], order="C"), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{key}.npy"), member.getvalue(), zipfile.ZIP_DEFLATED)
    data = buffer.getvalue()
    (folder / name).write_bytes(data)
    path = folder / SUMS
    sums = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    sums[name] = hashlib.sha256(data).hexdigest()
    path.write_text(json.dumps(sums, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return len(data)
