#!/usr/bin/env python3
"""Draws scaling studies: speed-up (strong) or time per step (weak) with the ideal line, efficiency, and time per phase.

    plot_scaling.py results/strong_scaling/strong.csv                     -> strong.png beside it
    plot_scaling.py strong.csv weak.csv -o scaling.png                    one row per study

Reads the tables of scaling_table.py. Needs matplotlib (Debian: python3-matplotlib).
"""
import argparse
import csv
import pathlib
import sys

import picture
from packages import require

PHASE_COLOURS = {"solve": "#2f6690", "exchange": "#c8553d", "residual": "#74a5c8", "assembly": "#3a7d44", "detection": "#b8860b", "update": "#8a5fa8", "balance": "#4c8c94", "output": "#7a6a58", "other": "#9aa4ae"}


def read(path):
    """(study, columns by name)"""
    with open(path, newline="") as file:
        head = file.readline().strip()
        if not head.startswith("# study: "):
            sys.exit(f"{path}: not a table of scaling_table.py")
        rows = list(csv.DictReader(file))
    if not rows:
        sys.exit(f"{path}: no measurements")
    return head.split(": ")[1], {name: [float(row[name]) for row in rows] for name in rows[0]}


def per_phase(axis, ranks, columns):
    """Stacked bars, side by side whatever the numbers of ranks are."""
    bottom = [0.0] * len(ranks)
    names = [name[:-8] for name in columns if name.endswith("_seconds") and name != "seconds_per_step"]
    for name in sorted(names, key=lambda n: list(PHASE_COLOURS).index(n) if n in PHASE_COLOURS else 99):
        values = [1e3 * v for v in columns[f"{name}_seconds"]]
        if max(values) < 1e-3 * 1e3 * max(columns["seconds_per_step"]):
            continue
        axis.bar(range(len(ranks)), values, bottom=bottom, label=name, width=0.62, color=PHASE_COLOURS.get(name))
        bottom = [a + b for a, b in zip(bottom, values)]
    axis.set_xticks(range(len(ranks)), [f"{n:g}" for n in ranks])
    axis.set_ylabel("time per step [ms], average of ranks")
    axis.legend(fontsize="x-small", frameon=False)


def draw(axes, study, columns):
    ranks = columns["ranks"]
    first, second, third = axes
    if study == "strong":
        first.plot(ranks, [n / ranks[0] for n in ranks], "--", color="0.6", label="ideal")
        first.plot(ranks, columns["speedup"], "o-", label="measured")
        first.set_ylabel("speed-up")
        if len(ranks) > 1:
            first.set_yscale("log", base=2)
            first.yaxis.set_major_formatter("{x:g}")
        first.set_title(f"strong scaling, {columns['grains'][0]:,.0f} grains", fontsize="medium")
    else:
        first.axhline(1e3 * columns["seconds_per_step"][0], linestyle="--", color="0.6", label="ideal")
        first.plot(ranks, [1e3 * v for v in columns["seconds_per_step"]], "o-", label="measured")
        first.set_ylim(bottom=0)
        first.set_ylabel("time per step [ms]")
        first.set_title(f"weak scaling, {columns['grains'][0] / ranks[0]:,.0f} grains per rank", fontsize="medium")
    second.axhline(1, linestyle="--", color="0.6", label="ideal")
    second.plot(ranks, columns["efficiency"], "o-", label="time per step")
    second.plot(ranks, columns["sweep_efficiency"], "s:", label="time per contact and sweep")
    second.set_ylim(0, max(1.15, 1.05 * max(columns["efficiency"] + columns["sweep_efficiency"])))
    second.set_ylabel("efficiency")
    for axis in (first, second):
        if len(ranks) > 1:
            axis.set_xscale("log", base=2)
        axis.set_xticks(ranks, [f"{n:g}" for n in ranks])
        axis.minorticks_off()
        axis.legend(fontsize="x-small", frameon=False)
        axis.grid(True, alpha=0.25)
    per_phase(third, ranks, columns)
    for axis in axes:
        axis.set_xlabel("ranks")
        axis.spines[["top", "right"]].set_visible(False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", help="CSV files of scaling_table.py")
    parser.add_argument("-o", "--output", help="picture (default: the first table with .png)")
    arguments = parser.parse_args()
    studies = [read(path) for path in arguments.tables]
    require("matplotlib").use("Agg")
    plt = require("matplotlib.pyplot")
    figure, axes = plt.subplots(len(studies), 3, squeeze=False, figsize=(11, 3.4 * len(studies)), constrained_layout=True)
    for row, (study, columns) in zip(axes, studies):
        draw(row, study, columns)
    output = arguments.output or pathlib.Path(arguments.tables[0]).with_suffix(".png")
    picture.save(figure, output)
    print(output)


if __name__ == "__main__":
    main()
