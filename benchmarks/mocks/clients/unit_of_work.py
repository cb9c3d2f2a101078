"""Allocates orders to batches in a unit of work."""

from __future__ import annotations

import abc
from dataclasses import dataclass, field
from types import TracebackType


@dataclass
class Batch:
    reference: str
    quantity: int
    eta: int | None = None
    allocated: list[int] = field(default_factory=list)

    @property
    def available(self) -> int:
        return self.quantity - sum(self.allocated)


@dataclass
class Product:
    sku: str
    batches: list[Batch]
    version: int = 0


class OutOfStock(Exception):
    pass


class Conflict(Exception):
    pass


class AbstractRepository(abc.ABC):
    @abc.abstractmethod
    def get(self, sku: str) -> Product | None:
        raise NotImplementedError

    @abc.abstractmethod
    def add(self, product: Product) -> None:
        raise NotImplementedError


class AbstractUnitOfWork(abc.ABC):
    products: AbstractRepository

    def __enter__(self) -> AbstractUnitOfWork:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.rollback()

    @abc.abstractmethod
    def commit(self) -> None:
        raise NotImplementedError

    @abc.abstractmethod
    def rollback(self) -> None:
        raise NotImplementedError


def allocate(sku: str, quantity: int, uow: AbstractUnitOfWork) -> str:
    """Allocate to the earliest batch that has enough, and return its reference."""
    if quantity <= 0:
        raise ValueError("quantity")
    with uow:
        product = uow.products.get(sku)
        if product is None:
            raise LookupError(sku)
        best: Batch | None = None
        for batch in product.batches:
            if batch.available < quantity:
                continue
            if best is None or (best.eta is not None and (batch.eta is None or batch.eta < best.eta)):
                best = batch
        if best is None:
            raise OutOfStock(sku)
        best.allocated.append(quantity)
        product.version += 1
        try:
            uow.commit()
        except Conflict:
            best.allocated.pop()
            return ""
    return best.reference


def add_batch(reference: str, sku: str, quantity: int, uow: AbstractUnitOfWork) -> bool:
    """Add a batch, and its product if that is new; returns whether it was."""
    with uow:
        product = uow.products.get(sku)
        new = product is None
        if product is None:
            product = Product(sku, [])
            uow.products.add(product)
        for batch in product.batches:
            if batch.reference == reference:
                raise ValueError("known already")
        product.batches.append(Batch(reference, quantity))
        uow.commit()
    return new
