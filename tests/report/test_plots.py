#!/usr/bin/env python3
"""Runs the plot scripts on the results of a small case: every picture is there, is no blank page, and mistakes are told in a line.

    test_plots.py PERCUSSION

Exit code 77 (skipped) if a Python package is missing.
"""
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

from browser import pixels

ROOT = pathlib.Path(__file__).resolve().parents[2]


def script(name, *arguments):
    return subprocess.run([sys.executable, str(ROOT / "postprocess" / name), *map(str, arguments)], capture_output=True, text=True)


def check_picture(path, *command):
    done = script(*command)
    assert done.returncode == 0, f"{command[0]}: {done.stderr}"
    from PIL import Image
    colours = Image.open(path).convert("RGB").getcolors(1 << 24)
    most = max(count for count, _ in colours)
    # A plot is mostly paper; curves, axes and letters are at least a percent of it.
    assert len(colours) > 8 and most < 0.99 * sum(count for count, _ in colours), f"{path} is blank"


def check_reader(folder):
    """The frames as numpy arrays: what two ranks wrote is one set of bodies, and their weight rests on the walls."""
    sys.path.insert(0, str(ROOT / "postprocess"))
    from vtk_frames import frames_of, read_frame
    bodies, walls, contacts, chains = (read_frame(frames_of(folder / f"{name}.pvd")[-1][1]) for name in ("bodies", "walls", "contacts", "chains"))
    assert sorted(bodies.point["id"]) == list(range(240)) and set(bodies.point["rank"]) == {0, 1}
    assert len(chains.lines) == (contacts.point["normal_percussion"] > 0).sum() and len(walls.ends) == 5
    on_walls = contacts.point["ids"][:, 1] < 0
    assert abs(walls.cell["percussion"].sum(axis=0) - contacts.point["percussion"][on_walls].sum(axis=0)).max() < 1e-5 * abs(walls.cell["percussion"]).max()


    # The same forces in the time series, in all digits.
    from series import find
    columns = find(folder).columns
    sides = ("left", "right", "front", "back", "bottom")
    forces = [[columns[f"box.{side}.force_{axis}"][-1] for axis in "xyz"] for side in sides]
    drawn = sorted(map(tuple, walls.cell["force"].tolist()))
    for found, expected in zip(sorted(map(tuple, forces)), drawn):
        assert max(abs(a - b) for a, b in zip(found, expected)) < 1e-5 * abs(walls.cell["force"]).max(), (forces, drawn)


def load_plot_convergence():
    sys.path.insert(0, str(ROOT / "postprocess"))
    import plot_convergence
    return plot_convergence


def main():
    for package in ("numpy", "h5py", "matplotlib", "PIL"):
        if importlib.util.find_spec(package) is None:
            print("skipped: the Python package", package, "is missing")
            sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="percussion-plots-") as scratch:
        scratch = pathlib.Path(scratch)
        folder = scratch / "run"
        subprocess.run(["mpirun", "-n", "2", sys.argv[1], "run", str(ROOT / "inputs/sphere_box/sphere_box.yaml"), "fills[0].limit=240", "fills[0].upper=[0.06, 0.06, 0.49]",
                        "walls[0].upper=[0.062, 0.062, 0.5]", "time.end=0.12", "output.interval=0.03", "output.chains=true", "output.wall_forces=true",
                        "output.contact_fields=[ids, normal, gap, percussion, normal_percussion, friction_percussion, slip]", "--output", str(folder)],
                       check=True, stdout=subprocess.DEVNULL)
        check_reader(folder)
        out = scratch / "out.png"
        check_picture(out, "plot_series.py", folder / "series.h5", "-o", out)
        check_picture(out, "plot_case.py", folder / "series.h5", out, "--y", "kinetic_energy")
        check_picture(out, "plot_contacts.py", folder / "contacts.pvd", "-o", out)
        check_picture(out, "draw_bodies.py", folder / "bodies.pvd", out, "--size", "200x200")
        assert pixels(out.read_bytes())[:2] == (200, 200)

        orders = scratch / "orders.csv"
        subprocess.run([sys.argv[1], "convergence", str(ROOT / "inputs/slope/case_1.yaml"), "time.end=0.2048", "--integrators", "moreau,radau_iia{stages=2}", "--steps", "0.0256,0.0128",
                        "--reference", "1.6e-3", "--output", str(orders)], check=True, stdout=subprocess.DEVNULL)
        check_picture(out, "plot_convergence.py", orders, "-o", out)

        point = '{"ranks": %d, "bodies": %d, "contacts": 10, "sweeps": 5, "seconds_per_step": %g, "updates_per_second": 1, "imbalance": 1, "steps": 10, "phases": [{"name": "solve", "min": 0, "avg": %g, "max": 1}]}'
        for ranks, bodies, seconds in ((1, 100, 0.8), (2, 100, 0.5)):
            (scratch / f"strong_{ranks}.json").write_text(point % (ranks, bodies, seconds, seconds / 2))
        done = script("scaling_table.py", "strong", scratch / "strong_2.json", scratch / "strong_1.json", "-o", scratch / "strong.csv")
        assert done.returncode == 0, done.stderr
        rows = (scratch / "strong.csv").read_text().splitlines()
        columns = rows[1].split(",")
        second = dict(zip(columns, map(float, rows[3].split(","))))
        assert second["ranks"] == 2 and abs(second["speedup"] - 1.6) < 1e-12 and abs(second["efficiency"] - 0.8) < 1e-12 and abs(second["solve_seconds"] - 0.25) < 1e-12
        check_picture(out, "plot_scaling.py", scratch / "strong.csv", "-o", out)

        study = scratch / "study.csv"
        subprocess.run([sys.argv[1], "convergence", str(ROOT / "inputs/spring_pendulum/spring_pendulum.yaml"), "time.end=0.2048", "--integrators",
                        "radau_iia{stages=2},moreau", "--steps", "0.0512,0.0256", "--reference", "0.0064", "-o", str(study)], check=True, stdout=subprocess.DEVNULL)
        check_picture(out, "plot_convergence.py", study, "-o", out, "--slopes", "1,3")
        picture = load_plot_convergence().Study(study)
        curve = picture.curve("radau_iia{stages=2}", "error_q")
        assert [h for h, _ in curve] == [0.0256, 0.0512] and curve[0][1] < curve[1][1] / 4, curve  # order 3

        for command, complaint in ((("plot_convergence.py", scratch / "strong.csv"), "cannot be read as a convergence study"), (("plot_contacts.py", scratch / "no.pvd"), "No such file"), (("plot_series.py", scratch / "strong.csv"), "no column of a known kind"),
                                   (("report.py", scratch), "not the results of a run"), (("draw_bodies.py", folder / "bodies.pvd", out, "--colour", "taste"), "no field `taste`")):
            done = script(*command)
            assert done.returncode != 0 and complaint in done.stderr and "Traceback" not in done.stderr, f"{command}: {done.stderr}"
    print("all plots are as they should be")


if __name__ == "__main__":
    main()
