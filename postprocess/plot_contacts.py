#!/usr/bin/env python3
"""Plots the contacts of a frame: how normal percussions, mobilised friction, gaps and directions are distributed.

    plot_contacts.py results/sphere_box/contacts.pvd                      the last frame -> contacts.png beside it
    plot_contacts.py results/sphere_box/contacts.pvd -o picture.png --frame 10

Percussions are given by their mean; friction as |P_F| / P_N, whose largest value is the friction coefficient of sliding contacts.
Needs numpy and matplotlib (Debian: python3-matplotlib).
"""
import argparse
import pathlib
import sys

import picture
from packages import require
from vtk_frames import frames_of, read_frame

np = require("numpy")


def panels(axes, contacts):
    field = contacts.point
    P_N = field["normal_percussion"]
    loaded = P_N > 0
    density, edges = np.histogram(P_N[loaded] / P_N[loaded].mean(), bins=50, density=True)
    axes[0].semilogy(0.5 * (edges[1:] + edges[:-1]), np.where(density > 0, density, np.nan), "o-", markersize=3)
    axes[0].set(xlabel="normal percussion / mean", ylabel="density", title=f"{loaded.sum():,} loaded of {len(P_N):,} contacts")

    ratio = np.linalg.norm(field["friction_percussion"][loaded], axis=1) / P_N[loaded]
    slip = field["slip"][loaded] == 1
    bins = np.linspace(0, max(ratio.max(), 1e-12) * 1.02, 41)
    axes[1].hist([ratio[~slip], ratio[slip]], bins=bins, stacked=True, label=[f"stick, {100 * np.mean(~slip):.1f} %", f"slip, {100 * np.mean(slip):.1f} %"], color=["#2f6690", "#c8553d"])
    axes[1].set(xlabel="|P_F| / P_N", ylabel="contacts", title="mobilised friction")
    axes[1].legend(fontsize="small", frameon=False)

    axes[2].hist(field["gap"], bins=60, color="#3a7d44", log=True)
    axes[2].set(xlabel="gap [m]", ylabel="contacts", title=f"gaps, deepest {field['gap'].min():.2g} m")
    axes[2].ticklabel_format(axis="x", style="sci", scilimits=(0, 0))

    angle = np.degrees(np.arccos(np.clip(np.abs(field["normal"][loaded, 2]), 0, 1)))
    share, edges = np.histogram(angle, bins=np.linspace(0, 90, 19))
    mean, _ = np.histogram(angle, bins=edges, weights=P_N[loaded])
    axes[3].plot(0.5 * (edges[1:] + edges[:-1]), np.where(share > 0, mean / np.maximum(share, 1), np.nan) / P_N[loaded].mean(), "o-", markersize=3, color="#8a5fa8")
    axes[3].set(xlabel="angle of the normal to the vertical [degrees]", ylabel="mean percussion / mean of all", title="direction of the load", xlim=(0, 90))
    for axis in axes:
        axis.grid(True, alpha=0.25)
        axis.spines[["top", "right"]].set_visible(False)
        axis.title.set_fontsize("medium")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pvd", type=pathlib.Path, help="series of contacts")
    parser.add_argument("-o", "--output", help="picture (default: the .pvd with .png)")
    parser.add_argument("--frame", type=int, default=-1, help="number of the frame, from 0 (default: the last)")
    arguments = parser.parse_args()
    try:
        frames = frames_of(arguments.pvd)
        time, path = frames[arguments.frame]
        contacts = read_frame(path)
    except OSError as error:
        sys.exit(f"{arguments.pvd}: {error.strerror}")
    except IndexError:
        sys.exit(f"{arguments.pvd}: no frame {arguments.frame}; there are {len(frames)}")
    missing = {"normal_percussion", "friction_percussion", "slip", "gap", "normal"} - contacts.point.keys()
    if missing:
        sys.exit(f"{arguments.pvd}: lacks {', '.join(sorted(missing))}; see output.contact_fields")
    if not (contacts.point["normal_percussion"] > 0).any():
        sys.exit(f"{arguments.pvd}: no loaded contacts at t = {time:g} s")
    require("matplotlib").use("Agg")
    plt = require("matplotlib.pyplot")
    figure, axes = plt.subplots(2, 2, figsize=(9, 6.4), constrained_layout=True)
    panels(axes.ravel(), contacts)
    figure.suptitle(f"contacts at t = {time:g} s")
    output = arguments.output or arguments.pvd.with_suffix(".png")
    picture.save(figure, output)
    print(output)


if __name__ == "__main__":
    main()
