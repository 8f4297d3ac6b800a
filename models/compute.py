"""Which compute types a device does, as CTranslate2 says."""

from __future__ import annotations

from models.errors import ModelError


def check_compute_type(device: str, compute_type: str) -> None:
    """Raises ModelError where this machine has no such device, or the device does not do the type."""
    import ctranslate2

    if device == "cuda" and not ctranslate2.get_cuda_device_count():
        raise ModelError("CTranslate2 finds no CUDA device on this machine")
    able: set[str] = {"default", "auto", *ctranslate2.get_supported_compute_types(device)}
    if compute_type not in able:
        raise ModelError(f"{device} here does {', '.join(sorted(able))}, not {compute_type!r:.80}")
