#!/usr/bin/env python3
"""Draws one frame of a series of bodies as shaded spheres; needs Python only, no ParaView, no packages.

    python3 draw_bodies.py results/sphere_box/bodies.pvd picture.png
    python3 draw_bodies.py results/sphere_box/bodies.pvd picture.png --frame 10 --colour velocity --size 900x700
    python3 draw_bodies.py results/sphere_box/bodies.pvd picture.png --direction 0.4,1,-0.3

Reads the pieces of all ranks (appended raw data with zlib, as Percussion writes them). Perspective is left out: sizes in
the picture can be compared.
"""
import argparse
import math
import os
import re
import struct
import xml.etree.ElementTree as ET
import zlib


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pvd", help="series of bodies")
    parser.add_argument("picture", help="PNG to write")
    parser.add_argument("--frame", type=int, default=-1, help="index of the frame (default: the last)")
    parser.add_argument("--colour", default="rank", help="field that colours the spheres, vectors by their length (default: rank)")
    parser.add_argument("--direction", default="0.45,1,-0.35", help="from the camera to the bodies (default: %(default)s)")
    parser.add_argument("--size", default="900x700", help="pixels (default: %(default)s)")
    return parser.parse_args()


def arrays_of(piece):
    """All arrays of a .vtp by name: lists of tuples."""
    with open(piece, "rb") as file:
        raw = file.read()
    start = raw.index(b"<AppendedData")
    data = raw.index(b"_", start) + 1
    root = ET.fromstring(raw[:start].decode() + "</VTKFile>")
    kinds = {"Float64": "d", "Int64": "q", "Int32": "i", "Float32": "f"}
    arrays = {}
    for element in root.iter("DataArray"):
        if "offset" not in element.attrib or element.get("type") not in kinds:
            continue
        at = data + int(element.get("offset"))
        blocks, block_size, last_size = struct.unpack_from("<3Q", raw, at)
        sizes = struct.unpack_from("<%dQ" % blocks, raw, at + 24)
        at += 24 + 8 * blocks
        content = b""
        for size in sizes:
            content += zlib.decompress(raw[at:at + size])
            at += size
        kind = kinds[element.get("type")]
        values = struct.unpack("<%d%s" % (len(content) // struct.calcsize(kind), kind), content)
        n = int(element.get("NumberOfComponents", "1"))
        arrays[element.get("Name")] = [values[k:k + n] for k in range(0, len(values), n)]
    return arrays


def bodies_of(pvd, frame, colour):
    """(x, y, z), radius, colour value of every body of a frame."""
    folder = os.path.dirname(os.path.abspath(pvd))
    frames = [e.get("file") for e in ET.parse(pvd).iter("DataSet")]
    parallel = os.path.join(folder, frames[frame])
    result = []
    for piece in ET.parse(parallel).iter("Piece"):
        arrays = arrays_of(os.path.join(os.path.dirname(parallel), piece.get("Source")))
        points = arrays.get("Points") or arrays.get("points") or []
        for k, point in enumerate(points):
            result.append((point, arrays["radius"][k][0], math.sqrt(sum(v * v for v in arrays[colour][k]))))
    return result


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
