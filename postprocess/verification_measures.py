"""What verification_table.py measures: one function per benchmark, from the runs of one method to the cells of its rows.

A measure gets a `Runner` (verification_table.py) and returns one text per row of its benchmark. All figures come from
runs; typed here are only inputs (geometry, closed forms) and how a figure is taken from a series.
"""
import math

import numpy as np


class Method:
    def __init__(self, title, type_, **options):
        self.title, self.type, self.options = title, type_, options

    @property
    def name(self):
        return "_".join([self.type] + [str(value) for value in self.options.values()])

    def override(self, **more):
        """The integrator section of the command line."""
        keys = {"type": self.type, **self.options, **more}
        return "integrator={" + ", ".join(f"{key}: {value}" for key, value in keys.items()) + "}"

    def spec(self, **more):
        """The method as `percussion convergence` wants it."""
        keys = {**self.options, **more}
        return self.type + ("{" + ",".join(f"{key}={value}" for key, value in keys.items()) + "}" if keys else "")


METHODS = [
    Method("Moreau", "moreau"),
    *(Method(f"Radau IIA {s}", "radau_iia", stages=s) for s in (1, 2, 3)),
    *(Method(f"Lobatto IIIC {s}", "lobatto_iiic", stages=s) for s in (2, 3)),
    *(Method(f"SDIRK {s}", "sdirk", stages=s) for s in (2, 3)),
    Method("TR-BDF2", "tr_bdf2"),
    Method("TRX2", "trx2"),
    Method("TR-theta", "tr_theta"),
    *(Method(f"Lobatto IIIA-IIIB {s}", "lobatto_iiia_iiib", stages=s) for s in (2, 3, 4)),
]


def gap_text(gap):
    return f"{gap:.1e}"


def is_runge_kutta(method):
    return method.type != "moreau"


# Sweeps alone may stop above tight tolerances.
HYBRID = "solver.type=hybrid"


def observed_orders(run, case, end, steps, reference, rounding):
    """Orders in q and u of the finest pair of steps whose errors are above `rounding`, twenty times the scatter of the finest."""
    # Newton's method to rounding; the solver's tolerance is what it can reach.
    tight = {"atol": 1e-15, "rtol": 1e-15} if is_runge_kutta(run.method) else {}
    tolerance = "solver.tolerance=" + ("1e-14" if tight else "1e-13")
    rows = run.convergence(case, [f"time.end={end}", HYBRID, tolerance], run.method.spec(**tight), steps, reference)
    orders = []
    for error, order, floor in zip(("error_q", "error_u"), ("order_q", "order_u"), rounding):
        usable = [float(row[order]) for row in rows if row[order] and float(row[error]) > floor]
        orders.append(f"{usable[-1]:.2f}" if usable else "rounding")
    return [" / ".join(orders)]


def b1(run):
    return observed_orders(run, "spring_pendulum/spring_pendulum", 0.2048, [0.1024, 0.0512, 0.0256, 0.0128, 0.0064], 4e-4, (4e-13, 6e-12))


def b10(run):
    return observed_orders(run, "slope/case_1", 0.8192, [0.2048, 0.1024, 0.0512, 0.0256, 0.0128], 8e-4, (3e-12, 8e-12))


# Breuling (4.85)-(4.102) for h = 3, g = 1, u_0 = -1: y_0 -> u_1, y_2, u_2; y_1 = 0 throughout.
NAIVE = {
    1: {y: (-y / 3, 0, 0) for y in (1, 2, 2.6, 3.2, 3.5, 5)},
    2: {1: (2 / 3, 0, 0), 2: (4 / 3, 0, -1), 2.6: (26 / 15, 0.7, -19 / 15), 3.2: (26 / 15, 0.7, -19 / 15), 3.5: (4 / 3, 0, -1),
        5: (-2 / 3, 0, 0)},
}


def b2(run):
    method = run.method
    naive = "-"
    if method.type == "radau_iia" and method.options["stages"] in NAIVE:
        worst = 0
        for y_0, exact in NAIVE[method.options["stages"]].items():
            s = run.series("bouncing_ball/bouncing_ball", [f"nodes[0].position=[{y_0}]"], tag=f"naive_{y_0}", projection="false")
            y, u = s["ball.q0"], s["ball.u0"]
            worst = max(worst, abs(y[1]), *(abs(a - b) for a, b in zip((u[1], y[2], u[2]), exact)))
        naive = f"{worst:.1e}"
    s = run.series("bouncing_ball/bouncing_ball", ["contributions[1].e_N=0.5", "nodes[0].position=[1]"], tag="impact")
    return [naive, f"{s['ball.u0'][1]:.6g}"]


def b3(run):
    s = run.series("rotating_ball/case_1", [HYBRID])
    spin = run.series("rotating_ball/case_2", [HYBRID], tag="case_2")["ball.u2"][-1]
    return [gap_text(np.min(s["ball.q1"] - 0.1)), f"{spin:.4f}"]


