#!/usr/bin/env python3
"""Runs a small case, writes its report and looks at it in headless Chromium.

    test_report.py PERCUSSION [--keep FOLDER]

Exit code 77 (skipped) if Chromium, npm or a Python package is missing. --keep: pages and screenshots stay there.
"""
import argparse
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from browser import Browser, find_browser, pixels

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
BODIES = 240


def skip(why):
    print("skipped:", why)
    sys.exit(SKIPPED)


def run_case(program, folder, *overrides):
    """A column of spheres in a narrow box."""
    command = [program, "run", str(ROOT / "inputs/sphere_box/sphere_box.yaml"), f"fills[0].limit={BODIES}", "fills[0].upper=[0.06, 0.06, 0.49]",
               "walls[0].upper=[0.062, 0.062, 0.5]", "time.end=0.15", "output.interval=0.03", "output.chains=true", *overrides, "--output", str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def report(folder, *arguments, environment=None):
    done = subprocess.run([sys.executable, str(ROOT / "postprocess/report.py"), str(folder), *arguments], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return pathlib.Path(folder) / "report.html", done.stderr


def colours_in(png):
    """How often each colour occurs, quantised to 16 levels."""
    width, _, rows = pixels(png)
    counts = {}
    for row in rows:
        for i in range(0, 3 * width, 3):
            key = (row[i] >> 4, row[i + 1] >> 4, row[i + 2] >> 4)
            counts[key] = counts.get(key, 0) + 1
    return counts


def bodies_share(png):
    """Share of strongly coloured pixels: background and walls are grey."""
    counts = colours_in(png)
    coloured = sum(n for key, n in counts.items() if max(key) - min(key) >= 3)
    return coloured / sum(counts.values())


def check_page_in_browser(page, keep):
    with Browser() as browser:
        browser.open(page)
        browser.wait_for("['ready', 'failed'].includes(document.getElementById('view')?.dataset.state)")
        assert browser.value("document.getElementById('view').dataset.state") == "ready", browser.errors
        assert browser.value("document.getElementById('view').dataset.bodies") == str(BODIES)
        picture = browser.picture("#view canvas")
        # Measured: 0.06 to 0.2, by the size of the heap in its box; nothing drawn is 0.
        assert bodies_share(picture) > 0.02, f"bodies cover {bodies_share(picture):.3f} of the view"
        # Colours follow the choice: with one colour per rank and one rank, Viridis is gone.
        browser.value("(() => { const s = document.getElementById('field'); s.value = 'rank'; s.dispatchEvent(new Event('change')); })()")
        by_rank = browser.picture("#view canvas")
        changed = colours_in(by_rank)
        assert sum(changed.get(key, 0) != n for key, n in colours_in(picture).items()) > 10, "another field does not change the picture"
        browser.value("document.getElementById('show-chains').click()")
        assert browser.picture("#view canvas") != by_rank, "chains do not appear"

        titles = browser.value("[...document.querySelectorAll('.plots h3')].map(h => h.textContent).join()").split(",")
        for title in ("Energy", "Contacts", "Penetration", "Iterations", "Residual", "Distribution of percussions", "Distribution of gaps"):
            assert title in titles, f"no plot {title}: {titles}"
        thin = browser.value("[...document.querySelectorAll('svg path.curve')].filter(p => !(p.dataset.points > 4 && p.getBBox().width > 20)).length")
        assert thin == 0, f"{thin} curves without data"
        assert browser.value("document.querySelectorAll('table tbody tr').length") > 5
        dead = [name for name in browser.value("[...document.querySelectorAll('a')].map(a => a.getAttribute('href')).join('\\n')").splitlines() if not (page.parent / name).exists()]
        assert not dead, f"links to nothing: {dead}"
        assert not browser.errors, browser.errors
        (keep / "report.png").write_bytes(browser.picture())
    with Browser(dark=True) as browser:
        browser.open(page)
        browser.wait_for("document.getElementById('view')?.dataset.state === 'ready'")
        assert browser.value("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)", "the dark page is white"


def check_shapes_and_curved_walls(program, keep):
    """Boxes and capsules in a drum that turns, no sphere among them: what is coloured are surfaces."""
    folder = keep / "shapes"
    fills = ", ".join(f"{{type: random, count: 8, lower: [{x}, 0.005, -0.05], upper: [{x + 0.05}, 0.035, 0.05], radius: [0.006, 0.009], shape: {shape}}}"
                      for x, shape in ((-0.05, "{type: box, size: [1, 1, 1.5]}"), (0, "{type: capsule, radius: 0.5, length: 1}")))
    subprocess.run([program, "run", str(ROOT / "inputs/rotating_drum/drum.yaml"), f"fills=[{fills}]", "time.end=0.1", "output.interval=0.05", "--output", str(folder)],
                   check=True, stdout=subprocess.DEVNULL)
    page, _ = report(folder)
    with Browser() as browser:
        browser.open(page)
        browser.wait_for("['ready', 'failed'].includes(document.getElementById('view')?.dataset.state)")
        assert browser.value("document.getElementById('view').dataset.state") == "ready", browser.errors
        assert browser.value("document.getElementById('view').dataset.surfaces") == "16"
        picture = browser.picture("#view canvas")
        (keep / "shapes.png").write_bytes(picture)
        # Measured: 0.015; a view without surfaces has 0.
        assert bodies_share(picture) > 0.005, f"bodies cover {bodies_share(picture):.3f} of the view"
        browser.value("document.getElementById('show-walls').click()")
        assert colours_in(browser.picture("#view canvas")) != colours_in(picture), "the walls do not disappear"
        assert not browser.errors, browser.errors


def check_without_npm(folder, keep):
    """No npm and an empty cache: the page has everything else and says what is missing."""
    tools = keep / "tools"
    tools.mkdir()
    environment = dict(os.environ, PATH=str(tools), PERCUSSION_CACHE=str(keep / "empty"))
    page, said = report(folder, environment=environment)
    text = page.read_text()
    assert "no 3-D view: npm is not installed" in said and "no 3-D view: npm is not installed" in text
    assert "<svg" in text and "Time per phase" in text and 'id="scene"' not in text


def check_warnings_come_first(program, keep):
    """A solver that cannot converge, in one iteration per step."""
    folder = keep / "unconverged"
    run_case(program, folder, "solver.max_iterations=1", "solver.tolerance=1e-12", "output.series=csv")
    text = report(folder, "--no-view")[0].read_text()
    warning, figures = text.find("steps did not reach the tolerance"), text.find('class="figures"')
    assert 0 < warning < figures, "the warning is not before the figures"
    assert "No warnings" not in text


def check_unfinished(folder):
    """A run that died leaves no summary: the report is made all the same."""
    (folder / "summary.json").unlink()
    text = report(folder, "--no-view")[0].read_text()
    assert "has not finished" in text and "<svg" in text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    for package in ("numpy", "h5py"):
        if importlib.util.find_spec(package) is None:
            skip(f"the Python package {package} is missing")
    with tempfile.TemporaryDirectory(prefix="percussion-report-") as scratch:
        keep = arguments.keep or pathlib.Path(scratch)
        keep.mkdir(parents=True, exist_ok=True)
        folder = keep / "run"
        shutil.rmtree(folder, ignore_errors=True)
        run_case(arguments.program, folder)
        check_without_npm(folder, keep)
        check_warnings_come_first(arguments.program, keep)
        if not find_browser():
            skip("Chromium is not installed (Debian: apt-get install chromium); the page itself was checked")
        page, said = report(folder)
        if "no 3-D view" in said:
            skip(said.strip())
        check_page_in_browser(page, keep)
        check_shapes_and_curved_walls(arguments.program, keep)
        check_unfinished(folder)
    print("the report is as it should be")


if __name__ == "__main__":
    main()
