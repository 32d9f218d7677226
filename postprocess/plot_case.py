#!/usr/bin/env python3
"""Draws columns of a time series (HDF5 or CSV) against time or against each other.

    plot_case.py results/slope_1/series.csv out.png --x t --y mass.q0 mass.q1
    plot_case.py results/block_on_belt/series.csv out.png --x block.q0 --y block.u0        phase portrait
    plot_case.py series.csv out.png --x t --y rod.u1 --y contacts                          one panel per --y
    plot_case.py series.csv out.png --y "diff(rod.u1) + 10*diff(t)" --label "P_N"          an expression in columns
    plot_case.py a/series.csv b/series.csv out.png --y mass.u0 --name Radau --name Moreau  two runs in the same panel
    plot_case.py series.csv out.png --x ball.q0 --y ball.q1 --equal --circle 0 0 0.9       a trajectory and a circle

The last file is the picture. `t` is the time. Expressions know + - * / **, numbers, pi, abs, sqrt, sin, cos, arctan2,
hypot, diff (change since the row before) and cumsum. Needs numpy and matplotlib, and h5py for HDF5.
"""
import argparse
import re
import sys

import picture
from packages import require
from series import Series

np = require("numpy")

FUNCTIONS = {name: getattr(np, name) for name in ("abs", "sqrt", "sin", "cos", "arctan2", "hypot", "cumsum")}
FUNCTIONS["diff"] = lambda values: np.diff(values, prepend=np.nan)
FUNCTIONS["pi"] = np.pi


def evaluate(expression, series):
    """The values of an expression in the columns of a series; a column name may contain dots."""
    columns = dict(series.columns, t=series.columns[series.time])
    known, terms = {}, []
    rest = expression
    names = sorted(columns, key=len, reverse=True)  # the longest name first: `ball.q10` is not `ball.q1`
    token = re.compile("|".join([rf"(?<![\w.])(?:{'|'.join(map(re.escape, names))})(?![\w.])", r"\d+\.?\d*(?:[eE][-+]?\d+)?",
                                 r"[A-Za-z_]\w*", r"\*\*|[-+*/(),]", r"\s+"]))
    while rest:
        match = token.match(expression, len(expression) - len(rest))
        word = match.group() if match else rest
        if word in columns:
            known[f"column_{len(known)}"] = columns[word]
            terms.append(f"column_{len(known) - 1}")
        elif match and (word in FUNCTIONS or not re.match(r"[A-Za-z_]", word)):
            terms.append(word)
        else:
            sys.exit(f"{series.path}: `{word}` in `{expression}` is no column; there are: {', '.join(sorted(columns))}")
        rest = rest[len(word):]
    # Only columns, numbers, operators and the functions above are left.
    return eval("".join(terms), {"__builtins__": {}}, {**FUNCTIONS, **known})  # noqa: S307


def axis_label(expression, series):
    name = series.time if expression == "t" else expression
    unit = series.unit.get(name, "")
    return f"{name} [{unit}]" if unit else name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="one or more series, then the picture")
    parser.add_argument("--x", default="t", help="horizontal axis (default: t)")
    parser.add_argument("--y", nargs="+", action="append", required=True, help="curves of one panel; may be repeated")
    parser.add_argument("--label", nargs="+", action="append", help="axis label of each panel, in the order of --y")
    parser.add_argument("--name", action="append", help="legend: of each run, in the order of the files, or with one run of each curve (default: folders, expressions)")
    parser.add_argument("--circle", nargs=3, type=float, metavar=("X", "Y", "R"), help="a thin circle in all panels")
    parser.add_argument("--size", default="", help="pixels, for instance 900x500 (default: by the number of panels)")
    parser.add_argument("--x-label", help="label of the horizontal axis")
    parser.add_argument("--title", help="title of the picture")
    parser.add_argument("--equal", action="store_true", help="the same scale on both axes: trajectories")
    parser.add_argument("--log", action="store_true", help="logarithmic vertical axes of the sizes")
    parser.add_argument("--from", dest="start", type=float, default=-np.inf, help="first time drawn")
    parser.add_argument("--to", dest="end", type=float, default=np.inf, help="last time drawn")
    arguments = parser.parse_args()
    if len(arguments.files) < 2:
        parser.error("a series and a picture are needed")
    names = arguments.name or []
    runs, curves = len(arguments.files) - 1, sum(map(len, arguments.y))
    if names and len(names) != (runs if runs > 1 else curves):
        parser.error(f"--name: {len(names)} for {runs} runs, {curves} curves")
    curve_names = iter(names if runs == 1 else [])
    try:
        inches = picture.inches(arguments.size) if arguments.size else (7, 1 + 3 * len(arguments.y))
    except ValueError as error:
        parser.error(error)

    series = []
    for path in arguments.files[:-1]:
        try:
            series.append(Series(path))
        except (OSError, ValueError) as error:
            sys.exit(f"{path}: cannot be read as a time series: {error}")

    require("matplotlib").use("Agg")
    plt = require("matplotlib.pyplot")

    labels = [" ".join(words) for words in arguments.label or []]
    figure, axes = plt.subplots(len(arguments.y), 1, sharex=True, squeeze=False, figsize=inches, constrained_layout=True)
    for k, (axis, expressions) in enumerate(zip(axes[:, 0], arguments.y)):
        if arguments.circle:
            x, y, r = arguments.circle
            axis.add_patch(plt.Circle((x, y), r, fill=False, color="0.5", linewidth=0.8))
        for i, s in enumerate(series):
            time = s.columns[s.time]
            shown = (time >= arguments.start) & (time <= arguments.end)
            for expression in expressions:
                y = evaluate(expression, s)
                y = np.where(np.abs(y) > 0, np.abs(y), np.nan) if arguments.log else y
                run = names[i] if names and runs > 1 else s.path.parent.name or s.path.stem
                name = next(curve_names, expression) if runs == 1 else run if len(expressions) == 1 else f"{expression} ({run})"
                axis.plot(evaluate(arguments.x, s)[shown], y[shown], label=name, linewidth=1.2)
        if arguments.log:
            axis.set_yscale("log")
        if arguments.equal:
            axis.set_aspect("equal", adjustable="datalim")
        if k < len(labels):
            axis.set_ylabel(labels[k])
        elif len(expressions) == 1:
            axis.set_ylabel(axis_label(expressions[0], series[0]))
        if len(axis.lines) > 1:
            axis.legend(loc="best", fontsize="small")
        axis.grid(True, alpha=0.3)
    axes[-1, 0].set_xlabel(arguments.x_label or axis_label(arguments.x, series[0]))
    if arguments.title:
        figure.suptitle(arguments.title)
    picture.save(figure, arguments.files[-1])
    print(arguments.files[-1])


if __name__ == "__main__":
    main()
