#!/usr/bin/env python3
"""Plots a convergence study (CSV of `percussion convergence`): errors in q and u over the step size, both logarithmic.

    plot_convergence.py study.csv                        -> study.png
    plot_convergence.py study.csv -o picture.pdf
    plot_convergence.py study.csv --slopes 1,2           dotted lines of order 1 and 2 through the coarsest errors
    plot_convergence.py study.csv -m moreau,moreau_jean  some of the methods
    plot_convergence.py a.csv b.csv                      several studies in the same panels

Runs that failed, and errors that are zero, are left out; so are the methods of which nothing is left.
Needs matplotlib (Debian: python3-matplotlib).
"""
import argparse
import csv
import math
import pathlib
import re
import sys

import picture

PANELS = [("error in q", "error_q", "norm_q"), ("error in u", "error_u", "norm_u")]
MARKERS = "os^vD<>ph*"


def split_methods(text):
    """Names by comma; commas in {...} belong to a name."""
    return re.findall(r"(?:[^,{]|\{[^}]*\})+", text)


class Study:
    """Rows of each method, in the order of the file."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        with open(self.path, newline="") as file:
            rows = list(csv.DictReader(file))
        needed = {"method", "h [s]"} | {name for panel in PANELS for name in panel[1:]}
        missing = needed - set(rows[0] if rows else [])
        if missing:
            raise ValueError("no rows" if not rows else f"no column {', '.join(sorted(missing))}")
        self.methods, self.norms = {}, {}
        for row in rows:
            self.methods.setdefault(row["method"], []).append(row)
            for _, error, norm in PANELS:
                self.norms[error] = row[norm]

    def curve(self, method, error):
        """(h, error) that a logarithmic axis can show, by ascending h."""
        points = sorted((float(row["h [s]"]), float(row[error])) for row in self.methods[method] if row[error])
        return [(h, e) for h, e in points if math.isfinite(e) and e > 0]


def draw_slopes(axis, curves, slopes):
    """Dotted lines through the largest error at the coarsest step."""
    finest, coarsest = min(curve[0][0] for curve in curves), max(curve[-1][0] for curve in curves)
    top = max(curve[-1][1] for curve in curves if curve[-1][0] == coarsest)
    for slope in slopes:
        end = top * (finest / coarsest) ** slope
        axis.plot([finest, coarsest], [end, top], ":", color="0.4", linewidth=1, zorder=1)
        axis.annotate(f"{slope:g}", (finest, end), xytext=(1, -2), textcoords="offset points", ha="left", va="top",
                      color="0.4", fontsize="small")


def plot(studies, methods, slopes, output, title, inches, names):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(PANELS), sharex=True, figsize=inches, constrained_layout=True)
    for axis, (label, error, _) in zip(axes, PANELS):
        curves, norms = [], []
        style = 0
        for study in studies:
            for method in study.methods:
                style += 1
                if methods and method not in methods:
                    continue
                curve = study.curve(method, error)
                if not curve:
                    continue
                legend = names.get(method, method)
                legend = legend if len(studies) == 1 else f"{legend} ({study.path.stem})"
                # Color and marker by the place in the file: the same in both panels, whatever is missing in one of them.
                axis.loglog(*zip(*curve), label=legend, marker=MARKERS[(style - 1) % len(MARKERS)], color=f"C{(style - 1) % 10}",
                            markersize=4, linewidth=1.2)
                curves.append(curve)
                if study.norms[error] not in norms:
                    norms.append(study.norms[error])
        if curves and slopes:
            draw_slopes(axis, curves, slopes)
        axis.set_xlabel("h [s]")
        axis.set_ylabel(f"{label} ({', '.join(norms)})" if norms else label)
        axis.grid(True, which="both", alpha=0.3)
    handles = {}
    for axis in axes:
        for handle, name in zip(*axis.get_legend_handles_labels()):
            handles.setdefault(name, handle)
    # One legend below both panels: inside it would hide curves.
    columns = min(len(handles), 6)
    lines = math.ceil(len(handles) / columns)
    room = 0.25 * lines / figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, room, 1, 1 - room))
    figure.legend(handles.values(), handles.keys(), loc="lower center", ncol=columns, fontsize="x-small", columnspacing=1, handletextpad=0.4)
    if title:
        figure.suptitle(title)
    picture.save(figure, output)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", nargs="+", help="CSV file of `percussion convergence`")
    parser.add_argument("-o", "--output", help="picture (default: the first file with .png)")
    parser.add_argument("-m", "--methods", help="methods to show, by comma (default: all)")
    parser.add_argument("-n", "--names", help="what the legend calls the methods, by comma and in the order of the file")
    parser.add_argument("-s", "--slopes", help="orders of dotted lines, by comma")
    parser.add_argument("--size", default="1500x675", help="pixels (default: %(default)s)")
    parser.add_argument("-t", "--title", help="title (default: the files)")
    arguments = parser.parse_args()

    studies = []
    for path in arguments.study:
        try:
            studies.append(Study(path))
        except (OSError, ValueError) as error:
            sys.exit(f"{path}: cannot be read as a convergence study: {error}")
    methods = split_methods(arguments.methods) if arguments.methods else []
    have = [method for study in studies for method in study.methods]
    for method in methods:
        if method not in have:
            sys.exit(f"no method `{method}`; there are: {', '.join(have)}")
    try:
        slopes = [float(slope) for slope in arguments.slopes.split(",")] if arguments.slopes else []
    except ValueError:
        sys.exit(f"--slopes {arguments.slopes}: not numbers separated by commas")
    if not any(study.curve(method, error) for study in studies for method in study.methods for _, error, _ in PANELS):
        sys.exit("no run that succeeded with an error above zero")
    names = arguments.names.split(",") if arguments.names else []
    shown = methods or list(dict.fromkeys(have))
    if names and len(names) != len(shown):
        sys.exit(f"--names: {len(names)} for {len(shown)} methods")
    try:
        inches = picture.inches(arguments.size)
    except ValueError as error:
        sys.exit(str(error))
    output = arguments.output or str(studies[0].path.with_suffix(".png"))
    title = arguments.title if arguments.title is not None else ", ".join(str(study.path) for study in studies)
    plot(studies, methods, slopes, output, title, inches, dict(zip(shown, names)))
    print(output)


if __name__ == "__main__":
    main()
