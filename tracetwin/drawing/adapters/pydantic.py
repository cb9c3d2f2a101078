"""Models of pydantic: constructors that take fields by keyword, and keep what is demanded of them.

Models are recognised by what such classes have; nothing is imported for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from tracetwin.drawing.adapters.interface import Adapter, PlanOf
from tracetwin.drawing.plans.constrained import constrained
from tracetwin.drawing.plans.constraints import constraints_of
from tracetwin.drawing.plans.parameters import KEYWORD_ONLY, Parameter, with_default
from tracetwin.drawing.plans.plans import Plan
from tracetwin.model.errors import Unbuildable

_FIELDS: Final = "__pydantic_fields__"


def fields_of(cls: type) -> Mapping[str, Any]:
    """The fields of a model or a pydantic dataclass by their names, {} for other classes."""
    if "__pydantic_validator__" not in _attributes(cls):
        return {}
    found = getattr(cls, _FIELDS, None)
    return found if isinstance(found, dict) else {}


def _attributes(cls: type) -> set[str]:
    return {name for base in type.mro(cls) for name in vars(base)}


def _plan(field: Any, plan_of: PlanOf) -> Plan:
    return constrained(plan_of(field.annotation), constraints_of(field.metadata))


def _parameter(key: str, field: Any, plan_of: PlanOf) -> Parameter:
    parameter = Parameter(key, _plan(field, plan_of), KEYWORD_ONLY)
    if field.is_required():
        return parameter
    if field.default_factory is None:
        return with_default(parameter, field.default)
    return replace(parameter, has_default=True)  # whatever its factory makes


def _key(cls: type, name: str, field: Any) -> str:
    """The keyword of a field: its alias where it has one and no other name is taken."""
    alias = getattr(field, "validation_alias", None) or getattr(field, "alias", None)
    config = getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", None) or {}
    by_name = config.get("populate_by_name") or config.get("validate_by_name")
    return alias if isinstance(alias, str) and not by_name else name


class _Pydantic(Adapter):
    """Models and pydantic dataclasses with fields."""

    name = "pydantic"
    inherits_constructors = False  # what all models have makes them without looking at the fields

    def owns(self, thing: Any) -> bool:
        return isinstance(thing, type) and bool(fields_of(thing))

    def parameters(self, cls: type, plan_of: PlanOf) -> tuple[Parameter, ...] | None:
        made = []
        for name, field in fields_of(cls).items():
            if getattr(field, "init", None) is False:
                continue
            key = _key(cls, name, field)
            try:
                made.append(_parameter(key, field, plan_of))
            except Unbuildable as error:
                if field.is_required():
                    raise Unbuildable(f"field {name!r} of {cls.__name__}: {error}") from error
                made.append(Parameter(key, None, KEYWORD_ONLY, has_default=True))
        return tuple(made)

    def restored(self, cls: type) -> Mapping[str, str]:
        """All fields: the validators are compiled."""
        return {name: _key(cls, name, field) for name, field in fields_of(cls).items()}

    def field_plan(self, cls: type, name: str, plan_of: PlanOf) -> Plan | None:
        field = fields_of(cls).get(name)
        return None if field is None else _plan(field, plan_of)


ADAPTER = _Pydantic()
