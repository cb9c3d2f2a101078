"""What of a project travels to other machines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tracetwin.run.cluster import sources
from tracetwin.support.errors import TargetError
from tracetwin.target.module import TargetModule


def project(folder: Path, **files: str) -> TargetModule:
    """A folder with files, `__` for a slash in their names; the target is shop.cart."""
    for name, text in {"shop__cart": "", "shop__init": "", **files}.items():
        file = folder / f"{name.replace('__', '/')}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return TargetModule("shop.cart", str(folder / "shop/cart.py"), str(folder))


def names(module: TargetModule) -> set[str]:
    return set(sources.sources_of([module]).manifests[0])


def test_the_package_goes_and_what_is_asked_for_in_its_root_but_nothing_else(tmp_path):
    rates = "def f():\n    import helpers"
    module = project(tmp_path, shop__rates=rates, helpers="import far.away", far__away="", other="")
    (tmp_path / "shop" / "__pycache__").mkdir()
    (tmp_path / "shop" / "__pycache__" / "cart.pyc").write_text("")
    (tmp_path / "shop" / "rates.json").write_text("{}")
    (tmp_path / "shop" / ".cache").mkdir()
    (tmp_path / "shop" / ".cache" / "x").write_text("")
    wanted = {"shop/cart.py", "shop/init.py", "shop/rates.py", "shop/rates.json", "helpers.py", "far/away.py"}
    assert wanted == names(module)


def test_environments_are_left_at_home(tmp_path):
    module = project(tmp_path, shop__env__lib__far="")
    (tmp_path / "shop" / "env" / "pyvenv.cfg").write_text("")
    assert names(module) == {"shop/cart.py", "shop/init.py"}


def test_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MOST_BYTES", 3)
    with pytest.raises(TargetError, match="would have to go to the cluster"):
        sources.sources_of([project(tmp_path, shop__big="1234")])


def test_a_wheel_is_refused(tmp_path):
    wheel = tmp_path / "shop.whl"
    wheel.write_bytes(b"")
    with pytest.raises(TargetError, match="wheels can't be spread over a cluster"):
        sources.sources_of([TargetModule("shop", str(wheel / "shop.py"), str(wheel))])


def test_what_was_unpacked_is_what_was_sent(tmp_path):
    found = sources.sources_of([project(tmp_path / "home", shop__rates="RATE = 3\n")])
    manifest = found.manifests[0]
    there, store = tmp_path / "there", tmp_path / "store"
    assert not sources.is_here(str(there), manifest)
    sources.keep(store, found.blobs(list(manifest.values())))
    sources.unpack(there, manifest, store)
    assert sources.is_here(str(there), manifest)
    (there / "shop" / "rates.py").write_text("RATE = 4\n")
    assert not sources.is_here(str(there), manifest)


def test_content_that_is_not_what_it_is_called_is_refused(tmp_path):
    with pytest.raises(ValueError, match="something else"):
        sources.keep(tmp_path, {"00": b"x"})
