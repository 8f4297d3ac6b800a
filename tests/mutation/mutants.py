"""Planted errors: every small change of a module's source that a test should notice."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
REVERSED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
WORDS_OF_ERRORS = frozenset({"Refusal", "GameError", "ScenarioError", "Malformed", "AssertionError", "ValueError"})
PLAIN = frozenset({"TypeVar", "field", "dataclass"})


@dataclass(frozen=True)
class Mutant:
    """One planted error: the `number`th change of its module. `source` is the line that it is in."""

    path: str
    number: int
    line: int
    source: str
    change: str

    @property
    def name(self) -> str:
        """Where and what, in one line."""
        return f"{self.path}:{self.line}: {self.change}   | {self.source}"

    def tree(self, text: str) -> ast.Module:
        """The whole module, whose source is `text`, with the change."""
        mutated = ast.parse(text)
        for number, (_, _, apply) in enumerate(_changes(mutated)):
            if number == self.number:
                apply()
                break
        return ast.fix_missing_locations(mutated)


def mutants(path: str, text: str) -> Iterator[Mutant]:
    """Every mutant of one module, each with a single change."""
    lines = text.splitlines()
    for number, (node, change, _) in enumerate(_changes(ast.parse(text))):
        line = node.lineno  # type: ignore[attr-defined]
        yield Mutant(path, number, line, lines[line - 1].strip(), change)


Change = tuple[ast.AST, str, Callable[[], None]]


def _changes(tree: ast.Module) -> Iterator[Change]:
    for statements in _blocks(tree):
        for place, statement in enumerate(statements):
            if _is_skipped(statement):
                continue
            yield from _of_statement(statements, place, statement)
            yield from _of_expressions(statement)


def _blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Every list of statements, but for what only type checkers read."""
    for name in ("body", "orelse", "finalbody"):
        statements = getattr(tree, name, None)
        if isinstance(statements, list) and statements and isinstance(statements[0], ast.stmt):
            yield statements
            for statement in statements:
                if not _is_skipped(statement):
                    yield from _blocks(statement)
    for handler in getattr(tree, "handlers", []):
        yield from _blocks(handler)
    for case in getattr(tree, "cases", []):
        yield from _blocks(case)


def _is_skipped(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Import | ast.ImportFrom | ast.Assert | ast.Pass):
        return True
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return True  # a docstring
    if isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
        return True
    if isinstance(statement, ast.AnnAssign):
        return statement.value is None or "TypeAlias" in ast.unparse(statement.annotation)
    if isinstance(statement, ast.Assign):
        return any(isinstance(target, ast.Name) and target.id == "__slots__" for target in statement.targets) or (
            isinstance(statement.value, ast.Call) and ast.unparse(statement.value.func) in PLAIN
        )
    return False


def _of_statement(statements: list[ast.stmt], place: int, statement: ast.stmt) -> Iterator[Change]:
    def replace(other: ast.stmt) -> Callable[[], None]:
        def apply() -> None:
            statements[place] = ast.copy_location(other, statement)

        return apply

    if isinstance(statement, ast.Expr | ast.AugAssign | ast.Raise | ast.Continue | ast.Break | ast.Delete) or (
        isinstance(statement, ast.Assign) and not isinstance(statement.targets[0], ast.Name)
    ):
        yield statement, f"without {ast.unparse(statement)[:50]!r}", replace(ast.Pass())
    elif isinstance(statement, ast.Return) and statement.value is None:
        yield statement, "without return", replace(ast.Pass())
    if isinstance(statement, ast.If | ast.While):
        for value in (True, False):
            if isinstance(statement, ast.While) and value:
                continue

            def apply(value: bool = value) -> None:
                statement.test = ast.copy_location(ast.Constant(value), statement.test)

            yield statement.test, f"condition is {value}", apply


def _of_expressions(statement: ast.stmt) -> Iterator[Change]:
    """Changes of the expressions that belong to a statement itself, not to the statements inside it."""
    inner: list[tuple[ast.AST, str]] = []
    for name, value in ast.iter_fields(statement):
        if name in (
            "body",
            "orelse",
            "finalbody",
            "handlers",
            "cases",
            "annotation",
            "returns",
            "decorator_list",
            "args",
        ):
            continue
        values = value if isinstance(value, list) else [value]
        inner += [(each, name) for each in values if isinstance(each, ast.AST)]
    if isinstance(statement, ast.Match):
        for case in statement.cases:
            inner += [(case.pattern, "pattern")] + ([(case.guard, "guard")] if case.guard else [])
    if isinstance(statement, ast.FunctionDef):
        inner += [
            (default, "default") for default in [*statement.args.defaults, *statement.args.kw_defaults] if default
        ]
    for node, _ in inner:
        yield from _of_expression(node)


def _of_expression(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Call) and ast.unparse(node.func) in WORDS_OF_ERRORS:
        return  # its words are free
    if isinstance(node, ast.Compare):
        for place, op in enumerate(node.ops):
            for other in COMPARED.get(type(op), ()):
                yield node, f"{_shown(op)} is {_shown(other())}", _setter(node.ops, place, other())
    elif isinstance(node, ast.BoolOp):
        other_op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield node, f"{_shown(node.op)} is {_shown(other_op)}", lambda: setattr(node, "op", other_op)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, "without not", lambda: _become(node, ast.Call(ast.Name("bool", ast.Load()), [node.operand], []))
    elif isinstance(node, ast.BinOp) and type(node.op) in REVERSED:
        swapped = REVERSED[type(node.op)]()
        yield node, f"{_shown(node.op)} is {_shown(swapped)}", lambda: setattr(node, "op", swapped)
    elif isinstance(node, ast.IfExp):
        turned = ast.UnaryOp(ast.Not(), node.test)
        yield node, "the other way round", lambda: setattr(node, "test", ast.copy_location(turned, node.test))
    elif isinstance(node, ast.comprehension):
        for place, test in enumerate(node.ifs):
            yield test, "condition is True", _setter(node.ifs, place, ast.copy_location(ast.Constant(True), test))
    elif isinstance(node, ast.Dict):
        for place, key in enumerate(node.keys):
            where = key if key is not None else node.values[place]

            def drop(place: int = place) -> None:
                del node.keys[place], node.values[place]

            yield where, f"without entry {ast.unparse(where)[:40]}", drop
    elif isinstance(node, ast.Constant):
        yield from _of_constant(node)
    for child in ast.iter_child_nodes(node):
        yield from _of_expression(child)


def _of_constant(node: ast.Constant) -> Iterator[Change]:
    value = node.value
    others: tuple[object, ...] = ()
    if isinstance(value, bool):
        others = (not value,)
    elif isinstance(value, int | float):
        others = (value + 1, value - 1)
    elif isinstance(value, str):
        others = (value + "_",)
    for other in others:
        yield node, f"{value!r} is {other!r}", lambda other=other: setattr(node, "value", other)  # type: ignore[misc]


def _setter(values: list[ast.AST], place: int, other: ast.AST) -> Callable[[], None]:  # type: ignore[type-arg]
    def apply() -> None:
        values[place] = other

    return apply


def _become(node: ast.AST, other: ast.AST) -> None:
    """`node` turns into `other` where it stands."""
    ast.copy_location(other, node)
    node.__class__ = other.__class__  # type: ignore[assignment]
    node.__dict__.clear()
    node.__dict__.update(other.__dict__)


def _shown(op: ast.AST) -> str:
    return type(op).__name__