def b4(run):
    s = run.series("rolling_ball/rolling_ball")
    m, R, Theta, g, mu_T, mu_R, v_0, omega_0 = 1, 0.1, 0.004, 10, 0.1, 0.005, 1, -1
    a_1 = (mu_R - R * mu_T) * m * g / Theta
    t_1 = (v_0 + R * omega_0) / (mu_T * g - R * a_1)
    a_2, omega_1 = mu_R * m * g / (Theta + m * R * R), omega_0 + a_1 * t_1
    t = s["time"]
    omega = np.where(t < t_1, omega_0 + a_1 * t, np.minimum(omega_1 + a_2 * (t - t_1), 0))
    v = np.where(t < t_1, v_0 - mu_T * g * t, -R * omega)
    return [gap_text(max(np.max(np.abs(s["ball.u0"] - v)), R * np.max(np.abs(s["ball.u2"] - omega))))]


def b5(run):
    s = run.series("ball_in_hollow_sphere/sphere")
    return [gap_text(np.min(0.9 - np.hypot(s["ball.q0"], s["ball.q1"])))]


def b6(run):
    s = run.series("block_on_belt/block_on_belt", ["time.end=70"])
    t, x = s["time"], s["block.q0"]
    peaks = []
    for k in np.flatnonzero((x[1:-1] > x[:-2]) & (x[1:-1] >= x[2:])) + 1:
        bend = x[k - 1] - 2 * x[k] + x[k + 1]
        peaks.append(t[k] + 0.5 * (x[k - 1] - x[k + 1]) / bend * (t[k] - t[k - 1]))
    return [f"{peaks[-1] - peaks[-2]:.4f}" if len(peaks) > 1 else "no orbit"]


def b7(run):
    """Largest h = 2^-k with which the mass keeps to the circle and does not gain speed until after the first impact."""

    def stable(k):
        h = 2.0**-k
        s = run.try_series("elastic_pendulum/elastic_pendulum", ["time.end=0.75", f"time.step={h!r}", "solver.on_failure=stop"], tag=f"2^-{k}")
        if s is None:
            return False
        speed, radius = np.hypot(s["mass.u0"], s["mass.u1"]), np.hypot(s["mass.q0"], s["mass.q1"])
        # sqrt(2 g L) = 4.47 is the largest speed; the spring never gets longer by more than 3e-7.
        return bool(np.all(np.isfinite(speed)) and speed.max() < 1.2 * math.sqrt(20) and np.abs(radius - 1).max() < 0.02)

    good, bad = 15, 3
    if not stable(good):
        return ["< 2^-15"]
    if stable(bad):
        return [f">= 2^-{bad}"]
    while good - bad > 1:
        k = (good + bad) // 2
        good, bad = (k, bad) if stable(k) else (good, k)
    return [f"2^-{good}"]


def b8(run):
    s = run.series("slider_crank/contacts")
    phi, y = s["slider.q2"], s["slider.q1"]
    corners = [y + x_P * np.sin(phi) + y_P * np.cos(phi) for x_P in (-0.05, 0.05) for y_P in (-0.025, 0.025)]
    gap = min(min(np.min(0.026 - corner), np.min(0.026 + corner)) for corner in corners)

    def end(body, x_P):
        angle = s[f"{body}.q2"]
        return np.stack([s[f"{body}.q0"] + x_P * np.cos(angle), s[f"{body}.q1"] + x_P * np.sin(angle)])

    hinges = [end("crank", -0.0765), end("crank", 0.0765) - end("rod", -0.153), end("rod", 0.153) - end("slider", 0)]
    return [gap_text(gap), gap_text(max(np.max(np.abs(g)) for g in hinges))]


def b11(run):
    s = run.series("painleve_rod/painleve_rod")
    t, gap = s["time"], s["rod.q1"] + np.sin(s["rod.q2"])
    percussion = np.diff(s["rod.u1"]) / np.diff(t) + 10
    # The force grows slowly and smoothly at first; what stands out there is an artificial impact.
    take_off = t[np.flatnonzero((t > 0.5) & (gap > 1e-6))[0]]
    return [gap_text(np.min(gap)), f"{np.max(percussion[t[1:] < 0.5]) / 10:.2f}", f"{take_off:.3f}"]


def b12(run):
    s = run.series("ball_in_corner/ball_in_corner", [HYBRID, "solver.tolerance=1e-10"])
    x, y = s["ball.q0"], s["ball.q1"]
    gaps = [(y + sign * x) / math.sqrt(2) - 0.1 for sign in (-1, 1)]
    rest = max(np.abs(s["ball.u0"][-1]), np.abs(s["ball.u1"][-1]))
    return [gap_text(min(np.min(g) for g in gaps)), gap_text(rest)]


def third_row(s, body):
    """The third row of the rotation matrix of a unit quaternion: vertical components of the body's axes."""
    p = [s[f"{body}.q{k}"] for k in range(3, 7)]
    return 2 * (p[1] * p[3] - p[0] * p[2]), 2 * (p[2] * p[3] + p[0] * p[1]), 1 - 2 * (p[1] ** 2 + p[2] ** 2)


