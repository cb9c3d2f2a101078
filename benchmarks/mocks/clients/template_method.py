"""Handles texts by a template method; what is accepted and how it is changed is left to subclasses."""

from abc import ABC, abstractmethod


class Handler(ABC):
    def __init__(self, limit: int, label: str) -> None:
        if limit < 0:
            raise ValueError("limit")
        self.limit = limit
        self.label = label
        self.failed = 0

    @abstractmethod
    def accepts(self, text: str) -> bool: ...

    @abstractmethod
    def transform(self, text: str) -> str: ...

    def handle(self, text: str) -> str:
        if len(text) > self.limit:
            self.failed += 1
            return f"{self.label}: too long"
        if not self.accepts(text):
            return self.label
        changed = self.transform(text)
        if changed == "boom":
            self.failed += 1
            return ""
        return changed.upper()
