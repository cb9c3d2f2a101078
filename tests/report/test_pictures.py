"""Six pages look as they did, wide and narrow, light and dark: within a tolerance, as fonts differ.

TRACETWIN_UPDATE_GOLDEN=1 makes the pictures anew; look at them before you keep them.
"""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.report.chromium import IN_A_BROWSER
from tests.report.hostile import result
from tracetwin.report.pages import write_report
from tracetwin.report.result import result_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = IN_A_BROWSER

PICTURES = Path(__file__).parent / "pictures"
MOST = 0.06
"""Part of the pixels that may differ clearly: about what another font changes."""

DIFFERENCE = """async ([one, other]) => {
  const pixels = async (text) => {
    const image = new Image();
    image.src = `data:image/png;base64,${text}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height).data;
  };
  const [a, b] = [await pixels(one), await pixels(other)];
  if (a.length !== b.length) return 1;
  let different = 0;
  for (let at = 0; at < a.length; at += 4) {
    const far = Math.abs(a[at] - b[at]) + Math.abs(a[at + 1] - b[at + 1]) + Math.abs(a[at + 2] - b[at + 2]);
    different += far > 96;
  }
  return different / (a.length / 4);
}"""


@pytest.mark.parametrize(
    ("name", "place", "width", "scheme"),
    [
        ("overview", "h1", 1000, "light"),
        ("source", "#m0-source", 1000, "dark"),
        ("classes", "#m0-classes", 1000, "light"),
        ("mocks", "#m0-mocks", 420, "light"),
        ("tree", ".tree-part", 1000, "dark"),
        ("run", "#m0-run", 420, "dark"),
    ],
)
def test_a_page_looks_as_it_did(
    browser: Browser, tmp_path: Path, name: str, place: str, width: int, scheme: str
) -> None:
    file = write_report(result_of(result(tmp_path, bad="shop")), tmp_path / "r.html")
    size = {"width": width, "height": 640}
    page = browser.new_page(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(file.as_uri())
    if name == "tree":
        page.locator(".tree-part summary").click()
    page.evaluate("place => document.querySelector(place).scrollIntoView()", place)
    page.wait_for_timeout(200)
    seen = page.screenshot()
    golden = PICTURES / f"{name}.png"
    if os.environ.get("TRACETWIN_UPDATE_GOLDEN"):
        golden.write_bytes(seen)
    texts = [base64.b64encode(data).decode() for data in (golden.read_bytes(), seen)]
    blank = browser.new_page()
    assert blank.evaluate(DIFFERENCE, texts) <= MOST
    blank.close()
    page.close()