def b13(run):
    overrides = ["time.end=1"]
    if not is_runge_kutta(run.method):
        overrides += ["time.step=1e-5", "output.series_interval=100"]
    s = run.series("tippedisk/tippedisk", overrides)
    z = s["disk.q2"]
    x_z, _, z_z = third_row(s, "disk")
    gap = z - 0.0025 * x_z - 0.045 * np.sqrt(np.maximum(0, 1 - z_z**2))
    above = np.flatnonzero(z > 0.045)
    time = "none"
    if len(above) and above[0] > 0:
        k = above[0]
        t = s["time"]
        time = f"{t[k - 1] + (0.045 - z[k - 1]) / (z[k] - z[k - 1]) * (t[k] - t[k - 1]):.4f}"
    return [gap_text(np.min(gap)), time]


def b14(run):
    gap, ends = math.inf, []
    for file in ("ellipse", "rectangle"):
        s = run.series(f"tetrahedron/{file}", tag=file)
        axes = third_row(s, "body")
        height, low = math.sqrt(2 / 3), -math.sqrt(2 / 3) / 4
        corners = [(-0.5, -math.sqrt(3) / 6, low), (0.5, -math.sqrt(3) / 6, low), (0, math.sqrt(3) / 3, low), (0, 0, low + height)]
        gap = min(gap, *(np.min(s["body.q2"] + sum(c * a for c, a in zip(corner, axes))) for corner in corners))
        ends.append(f"{s['body.q0'][-1]:.3f}")
    return [gap_text(gap), " / ".join(ends)]


def s1(run):
    # One contact: the range of its percussions in a frame is the percussion of the step.
    s, P = run.contact_percussions("elastic_bar/bar_50", ["output.interval=1e-6"])
    h = s["time"][1] - s["time"][0]
    closed = np.flatnonzero(s["contacts"] > 0)
    first, n = closed[0], closed[-1] - closed[0] + 1
    return [f"{n * h:.3e}", f"{np.mean(P[first + n // 10:first + 4 * n // 10]) / h:.1f}"]


class Benchmark:
    def __init__(self, id_, measure, rows, without=None, notes=None):
        """rows: titles; without: (method -> bool, why); notes: {row: text}."""
        self.id, self.measure, self.rows = id_, measure, rows
        self.without, self.notes = without, notes or {}


ORDERS = "largest errors on the grid, finest pair of steps above rounding; SDIRK falls to 1, Lobatto IIIC 3 in B10 to 3 (docs/methods.md); each method against itself with a small step; solver: hybrid"

BENCHMARKS = [
    Benchmark("B1", b1, ["pendulum with spring: order in q / u"], notes={0: ORDERS}),
    Benchmark("B2", b2, ["bouncing ball, naive: deviation from the closed form", "bouncing ball: u after an impact, e_N = 0.5, exact 0.5"],
              notes={0: "the closed forms (4.85)-(4.102) are those of Radau IIA with one and two stages without projection"}),
    Benchmark("B3", b3, ["rotating ball, case 1: smallest gap [m]", "case 2: spin when rolling, exact 14.2857 [1/s]"],
              notes={0: "solver: hybrid"}),
    Benchmark("B4", b4, ["rolling ball: largest error in velocity, h = 0.1 [m/s]"],
              notes={0: "Moreau's rule may lose the contact for a step where the gap is positive by rounding (0.036 m/s then); exact otherwise"}),
    Benchmark("B5", b5, ["ball in hollow sphere: smallest gap [m]"]),
    Benchmark("B6", b6, ["block on belt: period [s]"]),
    Benchmark("B7", b7, ["stiff elastic pendulum: largest stable step [s]"],
              notes={0: "largest power of two with which all steps converge and the speed stays bounded; Moreau's rule and the Lobatto pair are "
                        "limited by stability, the others by the Newton iteration, which fails or finds a spurious solution"}),
    Benchmark("B8", b8, ["slider-crank with clearance: smallest gap [m]", "largest gap of a hinge [m]"]),
    Benchmark("B10", b10, ["slope, case 1: order in q / u"], notes={0: ORDERS}),
    Benchmark("B11", b11, ["Painleve rod: smallest gap [m]", "largest contact force before 0.5 s, in weights", "take-off at [s]"]),
    Benchmark("B12", b12, ["ball in corner: smallest gap [m]", "speed at the end [m/s]"],
              notes={0: "solver: hybrid"}),
    Benchmark("B13", b13, ["tippedisk: smallest gap [m]", "inversion, S above G at [s]"],
              notes={0: "h = 1e-3; Moreau's rule h = 1e-5"}),
    Benchmark("B14", b14, ["tetrahedron: smallest gap [m]", "rest x, ellipse / rectangle, exact 4.332 / 3.603 [m]"]),
    Benchmark("S1", s1, ["elastic bar, 50 elements: contact time, exact 3.8545e-4 [s]", "contact force, exact 1271.5 [N]"],
              without=(lambda method: method.type == "moreau", "Moreau's rule needs a mass matrix per body; here M couples neighbouring nodes")),
]
