#!/usr/bin/env python3
"""Draws one frame of a series of bodies as shaded spheres; needs numpy only, no ParaView, no display.

    python3 draw_bodies.py results/sphere_box/bodies.pvd picture.png
    python3 draw_bodies.py results/sphere_box/bodies.pvd picture.png --frame 10 --colour velocity --size 900x700
    python3 draw_bodies.py results/sphere_box/bodies.pvd picture.png --direction 0.4,1,-0.3

Perspective is left out: sizes in the picture can be compared. Bodies that are no spheres are drawn as their bounding spheres;
render_bodies.py shows them as they are.
"""
import argparse
import math
import re
import struct
import zlib

from vtk_frames import frames_of, length, read_frame


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pvd", help="series of bodies")
    parser.add_argument("picture", help="PNG to write")
    parser.add_argument("--frame", type=int, default=-1, help="index of the frame (default: the last)")
    parser.add_argument("--colour", default="rank", help="field that colours the spheres, vectors by their length (default: rank)")
    parser.add_argument("--direction", default="0.45,1,-0.35", help="from the camera to the bodies (default: %(default)s)")
    parser.add_argument("--size", default="900x700", help="pixels (default: %(default)s)")
    return parser.parse_args()


def bodies_of(pvd, frame, colour):
    """(x, y, z), radius, colour value of every body of a frame."""
    bodies = read_frame(frames_of(pvd)[frame][1])
    if colour not in bodies.point or "radius" not in bodies.point:
        raise SystemExit(f"{pvd}: no field `{colour}` or no radius; there are: {', '.join(sorted(bodies.point))}")
    return list(zip(bodies.points.tolist(), bodies.point["radius"].tolist(), length(bodies.point[colour]).tolist()))


def unit(v):
    length = math.sqrt(sum(x * x for x in v))
    return [x / length for x in v]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


PALETTE = [(68, 119, 170), (238, 102, 119), (34, 136, 51), (204, 187, 68), (102, 204, 238), (170, 51, 119), (187, 187, 187)]


def colours_of(bodies, colour):
    if colour == "rank":
        return [PALETTE[int(value) % len(PALETTE)] for _, _, value in bodies]
    low, high = min(b[2] for b in bodies), max(b[2] for b in bodies)
    span = (high - low) or 1.0
    shade = [(value - low) / span for _, _, value in bodies]
    return [(int(40 + 200 * s), int(80 + 100 * (1 - abs(2 * s - 1))), int(220 - 180 * s)) for s in shade]


def draw(bodies, colours, direction, width, height):
    forward = unit(direction)
    right = unit(cross(forward, [0, 0, 1]))
    up = cross(right, forward)
    light = unit([right[i] * -0.5 + up[i] * 0.8 - forward[i] * 0.7 for i in range(3)])
    flat = [(dot(p, right), dot(p, up), dot(p, forward), r) for p, r, _ in bodies]
    x0, x1 = min(f[0] - f[3] for f in flat), max(f[0] + f[3] for f in flat)
    y0, y1 = min(f[1] - f[3] for f in flat), max(f[1] + f[3] for f in flat)
    scale = 0.94 * min(width / (x1 - x0), height / (y1 - y0))
    depth = [float("inf")] * (width * height)
    image = bytearray(b"\xff" * (3 * width * height))
    l_right, l_up, l_forward = dot(light, right), dot(light, up), dot(light, forward)
    for (x, y, z, r), colour in zip(flat, colours):
        cx = width / 2 + scale * (x - (x0 + x1) / 2)
        cy = height / 2 - scale * (y - (y0 + y1) / 2)
        pixels = scale * r
        for j in range(max(0, int(cy - pixels)), min(height, int(cy + pixels) + 2)):
            for i in range(max(0, int(cx - pixels)), min(width, int(cx + pixels) + 2)):
                a, b = (i - cx) / pixels, (cy - j) / pixels
                c2 = 1 - a * a - b * b
                if c2 <= 0:
                    continue
                c = math.sqrt(c2)
                k = j * width + i
                if z - r * c >= depth[k]:
                    continue
                depth[k] = z - r * c
                shade = 0.35 + 0.65 * max(0.0, a * l_right + b * l_up - c * l_forward)
                image[3 * k:3 * k + 3] = bytes(int(v * shade) for v in colour)
    return image


def write_png(path, image, width, height):
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = b"".join(b"\0" + bytes(image[3 * width * j:3 * width * (j + 1)]) for j in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main():
    given = arguments()
    if not re.fullmatch(r"\d+x\d+", given.size):
        raise SystemExit("--size: two numbers like 900x700 expected, got " + given.size)
    width, height = map(int, given.size.split("x"))
    bodies = bodies_of(given.pvd, given.frame, given.colour)
    if not bodies:
        raise SystemExit(given.pvd + ": the frame has no bodies")
    write_png(given.picture, draw(bodies, colours_of(bodies, given.colour), [float(v) for v in given.direction.split(",")], width, height), width, height)
    print(given.picture, ":", len(bodies), "bodies")


if __name__ == "__main__":
    main()
