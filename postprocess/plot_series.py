#!/usr/bin/env python3
"""Plots a time series (HDF5 or CSV) of a run: energy, forces and moments on walls, contacts, penetration, residual, iterations, step size.

    plot_series.py results/series.h5                     all known panels -> results/series.png
    plot_series.py results/series.csv -o picture.png
    plot_series.py series.h5 -c total_energy -c contacts,max_contacts     own panels, columns of one panel by comma
    plot_series.py a/series.h5 b/series.h5               several runs in the same panels
    plot_series.py series.h5 --list                      the columns with unit and meaning

A running simulation can be plotted too: the file is complete between two flushes.
Needs numpy and matplotlib, and h5py for HDF5 (Debian: python3-matplotlib python3-h5py).
"""
import argparse
import re
import sys

import picture
from packages import require
from series import Series

np = require("numpy")

# Panel title, what the column names contain, logarithmic axis. A column goes to the first panel that wants it.
PANELS = [
    ("energy", r"energy|dissipat|work", False),
    ("force on walls", r"force", False),
    ("moment on walls", r"\.moment_", False),
    ("contacts", r"contact", False),
    ("penetration", r"penetration|gap", True),
    ("residual", r"residual", True),
    ("iterations", r"iteration|sweep|newton", False),
    ("step size", r"step|error", True),
]


def known_panels(series):
    """(title, columns, logarithmic) for the panels that have a column in one of the series."""
    panels, taken = [], set()
    for title, pattern, logarithmic in PANELS:
        names = []
        for s in series:
            for name in s.columns:
                if name != s.time and name not in taken and re.search(pattern, name, re.IGNORECASE):
                    names.append(name)
                    taken.add(name)
        if names:
            panels.append((title, names, logarithmic))
    return panels


def plot(series, panels, output, title):
    require("matplotlib").use("Agg")
    plt = require("matplotlib.pyplot")

    figure, axes = plt.subplots(len(panels), 1, sharex=True, squeeze=False, figsize=(8, 1 + 2.2 * len(panels)),
                                constrained_layout=True)
    for axis, (label, names, logarithmic) in zip(axes[:, 0], panels):
        units = []
        for s in series:
            for name in names:
                if name not in s.columns:
                    continue
                values = s.columns[name]
                # A logarithmic axis shows sizes; zeros are left out.
                shown = np.where(np.abs(values) > 0, np.abs(values), np.nan) if logarithmic else values
                legend = name if len(series) == 1 else f"{name} ({s.path.parent.name or s.path.stem})"
                axis.plot(s.columns[s.time], shown, label=legend, linewidth=1.2)
                if s.unit[name] not in units:
                    units.append(s.unit[name])
        if logarithmic and any(np.isfinite(line.get_ydata()).any() for line in axis.lines):
            axis.set_yscale("log")
        unit = ", ".join(filter(None, units))
        axis.set_ylabel(f"{label} [{unit}]" if unit else label)
        axis.grid(True, alpha=0.3)
        axis.legend(loc="best", fontsize="small")
    first = series[0]
    unit = first.unit[first.time]
    axes[-1, 0].set_xlabel(f"{first.time} [{unit}]" if unit else first.time)
    figure.suptitle(title)
    picture.save(figure, output)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("series", nargs="+", help="HDF5 or CSV file of a run")
    parser.add_argument("-o", "--output", help="picture (default: the first file with .png)")
    parser.add_argument("-c", "--columns", action="append", help="columns of one panel, by comma; may be repeated")
    parser.add_argument("-t", "--title", help="title (default: the files)")
    parser.add_argument("--log", action="store_true", help="logarithmic axes for the panels of --columns")
    parser.add_argument("--list", action="store_true", help="print the columns and stop")
    arguments = parser.parse_args()

    series = []
    for path in arguments.series:
        try:
            series.append(Series(path))
        except (OSError, ValueError) as error:
            sys.exit(f"{path}: cannot be read as a time series: {error}")
    if arguments.list:
        for s in series:
            for name, values in s.columns.items():
                print(f"{name:24} {s.unit[name]:8} {len(values):8} rows  {s.meaning[name]}")
        return

    if arguments.columns:
        panels = [(names, names.split(","), arguments.log) for names in arguments.columns]
        have = {name for s in series for name in s.columns}
        for name in (name for _, names, _ in panels for name in names):
            if name not in have:
                sys.exit(f"no column `{name}`; there are: {', '.join(sorted(have))}")
    else:
        panels = known_panels(series)
        if not panels:
            sys.exit("no column of a known kind; choose some with --columns (see --list)")
    output = arguments.output or str(series[0].path.with_suffix(".png"))
    plot(series, panels, output, arguments.title or ", ".join(str(s.path) for s in series))
    print(output)


if __name__ == "__main__":
    main()
