"""Fields of attrs: the types of those with a converter, and what their validators demand.

The validators run in the constructor all the same; knowing what they demand saves the search from finding
out. They are known by what they have, without importing anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tracetwin.drawing.adapters.interface import Adapter, PlanOf
from tracetwin.drawing.plans.constrained import constrained
from tracetwin.drawing.plans.constraints import constraints_of
from tracetwin.drawing.plans.parameters import Parameter, with_default
from tracetwin.drawing.plans.plans import Plan, members
from tracetwin.model.errors import Unbuildable
from tracetwin.support.data import dataclass

_COMPARISONS: Final = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


@dataclass(frozen=True)
class _Bound:
    """A comparison, by the names that bounds have in `Annotated`."""

    lt: Any = None
    le: Any = None
    gt: Any = None
    ge: Any = None


def _alias(field: Any) -> str:
    return getattr(field, "alias", None) or str(field.name).lstrip("_")


def _refined(parameter: Parameter, field: Any, plan_of: PlanOf) -> Parameter:
    validators = list(_validators(field.validator))
    try:
        plan = _plan(parameter, field, validators, plan_of)
    except Unbuildable:
        return parameter
    known = parameter.annotated or field.type is not None
    if plan is None or plan is parameter.plan:
        return replace(parameter, annotated=known)
    made = replace(parameter, plan=plan, annotated=known, starts_at_default=False)
    is_plain = parameter.has_default and not hasattr(field.default, "factory")
    return with_default(made, field.default) if is_plain else made


def _plan(parameter: Parameter, field: Any, validators: Iterable[Any], plan_of: PlanOf) -> Plan | None:
    plan = parameter.plan
    if not parameter.annotated and field.type is not None:
        plan = plan_of(field.type)
    options = [item.options for item in validators if isinstance(getattr(item, "options", None), Iterable)]
    if options:
        return members(_in_order(options[0]), parameter.name)
    demands = [made for item in validators for made in (_bound(item), item) if made is not None]
    return None if plan is None else constrained(plan, constraints_of(demands))


def _in_order(options: Iterable[Any]) -> list[Any]:
    values = list(options)
    return sorted(values, key=repr) if isinstance(options, (set, frozenset)) else values


def _validators(validator: Any) -> Iterator[Any]:
    """The validators that one consists of: all of several, or what holds where there is a value."""
    if validator is None:
        return
    inner = getattr(validator, "_validators", None)
    if isinstance(inner, (tuple, list)):
        for item in inner:
            yield from _validators(item)
    else:
        yield validator


def _bound(validator: Any) -> _Bound | None:
    name = _COMPARISONS.get(getattr(validator, "compare_op", ""))
    return None if name is None else _Bound(**{name: getattr(validator, "bound", None)})


class _Attrs(Adapter):
    """Classes of attrs: converters and validators tell more than the signature."""

    name = "attrs"

    def owns(self, thing: Any) -> bool:
        return isinstance(thing, type) and any("__attrs_attrs__" in vars(base) for base in type.mro(thing))

    def refined(self, cls: type, parameters: Sequence[Parameter], plan_of: PlanOf) -> tuple[Parameter, ...]:
        fields = {_alias(item): item for item in vars(cls).get("__attrs_attrs__", ())}
        return tuple(
            _refined(parameter, fields[parameter.name], plan_of) if parameter.name in fields else parameter
            for parameter in parameters
        )

    def restored(self, cls: type) -> Mapping[str, str]:
        """Fields with a converter, which may be compiled."""
        fields = getattr(cls, "__attrs_attrs__", ())
        return {item.name: _alias(item) for item in fields if getattr(item, "converter", None) is not None}


ADAPTER = _Attrs()
