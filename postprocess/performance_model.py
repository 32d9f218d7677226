#!/usr/bin/env python3
"""Predicts the time of a step on many ranks from constants measured on a few (docs/performance.md, "Model of larger runs").

    performance_model.py                                   # tables of strong and weak scaling to 10,000 ranks
    performance_model.py --picture docs/scaling_model.png
    performance_model.py --grains 20000,1000000,100000000 --latency 1.5e-6 --bandwidth 12e9

A rank with N grains in a compact domain, S sweeps per step:

    step      = S (sweep + exposed) + checks residual + rest
    sweep     = contacts N / rate                          one update of every contact
    message   = latency neighbours + bytes ghosts / bandwidth      ghosts = 6 N^(2/3) + 12 N^(1/3) + 8, on one side of each face 1 layer
    exposed   = max(0, 2 message - interior) + overhead neighbours + wait sweep
                two messages per sweep, hidden behind the contacts that touch no shared body; posting them is not
    checks    = reductions of a step, each reduction log2(ranks)
    rest      = detection, assembly, update of the grains and of the ghosts

A domain of N grains has 6 neighbours that exchange faces and 20 that exchange edges and corners; on r ranks the mean is that of a
cubic arrangement. `wait` is the imbalance: every sweep waits for the slowest neighbour. Python's standard library; --picture needs matplotlib.
"""
import argparse
import math

RANKS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 10000]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grains", default="19683,1000000,100000000", help="sizes for strong scaling, in all")
    parser.add_argument("--per-rank", default="1000,20000,100000", help="sizes for weak scaling, per rank")
    parser.add_argument("--sweeps", type=float, default=13.5, help="per step on one rank")
    parser.add_argument("--rate", type=float, default=50e6, help="contact updates per second and core")
    parser.add_argument("--contacts", type=float, default=2.3, help="active contacts per grain")
    parser.add_argument("--rest", type=float, default=4.5e-7, help="seconds per grain and step for all but sweeps: assembly, detection, residual, update")
    parser.add_argument("--latency", type=float, default=1.5e-6, help="seconds per message")
    parser.add_argument("--bandwidth", type=float, default=5e9, help="bytes per second of a rank's link")
    parser.add_argument("--overhead", type=float, default=3e-7, help="seconds of the processor per message")
    parser.add_argument("--reductions", type=float, default=9, help="per step")
    parser.add_argument("--bytes", type=float, default=64, help="per ghost and message")
    parser.add_argument("--imbalance", type=float, default=0.05, help="slowest rank above the average")
    parser.add_argument("--sweep-growth", type=float, default=1.2, help="factor on the sweeps when every second grain is shared")
    parser.add_argument("--picture", help="PNG file with the curves of strong and weak scaling")
    return parser.parse_args()


def along(ranks):
    """Sides of a compact arrangement of ranks: the most cubic factors."""
    best = (1, 1, ranks)
    for a in range(1, round(ranks ** (1 / 3)) + 2):
        if ranks % a:
            continue
        for b in range(a, int(math.sqrt(ranks / a)) + 1):
            if (ranks // a) % b == 0:
                best = (a, b, ranks // a // b)
    return best


def neighbours(ranks):
    """Mean numbers of faces and of all neighbours of a domain."""
    sides = along(ranks)
    per_side = [2 * (s - 1) / s for s in sides]  # neighbours along one direction
    faces = sum(per_side)
    return faces, math.prod(1 + p for p in per_side) - 1


def step(a, ranks, grains):
    """Seconds of one step of a rank with `grains`, split by cause."""
    faces, all_neighbours = neighbours(ranks) if ranks > 1 else (0.0, 0.0)
    edge = grains ** (1 / 3)
    ghosts = min(faces * edge**2 + max(0.0, all_neighbours - faces) * edge, 26 * grains)
    shared = min(1.0, ghosts / grains) if grains > 0 else 0.0
    sweeps = a.sweeps * (1 + (a.sweep_growth - 1) * min(1.0, 2 * shared))
    sweep = a.contacts * grains / a.rate
    interior = sweep * max(0.0, 1 - 1.5 * shared)  # a shared grain takes one and a half times its share of the contacts
    message = a.latency * all_neighbours + a.bytes * ghosts / a.bandwidth if ranks > 1 else 0.0
    parts = {
        "sweeps": sweeps * sweep,
        "messages": sweeps * (max(0.0, 2 * message - interior) + 2 * a.overhead * all_neighbours),
        "waiting": sweeps * a.imbalance * sweep if ranks > 1 else 0.0,
        "reductions": a.reductions * a.latency * math.ceil(math.log2(ranks)) if ranks > 1 else 0.0,
        "rest": a.rest * (grains + 0.5 * ghosts),
    }
    parts["step"] = sum(parts.values())
    return parts


def strong(a, total):
    first = step(a, 1, total)["step"]
    return [(r, step(a, r, total / r), first) for r in RANKS if total / r >= 1]


def weak(a, per_rank):
    first = step(a, 1, per_rank)["step"]
    return [(r, step(a, r, per_rank), first) for r in RANKS]


def breaks(points, efficiency):
    """The last number of ranks with at least half of the speed of all cores."""
    good = [r for r, parts, first in points if efficiency(r, parts, first) >= 0.5]
    return max(good) if good else 1


def table(title, points, efficiency):
    print(f"\n{title}")
    print(f"{'ranks':>7} {'grains/rank':>12} {'step [ms]':>11} {'efficiency':>11}   share of sweeps / messages / waiting / reductions / rest [%]")
    for r, grains, parts, first in points:
        shares = " / ".join(f"{100 * parts[k] / parts['step']:.0f}" for k in ("sweeps", "messages", "waiting", "reductions", "rest"))
        print(f"{r:>7} {grains:>12.0f} {1e3 * parts['step']:>11.4g} {efficiency(r, parts, first):>11.2f}   {shares}")


def main():
    a = arguments()
    of_strong = lambda r, parts, first: first / (r * parts["step"])
    of_weak = lambda r, parts, first: first / parts["step"]
    curves = []
    for total in (float(v) for v in a.grains.split(",")):
        points = strong(a, total)
        table(f"strong scaling, {total:.0f} grains", [(r, total / r, p, f) for r, p, f in points], of_strong)
        last = breaks(points, of_strong)
        print(f"half of the cores' speed is left up to {last} ranks, {total / last:.0f} grains on each")
        curves.append((f"strong, {total:.3g} grains", points, of_strong))
    for per_rank in (float(v) for v in a.per_rank.split(",")):
        points = weak(a, per_rank)
        table(f"weak scaling, {per_rank:.0f} grains on each rank", [(r, per_rank, p, f) for r, p, f in points], of_weak)
        curves.append((f"weak, {per_rank:.3g} grains per rank", points, of_weak))
    if a.picture:
        draw(curves, a.picture)


def draw(curves, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    import picture

    figure, axes = plt.subplots(figsize=(7, 4))
    for name, points, efficiency in curves:
        axes.semilogx([r for r, _, _ in points], [efficiency(r, p, f) for r, p, f in points], "-o" if "strong" in name else "--", markersize=3, label=name)
    axes.set_xlabel("ranks")
    axes.set_ylabel("parallel efficiency (model)")
    axes.set_ylim(0, 1.05)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.tight_layout()
    picture.save(figure, path)


if __name__ == "__main__":
    main()
