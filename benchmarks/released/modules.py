"""The released modules that are measured: pinned releases, straight from the package index."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness import BenchmarkError


@dataclass(frozen=True)
class Release:
    """A pinned release, and the files of it to generate tests for, relative to the installation's folder."""

    project: str
    version: str
    files: tuple[str, ...]

    @property
    def requirement(self) -> str:
        """Return the release as pip asks for it."""
        return f"{self.project}=={self.version}"


WEAK = (
    Release("tabulate", "0.10.0", ("tabulate/__init__.py",)),
    Release("prettytable", "3.18.0", ("prettytable/prettytable.py",)),
    Release("texttable", "1.7.2", ("texttable.py",)),
    Release("python-dateutil", "4.0.0", ("dateutil/relativedelta.py", "dateutil/rrule.py")),
    Release("html5lib", "1.1", ("html5lib/_utils.py",)),
    Release("simplejson", "4.3.0", ("simplejson/decoder.py",)),
    Release("marshmallow", "4.4.0", ("marshmallow/validate.py",)),
    Release("voluptuous", "0.16.0", ("voluptuous/validators.py",)),
    Release("funcy", "2.1", ("funcy/seqs.py",)),
    Release("bidict", "0.24.1", ("bidict/_base.py",)),
    Release("bitstring", "5.0.0", ("bitstring/utils.py",)),
    Release("rsa", "4.9.1", ("rsa/pem.py",)),
    Release("ecdsa", "0.19.2", ("ecdsa/der.py",)),
    Release("croniter", "7.0.0", ("croniter/croniter.py",)),
    Release("isodate", "0.7.2", ("isodate/duration.py",)),
    Release("simpy", "4.1.2", ("simpy/events.py",)),
    Release("textdistance", "4.6.3", ("textdistance/algorithms/edit_based.py",)),
    Release("treelib", "1.8.0", ("treelib/tree.py",)),
    Release("parse", "1.22.4", ("parse/__init__.py",)),
    Release("requests", "2.34.2", ("requests/utils.py",)),
    Release("jinja2", "3.1.6", ("jinja2/lexer.py",)),
    Release("networkx", "3.6.1", ("networkx/utils/mapped_queue.py", "networkx/algorithms/dag.py")),
)
"""Modules on which the tool was weak when this list began."""

OTHERS = (
    Release("anytree", "2.13.0", ("anytree/walker.py", "anytree/resolver.py")),
    Release("Arpeggio", "2.0.3", ("arpeggio/peg.py",)),
    Release("backoff", "2.2.1", ("backoff/_wait_gen.py",)),
    Release("boltons", "26.2.0", ("boltons/formatutils.py", "boltons/listutils.py")),
    Release("cachetools", "8.0.1", ("cachetools/keys.py",)),
    Release("cerberus", "1.3.8", ("cerberus/utils.py",)),
    Release("commonmark", "0.9.2", ("commonmark/node.py",)),
    Release("docopt", "0.6.2", ("docopt.py",)),
    Release("humanize", "4.17.0", ("humanize/filesize.py", "humanize/time.py")),
    Release("idna", "3.20", ("idna/core.py",)),
    Release("inflection", "0.5.1", ("inflection/__init__.py",)),
    Release("intervaltree", "3.2.1", ("intervaltree/interval.py",)),
    Release("itsdangerous", "2.2.0", ("itsdangerous/signer.py",)),
    Release("jmespath", "1.1.0", ("jmespath/lexer.py",)),
    Release("jsonpointer", "3.12", ("jsonpointer.py",)),
    Release("lark", "1.3.1", ("lark/tree.py",)),
    Release("Markdown", "3.11.3", ("markdown/util.py",)),
    Release("mistune", "3.4.0", ("mistune/util.py",)),
    Release("more-itertools", "11.2.1", ("more_itertools/recipes.py",)),
    Release("natsort", "8.4.0", ("natsort/utils.py",)),
    Release("ordered-set", "4.1.0", ("ordered_set/__init__.py",)),
    Release("packaging", "26.3", ("packaging/utils.py", "packaging/version.py")),
    Release("pathspec", "1.1.1", ("pathspec/util.py",)),
    Release("portion", "2.6.3", ("portion/interval.py",)),
    Release("Pygments", "2.21.0", ("pygments/util.py",)),
    Release("pyotp", "2.12.0", ("pyotp/utils.py",)),
    Release("pyrsistent", "0.20.0", ("pyrsistent/_plist.py",)),
    Release("rfc3986", "2.0.0", ("rfc3986/validators.py",)),
    Release("schema", "0.7.8", ("schema/__init__.py",)),
    Release("semver", "3.1.1", ("semver/version.py",)),
    Release("sqlparse", "0.6.1", ("sqlparse/utils.py",)),
    Release("tenacity", "9.2.1", ("tenacity/wait.py",)),
    Release("tinydb", "4.9.0", ("tinydb/queries.py",)),
    Release("toolz", "1.2.0", ("toolz/dicttoolz.py",)),
    Release("transitions", "0.9.3", ("transitions/core.py",)),
    Release("uritemplate", "4.2.0", ("uritemplate/variable.py",)),
    Release("wcwidth", "0.9.4", ("wcwidth/align.py",)),
    Release("webencodings", "0.6.1", ("webencodings/__init__.py",)),
    Release("Werkzeug", "3.1.9", ("werkzeug/urls.py",)),
    Release("xmltodict", "1.0.4", ("xmltodict.py",)),
    Release("zipp", "4.1.2", ("zipp/glob.py",)),
)

RELEASES = WEAK + OTHERS


def install(site: Path, releases: Sequence[Release]) -> None:
    """Bring pinned releases, and what they need, into a folder, once."""
    asked = "\n".join(release.requirement for release in releases)
    mark = site / "requirements.txt"
    if mark.exists() and mark.read_text(encoding="utf-8") == asked:
        return
    argv = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    argv += ["--upgrade", "--target", str(site), *asked.splitlines()]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchmarkError(f"the releases can't be installed: {done.stderr.strip()[-600:]}")
    mark.write_text(asked, encoding="utf-8")
