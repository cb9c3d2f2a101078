"""Reports from a database that is reached through three nested interfaces."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


class DatabaseError(Exception):
    pass


class IntegrityError(DatabaseError):
    pass


class Cursor(Protocol):
    @property
    def rowcount(self) -> int: ...

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> None: ...

    def fetchone(self) -> tuple[int, str] | None: ...

    def fetchall(self) -> list[tuple[int, str]]: ...


class Session(Protocol):
    def cursor(self) -> Cursor: ...

    def commit(self) -> None: ...

    def rollback(self) -> None: ...


class Repository(Protocol):
    def session(self) -> AbstractContextManager[Session]: ...


def rename(repository: Repository, key: int, name: str) -> str:
    """Rename a row, unless the name is taken by another one."""
    with repository.session() as session:
        cursor = session.cursor()
        cursor.execute("select id, name from things where name = ?", (name,))
        found = cursor.fetchone()
        if found is not None:
            if found[0] == key:
                return "same"
            return "taken by " + str(found[0])
        try:
            cursor.execute("update things set name = ? where id = ?", (name, key))
        except IntegrityError:
            session.rollback()
            return "refused"
        if cursor.rowcount == 0:
            session.rollback()
            return "missing"
        if cursor.rowcount > 1:
            session.rollback()
            raise DatabaseError("not unique")
        session.commit()
        return "renamed"


def names(repository: Repository, limit: int = 10) -> list[str]:
    """Return names by key, with a mark where keys are missing."""
    with repository.session() as session:
        cursor = session.cursor()
        cursor.execute("select id, name from things order by id")
        result = []
        expected = None
        for key, name in cursor.fetchall():
            if expected is not None and key > expected:
                result.append("...")
            result.append(name or "?")
            expected = key + 1
            if len(result) >= limit:
                break
        return result


def first_long(session: Session, length: int) -> str | None:
    """Read rows one by one until a name is long enough."""
    cursor = session.cursor()
    cursor.execute("select id, name from things")
    while (row := cursor.fetchone()) is not None:
        if len(row[1]) >= length > 2:
            return row[1]
    return None
