"""Makes the pictures of the documentation, from real runs: `make pictures`; it takes Chromium."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
SIZE = "1000,1150"


def main() -> int:
    """Make all pictures; return the exit status."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        print("there is no Chromium; install it (apt install chromium)", file=sys.stderr)
        return 1
    tracetwin = [sys.executable, "-m", "tracetwin"]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report"
        shutil.copy(ROOT / "examples" / "clamp.py", folder)
        generate = [*tracetwin, "generate", "clamp.py", "-o", "t", "--time-limit", "10"]
        subprocess.run([*generate, "--report", str(report), "-q"], cwd=folder, check=True)
        page = report / "0-clamp.html"
        _open_first(page)
        shot = [chromium, "--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={SIZE}"]
        picture = HERE / "report.png"
        subprocess.run([*shot, f"--screenshot={picture}", page.as_uri()], check=True)
        tree = [*tracetwin, "tree", "clamp.py:priority_band", "-o", str(HERE / "tree.svg")]
        subprocess.run(tree, cwd=folder, check=True)
    return 0


def _open_first(page: Path) -> None:
    """Show what a click on a line that is not covered shows."""
    text = page.read_text(encoding="utf-8")
    place = text.find("<details>", text.find('class="line infeasible"'))
    page.write_text(text[:place] + "<details open>" + text[place + len("<details>") :], encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
