"""The plots of a run report: time series, and how percussions and gaps are distributed in the last frame of contacts."""
import html

from packages import require
from report_scene import last
from svg_plot import line_plot, number

np = require("numpy")

# Title, what is shown, columns (a name ends with * for all that begin so), logarithmic.
PANELS = [
    ("Energy", "of all bodies", ["kinetic_energy", "potential_energy", "total energy"], False),
    ("Contacts", "active contacts", ["contacts"], False),
    ("Penetration", "deepest of each step", ["penetration"], True),
    ("Iterations", "of the contact solver", ["iterations"], False),
    ("Residual", "of the contact solver at the end of each step", ["residual"], True),
    ("Momentum", "sum over all bodies", ["momentum_x", "momentum_y", "momentum_z"], False),
]


def total_energy(series):
    c = series.columns
    return c["kinetic_energy"] + c["potential_energy"] if {"kinetic_energy", "potential_energy"} <= c.keys() else None


def energy_notes(series):
    """A warning if mechanical energy appears from nowhere."""
    total = total_energy(series) if series else None
    if total is None or len(total) < 2:
        return []
    scale = np.ptp(series.columns["potential_energy"]) + np.max(series.columns["kinetic_energy"])
    rise = np.max(total) - total[0]
    if not scale > 0 or rise < 0.01 * scale:
        return []
    return [("", f"Mechanical energy rose by {number(float(rise))} J above its initial value: right only if walls move or forces do work.")]


def figure(title, why, svg):
    return f"<figure><h3>{html.escape(title)}</h3><p class=\"why\">{html.escape(why)}</p>{svg}</figure>" if svg else ""


def series_figures(series):
    t = series.columns[series.time]
    columns = dict(series.columns)
    total = total_energy(series)
    if total is not None:
        columns["total energy"] = total
    unit = dict(series.unit, **{"total energy": series.unit.get("kinetic_energy", "")})
    result = []
    for title, why, names, logarithmic in PANELS:
        names = [name for name in names if name in columns]
        if names:
            units = ", ".join(sorted({unit.get(name, "") for name in names} - {""}))
            curves = [(name.replace("_", " "), t, columns[name]) for name in names]
            result.append(figure(title, why + (f" [{units}]" if units else ""), line_plot(curves, "time [s]", title, logarithmic)))
    forces = [name for name in columns if "force" in name]
    if forces:
        result.append(figure("Force on walls", "sum of the contacts [N]", line_plot([(name, t, columns[name]) for name in forces[:6]], "time [s]", "force")))
    steps = series.steps()[1:]
    if len(steps) and np.ptp(steps) > 1e-6 * np.max(steps):
        result.append(figure("Step size", "between two rows of the series [s]", line_plot([("step", t[1:], steps)], "time [s]", "step", True)))
    taken = {name for _, _, names, _ in PANELS for name in names} | set(forces) | {series.time}
    others = [name for name in columns if name not in taken and "." in name]
    for node in sorted({name.rsplit(".", 1)[0] for name in others}):
        for kind, what in (("q", "coordinates"), ("u", "velocities")):
            mine = [name for name in others if name.startswith(f"{node}.{kind}")][:6]
            result.append(figure(f"{node}: {what}", "as observed", line_plot([(name, t, columns[name]) for name in mine], "time [s]", what)) if mine else "")
    return result


def contact_figures(folder):
    contacts = last(folder, "contacts")
    if contacts is None or not len(contacts.points):
        return []
    result = []
    P = contacts.point.get("normal_percussion")
    if P is not None and (P > 0).sum() > 20:
        relative = P[P > 0] / np.mean(P[P > 0])
        density, edges = np.histogram(relative, bins=np.linspace(0, min(relative.max(), 8), 41), density=True)
        result.append(figure("Distribution of percussions", f"density of the normal percussion by its mean, {int((P > 0).sum()):,} loaded contacts of the last frame",
                             line_plot([("density", edges[1:], density)], "normal percussion / mean", "density", True)))
    gap = contacts.point.get("gap")
    if gap is not None and len(gap) > 20 and np.ptp(gap) > 0:
        count, edges = np.histogram(gap, bins=40)
        result.append(figure("Distribution of gaps", "contacts of the last frame; negative is penetration", line_plot([("contacts", edges[1:], count)], "gap [m]", "contacts", True, steps=True)))
    slip = contacts.point.get("slip")
    if slip is not None:
        loaded = max(int((slip >= 0).sum()), 1)
        result.append(figure("Friction", f"{100 * (slip == 0).sum() / loaded:.1f} % of {loaded:,} loaded contacts stick, {100 * (slip == 1).sum() / loaded:.1f} % slip", "<span></span>"))
    return result


def plots(run):
    figures = (series_figures(run.series) if run.series else []) + contact_figures(run.folder)
    figures = [text for text in figures if text]
    return '<h2>Plots</h2><div class="plots">' + "".join(figures) + "</div>" if figures else ""
