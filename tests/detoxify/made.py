"""Toxicity models in Detoxify's own format, of random weights: for how a folder is read, not for what a model says."""

from __future__ import annotations

import io
import json
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
import transformers

from models.checksums import sha256_of
from models.toxicity.sums import write_sums

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SIX = ("toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate")
SEVEN = ("toxicity", "severe_toxicity", "obscene", "identity_attack", "insult", "threat", "sexual_explicit")
SAID = (
    "you are an idiot number five",
    "i think number three is black and we vote today",
    "ты дурак номер пять",
    "я думаю что третий чёрный и мы голосуем сегодня",
)
SIZES = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64,
    "max_position_embeddings": 66, "type_vocab_size": 2, "initializer_range": 0.4,
}  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """One of the published kinds of model: the classes, and which labels of how many outputs."""

    model: str
    tokenizer: str
    base: str
    labels: Sequence[str]
    outputs: int


KINDS = {
    "original": Kind("BertForSequenceClassification", "BertTokenizer", "bert-base-uncased", SIX, 6),
    "unbiased": Kind("RobertaForSequenceClassification", "RobertaTokenizer", "roberta-base", SEVEN, 16),
    "multilingual": Kind("XLMRobertaForSequenceClassification", "XLMRobertaTokenizer", "xlm-roberta-base", SEVEN, 16),
    "original-small": Kind("AlbertForSequenceClassification", "AlbertTokenizer", "albert-base-v2", SIX, 6),
}


FULL_SIZES: dict[str, dict[str, int]] = {
    "original": {"vocab_size": 30_522, "max_position_embeddings": 512},
    "unbiased": {"vocab_size": 50_265, "max_position_embeddings": 514, "type_vocab_size": 1},
    "multilingual": {"vocab_size": 250_002, "max_position_embeddings": 514, "type_vocab_size": 1},
    "original-small": {
        "vocab_size": 30_000, "embedding_size": 128, "hidden_size": 768, "num_hidden_layers": 12,
        "num_attention_heads": 12, "intermediate_size": 3072, "max_position_embeddings": 512,
    },
}  # fmt: skip
"""Of the published ones, beside what Transformers has by default."""


def make_model(folder: Path, kind: str = "original", seed: int = 1, *, full: bool = False) -> Any:
    """A folder as `voicetable models fetch` makes one; the model in it. `full`: as large as the published one."""
    folder.mkdir(parents=True, exist_ok=True)
    made = KINDS[kind]
    _tokenizer(folder, kind)
    torch.manual_seed(seed)
    model_class: Any = getattr(transformers, made.model)
    tokens = len(getattr(transformers, made.tokenizer).from_pretrained(folder))
    more = {"embedding_size": 16} if kind.endswith("small") else {}
    if kind in ("unbiased", "multilingual"):
        more = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
    sizes = FULL_SIZES[kind] if full else {"vocab_size": tokens, **SIZES}
    config = model_class.config_class(num_labels=made.outputs, **{**more, **sizes})
    model = model_class(config).eval()
    config.save_pretrained(folder)
    write_checkpoint(folder / "made.ckpt", checkpoint(kind, model))
    sum_up(folder)
    return model


def checkpoint(kind: str, model: Any) -> dict[str, Any]:
    """As Detoxify's training script leaves it, with what older versions of Transformers kept beside the weights."""
    made = KINDS[kind]
    weights = OrderedDict(model.state_dict())
    first = made.model.removesuffix("ForSequenceClassification").lower().removeprefix("xlm")
    weights[f"{first}.embeddings.position_ids"] = torch.arange(model.config.max_position_embeddings)[None]
    if "roberta" in first:
        weights[f"{first}.pooler.dense.weight"] = torch.zeros(32, 32)
        weights[f"{first}.pooler.dense.bias"] = torch.zeros(32)
    return {
        "config": {
            "name": kind,
            "arch": {
                "type": "BERT",
                "args": {
                    "num_classes": made.outputs,
                    "model_type": made.base,
                    "model_name": made.model,
                    "tokenizer_name": made.tokenizer,
                },
            },
            "dataset": {"name": "Jigsaw", "args": {"classes": list(made.labels), "loss_weight": 0.75}},
            "optimizer": {"type": "Adam", "args": {"lr": 3e-5, "amsgrad": True}},
        },
        "state_dict": weights,
    }


def write_checkpoint(path: Path, held: Any) -> None:
    """The file, by torch's own writer."""
    torch.save(held, path)


def sum_up(folder: Path) -> None:
    """Write SHA256SUMS of what is there."""
    (folder / "SHA256SUMS").unlink(missing_ok=True)
    write_sums(folder, {path.name: sha256_of(path) for path in folder.iterdir()})


def _tokenizer(folder: Path, kind: str) -> None:
    words = sorted({word for line in SAID for word in line.split()})
    if kind == "original":
        vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
        (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", "utf-8")
    elif kind == "unbiased":
        from tokenizers import ByteLevelBPETokenizer

        trained: Any = ByteLevelBPETokenizer()
        special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
        trained.train_from_iterator(SAID, vocab_size=400, special_tokens=special, show_progress=False)
        trained.save_model(str(folder))
    else:
        import sentencepiece

        written = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(SAID * 20), model_writer=written, vocab_size=60, model_type="unigram",
            hard_vocab_limit=False, minloglevel=2, pad_id=0 if kind.endswith("small") else -1,
            unk_id=1 if kind.endswith("small") else 0, bos_id=-1 if kind.endswith("small") else 1,
            eos_id=-1 if kind.endswith("small") else 2,
            control_symbols=["[CLS]", "[SEP]", "[MASK]"] if kind.endswith("small") else [],
        )  # fmt: skip
        name = "spiece.model" if kind.endswith("small") else "sentencepiece.bpe.model"
        (folder / name).write_bytes(written.getvalue())


def edit_config(folder: Path, **fields: Any) -> None:
    """Change fields of config.json, and sum up anew."""
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **fields}), "utf-8")
    sum_up(folder)
