"""The last state of a run as data for the 3-D view of the report."""
import base64
import pathlib

from packages import require
from vtk_frames import frames_of, length, read_frame

np = require("numpy")

MOST_BODIES = 200_000  # more would make the page heavier than a browser likes (about 40 bytes per body)
MOST_CHAINS = 200_000
LABELS = {"speed": "speed [m/s]", "rank": "rank", "radius": "radius [m]", "kinetic_energy": "kinetic energy [J]", "spin": "angular speed [1/s]",
          "mass": "mass [kg]", "id": "id", "height": "height [m]"}


def encoded(values, kind):
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode()


def last(folder, name):
    """The last frame of a series, or None."""
    pvd = pathlib.Path(folder) / f"{name}.pvd"
    frames = frames_of(pvd) if pvd.is_file() else []
    return read_frame(frames[-1][1]) if frames else None


def cells_of(polygons):
    """VTK's layout: number of corners, corners, ..."""
    return np.concatenate([np.concatenate([[len(p)], p]) for p in polygons if len(p) > 2] or [np.zeros(0)])


def rims_of(surface):
    """Edges that belong to one polygon only, as lines in VTK's layout: where a wall ends."""
    first = np.concatenate([[0], surface.ends[:-1]])
    following = np.arange(1, len(surface.corners) + 1)
    following[surface.ends - 1] = first
    edges = np.sort(np.stack([surface.corners, surface.corners[following]], axis=1), axis=1)
    edges, count = np.unique(edges, axis=0, return_counts=True)
    return np.insert(edges[count == 1], 0, 2, axis=1).ravel()


def fields_of(bodies):
    fields = {"speed": length(bodies.point["velocity"])} if "velocity" in bodies.point else {}
    if "angular_velocity" in bodies.point:
        fields["spin"] = length(bodies.point["angular_velocity"])
    for name in ("kinetic_energy", "radius", "mass", "rank", "id"):
        if name in bodies.point:
            fields[name] = bodies.point[name]
    fields["height"] = bodies.points[:, 2]
    return fields


def range_of(name, values):
    """Where colours begin and end: a few extreme values do not hide all others."""
    low, high = (float(v) for v in (np.quantile(values, [0, 0.99]) if name in ("speed", "spin", "kinetic_energy") else (values.min(), values.max())))
    return [low, high] if high > low else [low, low + (abs(low) or 1) * 1e-6]


def make_scene(folder, planar=False):
    """(scene, notes): None if there are no bodies to show; notes: what was left out."""
    bodies = last(folder, "bodies")
    if bodies is None or not len(bodies.points):
        return None, ["The run wrote no bodies: set output.interval to see them."]
    notes = []
    count = len(bodies.points)
    fields = fields_of(bodies)
    surface = last(folder, "surfaces")
    if count > MOST_BODIES:
        notes.append(f"{MOST_BODIES:,} of {count:,} bodies are shown, chosen evenly.")
    shown = np.linspace(0, count - 1, min(count, MOST_BODIES)).astype(int)
    radius = bodies.point.get("radius", np.zeros(count))
    size = np.ptp(bodies.points, axis=0).max() if count > 1 else 1.0
    # Points without a radius would not be seen.
    radius = np.where(radius > 0, radius, 0.01 * (size or 1.0))
    as_surface = np.zeros(count, dtype=bool)
    scene = {"count": count, "labels": LABELS, "field": "speed" if "speed" in fields else next(iter(fields)),
             "camera": {"direction": [0, 0, -1] if planar else [0.45, 1, -0.4], "up": [0, 1, 0] if planar else [0, 0, 1]}}
    if surface is not None and len(surface.ends) and "id" in bodies.point:
        row = {identity: k for k, identity in enumerate(bodies.point["id"])}
        owners = np.array([row[identity] for identity in surface.cell["id"]])
        as_surface[owners] = True
        scene["surfaces"] = int(as_surface.sum())
        sizes = np.diff(np.concatenate([[0], surface.ends]))
        owner_of_point = np.zeros(len(surface.points), dtype=int)
        owner_of_point[surface.corners] = np.repeat(owners, sizes)
        scene["surface"] = {"points": encoded(surface.points, "<f4"), "cells": encoded(cells_of(surface.polygons()), "<u4")}
    shown = shown[~as_surface[shown]]
    # Spheres first: the view colours the first points by the first values of a field.
    order = np.concatenate([shown, np.flatnonzero(as_surface)])
    if "surface" in scene:
        place = np.zeros(count, dtype=int)
        place[order] = np.arange(len(order))
        scene["surface"]["owner"] = encoded(place[owner_of_point], "<u4")
    if len(shown):
        scene["points"], scene["radius"] = encoded(bodies.points[shown], "<f4"), encoded(radius[shown], "<f4")
    scene["ranges"] = {name: range_of(name, values) for name, values in fields.items()}
    scene["fields"] = {name: encoded(values[order], "<f4") for name, values in fields.items()}

    walls = last(folder, "walls")
    if walls is not None and len(walls.ends):
        polygons = walls.polygons()
        scene["walls"] = {"points": encoded(walls.points, "<f4"), "cells": encoded(cells_of(polygons), "<u4"), "outline": encoded(rims_of(walls), "<u4")}
    chains = last(folder, "chains")
    if chains is not None and len(chains.lines):
        P = chains.cell["normal_percussion"]
        # The strongest carry the load; weak ones would only hide them.
        strong = np.argsort(P)[-MOST_CHAINS:]
        lines = np.insert(chains.lines[strong], 0, 2, axis=1)
        scene["chains"] = {"points": encoded(chains.points, "<f4"), "cells": encoded(lines.ravel(), "<u4"), "values": encoded(P[strong], "<f4"),
                           "strong": float(np.quantile(P, 0.99))}
    return scene, notes
