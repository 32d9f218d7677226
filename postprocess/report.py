#!/usr/bin/env python3
"""Writes one self-contained HTML page about a run: warnings, figures, 3-D view of the last state, plots, phase times, input.

    report.py results/sphere_box                      -> results/sphere_box/report.html
    report.py results/sphere_box -o page.html
    report.py results/sphere_box --no-view            without the 3-D view (about 1 MB less, no npm needed)

The page works offline and can be sent by mail; links to the files of the run work where it lies in the results folder.
The 3-D view is VTK.js, fetched with npm once and kept in a cache (viewer_bundle.py); without npm the page says that it has
no view. Needs numpy, and h5py for series in HDF5 (Debian: python3-numpy python3-h5py).
"""
import argparse
import html
import json
import os
import pathlib
import re
import sys
import time

import report_plots
import series as series_file
import viewer_bundle
from report_scene import make_scene
from svg_plot import number

STYLE = pathlib.Path(__file__).resolve().parent / "viewer" / "report.css"


def escape(value):
    return html.escape(str(value))


def clock(seconds):
    """`12.3 s`, `4 min 5 s`, `3 h 20 min`"""
    if seconds < 60:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def memory(count):
    unit = 0
    while count >= 1024 and unit < 4:
        count, unit = count / 1024, unit + 1
    return f"{count:.3g} {('B', 'KiB', 'MiB', 'GiB', 'TiB')[unit]}"


