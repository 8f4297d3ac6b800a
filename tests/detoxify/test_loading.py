"""Checkpoints in Detoxify's own format become its own model, offline; whatever else is in a file is refused."""

from __future__ import annotations

import os
import pickle
import socket
import zipfile
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import pytest
import torch
from detoxify import Detoxify

from models.errors import ModelError
from models.toxicity.checkpoint import read_checkpoint
from models.toxicity.find import locate
from models.toxicity.loading import load_detoxify
from models.toxicity.scoring import ToxicityModel, check_device, halve, to_int8
from tests.detoxify.made import KINDS, SAID, checkpoint, edit_config, make_model, sum_up, write_checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from models.toxicity.find import Found


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is asked anything: whoever tries is told so by the test's failure."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_model(tmp_path / "model")
    return tmp_path / "model"


def found(folder: Path) -> Found:
    return locate(str(folder), folder.parent / "data")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_loads_whole_and_scores_as_its_model(tmp_path: Path, kind: str) -> None:
    made = make_model(tmp_path / "model", kind)
    loaded = load_detoxify(found(tmp_path / "model"))
    assert type(loaded) is Detoxify
    weights = loaded.model.state_dict()
    assert all(torch.equal(weight, weights[name]) for name, weight in made.state_dict().items())
    assert weights.keys() == made.state_dict().keys()
    model = ToxicityModel(found(tmp_path / "model"), full=True)
    labels = {"toxic": "toxicity", "severe_toxic": "severe_toxicity", "identity_hate": "identity_attack"}
    assert model.labels == tuple(labels.get(label, label) for label in KINDS[kind].labels)
    for text, scores in zip(SAID, model.scores(SAID), strict=True):
        with torch.no_grad():
            raw = torch.sigmoid(made(**loaded.tokenizer(text, return_tensors="pt")).logits)[0]
        assert scores == pytest.approx(dict(zip(model.labels, raw.tolist(), strict=False)), abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_the_scores_are_those_of_detoxifys_own_loader(tmp_path: Path, kind: str) -> None:
    """Which loads from a folder where the checkpoint itself names one."""
    made = make_model(tmp_path / "model", kind)
    held = checkpoint(kind, made)
    held["config"]["arch"]["args"]["model_type"] = str(tmp_path / "model")
    write_checkpoint(tmp_path / "stock.ckpt", held)
    stock = Detoxify(checkpoint=str(tmp_path / "stock.ckpt"))
    ours = ToxicityModel(found(tmp_path / "model"), full=True)
    for text in SAID:
        assert ours.scores([text])[0] == pytest.approx(stock.predict(text), abs=1e-6)


class Evil:
    """Pickled, it runs a command where it is read."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        return os.system, (self.command,)


@pytest.mark.parametrize("legacy", [False, True])
def test_code_in_a_checkpoint_is_not_run(folder: Path, tmp_path: Path, legacy: bool) -> None:
    mark = tmp_path / "ran"
    held = {**checkpoint("original", make_model(folder)), "more": Evil(f"touch {mark}")}
    torch.save(held, folder / "made.ckpt", _use_new_zipfile_serialization=not legacy)
    sum_up(folder)
    with pytest.raises(ModelError, match="is refused: it holds more than containers and tensors"):
        load_detoxify(found(folder))
    assert not mark.exists()
    torch.load(folder / "made.ckpt", weights_only=False)  # as Detoxify's own loader does
    assert mark.exists()


def test_a_plain_pickle_is_not_run_either(folder: Path, tmp_path: Path) -> None:
    (folder / "made.ckpt").write_bytes(pickle.dumps(Evil(f"touch {tmp_path / 'ran'}")))
    with pytest.raises(ModelError, match=r"is refused|can't be read"):
        read_checkpoint(folder / "made.ckpt")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("damage", ["empty", "cut", "zip", "noise"])
def test_a_damaged_file_is_one_line(folder: Path, damage: str) -> None:
    path = folder / "made.ckpt"
    whole = path.read_bytes()
    if damage == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("archive/data.pkl", b"nonsense")
    else:
        path.write_bytes({"empty": b"", "cut": whole[: len(whole) // 2], "noise": bytes(range(256)) * 50}[damage])
    with pytest.raises(ModelError, match=r"made.ckpt (is refused|can't be read)") as refused:
        read_checkpoint(path)
    assert "\n" not in str(refused.value)


def _put(held: Any, *way: str, value: Any) -> None:
    for name in way[:-1]:
        held = held[name]
    held[way[-1]] = value


ARGUMENTS = ("config", "arch", "args")
CLASSES = ("config", "dataset", "args", "classes")


@pytest.mark.parametrize(
    ("way", "value", "said"),
    [
        ((*ARGUMENTS, "model_name"), "AutoModelForSequenceClassification", "expected one of BertForSequenceClass"),
        ((*ARGUMENTS, "model_name"), "pipeline", "expected one of BertForSequenceClass"),
        ((*ARGUMENTS, "model_name"), ["BertForSequenceClassification"], "expected one of BertForSequenceClass"),
        ((*ARGUMENTS, "tokenizer_name"), "AutoTokenizer", "expected the tokenizer BertTokenizer"),
        ((*ARGUMENTS, "tokenizer_name"), "RobertaTokenizer", "expected the tokenizer BertTokenizer"),
        ((*ARGUMENTS, "num_classes"), 0, "expected 1 to 64 classes, got 0"),
        ((*ARGUMENTS, "num_classes"), True, "expected 1 to 64 classes, got True"),
        ((*ARGUMENTS, "num_classes"), 10**9, "expected 1 to 64 classes"),
        ((*ARGUMENTS, "num_classes"), 7, "config.json has .7, 32., the file has torch.float32 .6, 32."),
        (CLASSES, ["toxic"] * 2, "expected each label once"),
        (CLASSES, ["nice"], "expected labels of Detoxify's, got 'nice'"),
        (CLASSES, [], "expected the labels of at most 6 outputs"),
        (CLASSES, ["toxic"] * 7, "expected the labels of at most 6 outputs"),
        (CLASSES, "toxic", "expected the labels of at most 6 outputs"),
        (("config", "arch"), None, "is no checkpoint of Detoxify's"),
        (("config",), {}, "it has no 'arch'"),
        (("state_dict",), {}, "expected weights, got none"),
        (("state_dict",), {"classifier.weight": 1}, "expected tensors by their names, got int"),
        (("state_dict", "classifier.weight"), torch.zeros(6, 31), "config.json has .6, 32., the file has"),
        (("state_dict", "classifier.weight"), torch.zeros(6, 32, dtype=torch.int64), "the file has torch.int64"),
        (("state_dict", "classifier.more"), torch.zeros(1), "classifier.more is no weight of a BertFor"),
        (("state_dict", "x.pooler.dense.weight"), torch.zeros(1), None),
    ],
)
def test_what_a_checkpoint_may_not_say(folder: Path, way: tuple[str, ...], value: Any, said: str | None) -> None:
    held = checkpoint("original", make_model(folder))
    _put(held, *way, value=value)
    write_checkpoint(folder / "made.ckpt", held)
    sum_up(folder)
    if said is None:
        load_detoxify(found(folder))
        return
    with pytest.raises(ModelError, match=said) as refused:
        load_detoxify(found(folder))
    assert "\n" not in str(refused.value)


def test_a_weight_that_is_missing_is_not_made_up(folder: Path) -> None:
    held = checkpoint("original", make_model(folder))
    held["state_dict"] = OrderedDict(
        (name, weight) for name, weight in held["state_dict"].items() if not name.startswith("classifier")
    )
    write_checkpoint(folder / "made.ckpt", held)
    sum_up(folder)
    with pytest.raises(ModelError, match=r"classifier.bias is missing, and 1 others"):
        load_detoxify(found(folder))


def test_a_list_in_place_of_a_checkpoint(folder: Path) -> None:
    write_checkpoint(folder / "made.ckpt", [torch.zeros(1)])
    with pytest.raises(ModelError, match="is no checkpoint of Detoxify's: expected config and state_dict"):
        read_checkpoint(folder / "made.ckpt")


def test_files_that_are_not_the_models(folder: Path) -> None:
    (folder / "config.json").write_text("{")
    sum_up(folder)
    with pytest.raises(ModelError, match="does not load"):
        load_detoxify(found(folder))
    make_model(folder)
    with (folder / "vocab.txt").open("a") as words:
        words.write("more\n")
    sum_up(folder)
    with pytest.raises(ModelError, match=r"the tokenizer has \d+ tokens, the model \d+"):
        load_detoxify(found(folder))
    make_model(folder)
    edit_config(folder, hidden_size=64)
    with pytest.raises(ModelError, match=r"config.json has \[\d+, 64\], the file has"):
        load_detoxify(found(folder))


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_that_is_too_long_is_cut(tmp_path: Path, kind: str) -> None:
    make_model(tmp_path / "model", kind)
    model = ToxicityModel(found(tmp_path / "model"), full=True)
    long = "you are an idiot number five " * 300
    cut = "you are an idiot number five " * 100
    assert model.scores([long]) == model.scores([cut])
    assert model.scores(["", "..."])


@pytest.mark.parametrize("kind", KINDS)
def test_int8_is_near_and_only_where_the_work_is(tmp_path: Path, kind: str) -> None:
    make_model(tmp_path / "model", kind)
    full = ToxicityModel(found(tmp_path / "model"), full=True)
    small = ToxicityModel(found(tmp_path / "model"))
    assert (full.precision, small.precision) == ("float32", "int8")
    pairs = zip(full.scores(SAID), small.scores(SAID), strict=True)
    off = [abs(one[label] - other[label]) for one, other in pairs for label in one]
    assert 0.0 < sum(off) / len(off) < 0.06  # of large random weights; a trained model's are smaller, and so is this
    parts = dict(small._detoxify.model.named_modules())
    plain = [name for name, part in parts.items() if type(part) is torch.nn.Linear]
    assert not any(".encoder." in name for name in plain)
    assert any("classifier" in name for name in plain)


@pytest.mark.parametrize("kind", KINDS)
def test_half_precision_is_near(tmp_path: Path, kind: str) -> None:
    """What a GPU computes in, on the processor."""
    make_model(tmp_path / "model", kind)
    model = ToxicityModel(found(tmp_path / "model"), full=True)
    whole = model.scores(SAID)
    model._detoxify.model = halve(model._detoxify.model)
    assert next(model._detoxify.model.parameters()).dtype == torch.float16
    for one, other in zip(whole, model.scores(SAID), strict=True):
        assert other == pytest.approx(one, abs=0.02)


@pytest.mark.parametrize("batch", [1, 2, 3, 32])
def test_texts_together_score_as_they_do_alone(folder: Path, batch: int) -> None:
    model = ToxicityModel(found(folder), full=True)
    alone = model.scores(SAID)
    model._batch = batch
    for one, other in zip(alone, model.scores(SAID), strict=True):
        assert other == pytest.approx(one, abs=1e-5)


def test_where_torch_has_no_int8_it_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: Any, **__: Any) -> None:
        raise NotImplementedError

    monkeypatch.setattr(torch.ao.quantization, "quantize_dynamic", gone)
    assert to_int8(load_detoxify(found(folder)).model) is None
    assert ToxicityModel(found(folder)).precision == "float32"


def test_a_device_that_is_not_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ModelError, match="finds no CUDA device"):
        ToxicityModel(found(folder), "cuda")
    with pytest.raises(ModelError, match="expected cpu or cuda"):
        check_device("tpu")