class Run:
    """What a results folder tells; parts that are missing are None."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.summary = self._json("summary.json")
        self.input = self._text("input.yaml")
        self.log = self._text("log.txt")
        self.series = series_file.find(folder)
        if self.input is None and self.summary is None:
            sys.exit(f"{folder}: neither summary.json nor input.yaml: not the results of a run")

    def _text(self, name):
        path = self.folder / name
        return path.read_text(errors="replace") if path.is_file() else None

    def _json(self, name):
        text = self._text(name)
        try:
            return json.loads(text) if text else None
        except json.JSONDecodeError as error:
            print(f"{self.folder / name}: {error}", file=sys.stderr)
            return None

    def setting(self, section, key):
        """A plain value of the effective input, which always has one key per line; None if it is not there."""
        found = re.search(rf"^{section}:\n(?:  .*\n)*?  {key}: (.*)$", self.input or "", re.MULTILINE)
        return found.group(1) if found else None

    def name(self):
        return (self.summary or {}).get("name") or self.setting("case", "name") or self.folder.name

    def version(self):
        """The first line of the run in its log: version, ranks, partitioner."""
        found = re.findall(r"percussion \d.*", self.log or "")
        return found[-1] if found else ""

    def bodies(self):
        found = re.search(r": (\d+) bodies", self.log or "")
        return int(found.group(1)) if found else None

    def planar(self):
        gravity = re.search(r"^gravity: \[(.*)\]$", self.input or "", re.MULTILINE)
        kinds = set(re.findall(r"type: (point_2d|planar_body|point_3d|rigid_body|lattice)", self.input or ""))
        return bool(kinds) and kinds <= {"point_2d", "planar_body"} and (not gravity or gravity.group(1).split(",")[-1].strip() in ("0", "") or gravity.group(1).count(",") == 1)


def warnings(run):
    """[(class, text)], the worst first."""
    notes, s = [], run.summary
    if s is None:
        notes.append(("bad", "The run has not finished: there is no summary.json. What follows is what it had written."))
        s = {}
    elif s.get("status") != "finished":
        notes.append(("bad", f"The run ended early: {s.get('status')}."))
    if s.get("unconverged_steps"):
        notes.append(("bad", f"{s['unconverged_steps']} of {s['steps']} steps did not reach the tolerance of the contact solver (worst residual {number(s['worst_residual'])}). "
                             "Raise solver.max_iterations, choose another solver, or take a smaller step."))
    relative = s.get("penetration_per_radius")
    if relative and relative > 0.02:
        notes.append(("", f"The deepest penetration was {100 * relative:.2g} % of the smallest radius: fast bodies with a large step. A smaller time.step lowers it."))
    phases = s.get("phases", [])
    total = sum(p["avg"] for p in phases) or 1
    for p in phases:
        if p["name"] != "exchange" and p["avg"] > 0.1 * total and p["max"] > 1.3 * p["avg"]:
            notes.append(("", f"Phase {p['name']}: the slowest rank needed {p['max'] / p['avg']:.2g} times the average. Lower partition.threshold or use fewer ranks."))
    exchange = next((p["avg"] for p in phases if p["name"] == "exchange"), 0)
    if exchange > 0.4 * total:
        notes.append(("", f"{100 * exchange / total:.0f} % of the time went into exchange between ranks, waiting included: too few bodies per rank, or more ranks than free cores."))
    notes += report_plots.energy_notes(run.series)
    lines = [line for line in (run.log or "").splitlines() if re.search(r"\b(warn|warning|error)\b", line, re.IGNORECASE)]
    if lines:
        notes.append(("", f"The log has {len(lines)} warning{'s' * (len(lines) > 1)}; the first: {lines[0][:200]}"))
    return sorted(notes, key=lambda note: note[0] != "bad") or [("good", "No warnings: every step converged.")]


def figures(run):
    s, cells = run.summary or {}, []
    if run.bodies() is not None:
        cells.append((f"{run.bodies():,}", "bodies"))
    if s:
        cells += [(f"{s['contacts_last']:,}", f"contacts at the end, {s['contacts_max']:,} at most"), (f"{s['steps']:,}", "steps"),
                  (f"{number(s['simulated_time'])} s", "simulated time"), (clock(s["wall_time"]), f"wall time on {s['ranks']} rank{'s' * (s['ranks'] > 1)}"),
                  (f"{s['iterations_avg']:.3g}", f"iterations per step, {s['iterations_max']} at most"), (f"{s['worst_residual']:.2g}", "worst residual"),
                  (f"{s['deepest_penetration']:.2g} m", "deepest penetration"), (memory(s["memory_total"]), "peak memory of all ranks")]
    return '<div class="figures">' + "".join(f"<div><b>{escape(value)}</b><span>{escape(what)}</span></div>" for value, what in cells) + "</div>" if cells else ""


def phase_table(summary):
    phases = (summary or {}).get("phases")
    if not phases:
        return ""
    total, most = sum(p["avg"] for p in phases) or 1, max(p["max"] for p in phases) or 1
    rows = ["<table><thead><tr><th>phase</th><th>min [s]</th><th>avg [s]</th><th>max [s]</th><th>share</th><th>max / avg</th><th></th></tr></thead><tbody>"]
    for p in phases:
        imbalance = p["max"] / p["avg"] if p["avg"] > 0 else 1
        much = ' class="much"' if imbalance > 1.3 and p["avg"] > 0.05 * total else ""
        rows.append(f"<tr><td>{escape(p['name'])}</td><td>{p['min']:.3f}</td><td>{p['avg']:.3f}</td><td>{p['max']:.3f}</td><td>{100 * p['avg'] / total:.1f} %</td>"
                    f"<td{much}>{imbalance:.2f}</td><td class=\"bar\"><i style=\"width:{100 * p['avg'] / most:.2f}%\"></i></td></tr>")
    return "<h2>Time per phase</h2>" + "".join(rows) + "</tbody></table><p class=\"lead\">Over ranks; max / avg is the imbalance. Exchange includes waiting for slower ranks.</p>"


def view(run, wanted):
    """(html of the view, scripts, message)"""
    if not wanted:
        return "", "", ""
    scene, notes = make_scene(run.folder, run.planar())
    if scene is None:
        return "<h2>Last state</h2>" + "".join(f"<p>{escape(n)}</p>" for n in notes), "", notes[0]
    try:
        script = viewer_bundle.bundle()
    except viewer_bundle.NoBundle as why:
        text = f"This page has no 3-D view: {why}."
        return f'<h2>Last state</h2><div class="note">{escape(text)}</div>', "", text
    boxes = "".join(f'<label hidden><input type="checkbox" id="show-{name}"{" checked" * on}> {name}</label>' for name, on in (("walls", True), ("chains", False)))
    body = ('<h2>Last state</h2><div id="frame3d"><div id="view"></div><div id="controls"><label>colour <select id="field"></select></label>' + boxes
            + '<button id="reset">reset view</button><div id="legend"><span class="low"></span><span class="bar"></span><span class="high"></span></div></div></div>'
            + '<p class="lead">Drag to turn, shift-drag to move, wheel to zoom.</p>' + "".join(f"<p>{escape(n)}</p>" for n in notes))
    data = json.dumps(scene).replace("</", "<\\/")
    return body, f'<script type="application/json" id="scene">{data}</script>\n<script>{script}</script>', ""


def files(run, page):
    entries = []
    for path in sorted(run.folder.iterdir(), key=lambda p: (p.is_dir(), p.name)):
        if path.name.startswith(".") or path.resolve() == page.resolve():
            continue
        if path.is_dir():
            inside = [f for f in path.rglob("*") if f.is_file()]
            entries.append((path, f"{len(inside):,} files", sum(f.stat().st_size for f in inside)))
        else:
            entries.append((path, "", path.stat().st_size))
    rows = "".join(f'<tr><td><a href="{escape(os.path.relpath(path, page.parent))}">{escape(path.name)}{"/" * path.is_dir()}</a></td><td>{escape(what)}</td><td>{memory(size)}</td></tr>'
                   for path, what, size in entries)
    return f"<h2>Files</h2><table><tbody>{rows}</tbody></table>"


def page(run, path, wanted_view):
    s = run.summary or {}
    status = s.get("status", "not finished")
    view_html, scripts, message = view(run, wanted_view)
    title = (run.setting("case", "title") or "").strip('"')
    notes = "".join(f'<div class="note {kind}">{escape(text)}</div>' for kind, text in warnings(run))
    long_texts = "".join(f"<details><summary>{escape(what)}</summary><pre>{escape(text)}</pre></details>"
                         for what, text in (("Effective input", run.input), ("Log", run.log and "\n".join(run.log.splitlines()[-400:]))) if text)
    method = ", ".join(filter(None, [f"integrator {run.setting('integrator', 'type')}" if run.setting("integrator", "type") else "",
                                     f"solver {run.setting('solver', 'type')}" if run.setting("solver", "type") else "",
                                     f"h = {run.setting('time', 'step')} s" if run.setting("time", "step") else ""]))
    text = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(run.name())} - Percussion</title>
<link rel="icon" href="data:,"><style>{STYLE.read_text()}</style></head><body><main>
<h1>{escape(run.name())}<span class="status {'' if status == 'finished' else 'bad'}">{escape(status)}</span></h1>
<p class="lead">{escape(title)}</p><p class="lead">{escape(method)}</p><p class="lead">{escape(run.version())}</p>
<h2>Summary</h2>{notes}{figures(run)}
{view_html}
{report_plots.plots(run)}
{phase_table(run.summary)}
<h2>Input and log</h2>{long_texts}
{files(run, path)}
<footer>Written by postprocess/report.py, {time.strftime('%Y-%m-%d %H:%M')}.</footer>
</main>
{scripts}</body></html>
"""
    partial = path.with_name(f".{path.name}.part")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
    return message


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", help="folder of a run")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="page (default: report.html in the folder)")
    parser.add_argument("--no-view", action="store_true", help="leave the 3-D view out")
    arguments = parser.parse_args()
    if not pathlib.Path(arguments.results).is_dir():
        sys.exit(f"{arguments.results}: no such folder")
    path = arguments.output or pathlib.Path(arguments.results) / "report.html"
    try:
        message = page(Run(arguments.results), path, not arguments.no_view)
    except OSError as error:
        sys.exit(f"{path}: {error.strerror or error}")
    if message:
        print(message, file=sys.stderr)
    print(path)


if __name__ == "__main__":
    main()
