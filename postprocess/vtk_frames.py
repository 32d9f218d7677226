"""Reads the VTK frames of a run (.pvd, .pvtp, .vtp with appended raw data, zlib or none) into numpy arrays."""
import pathlib
import xml.etree.ElementTree as ET
import zlib

from packages import require

np = require("numpy")

TYPES = {"Float64": "<f8", "Float32": "<f4", "Int64": "<i8", "Int32": "<i4", "UInt8": "u1"}


class Frame:
    """points (n x 3), point and cell fields by name (n or n x components), lines (m x 2), polygons (corners, ends)."""

    def __init__(self):
        self.points = np.zeros((0, 3))
        self.point, self.cell = {}, {}
        self.lines = np.zeros((0, 2), dtype=int)
        self.corners, self.ends = np.zeros(0, dtype=int), np.zeros(0, dtype=int)

    def polygons(self):
        """Corners of each polygon."""
        return np.split(self.corners, self.ends[:-1]) if len(self.ends) else []


def frames_of(pvd):
    """[(time, file)] of a series, oldest first."""
    pvd = pathlib.Path(pvd)
    entries = ET.parse(pvd).iter("DataSet")
    return [(float(entry.get("timestep")), pvd.parent / entry.get("file")) for entry in entries]


def read_frame(pvtp):
    """All pieces of a frame as one."""
    pvtp = pathlib.Path(pvtp)
    pieces = [read_piece(pvtp.parent / piece.get("Source")) for piece in ET.parse(pvtp).iter("Piece")]
    pieces = [piece for piece in pieces if len(piece.points)] or pieces[:1]
    result = Frame()
    if not pieces:
        return result
    first_point = np.cumsum([0] + [len(piece.points) for piece in pieces])
    first_corner = np.cumsum([0] + [len(piece.corners) for piece in pieces])
    result.points = np.concatenate([piece.points for piece in pieces])
    result.lines = np.concatenate([piece.lines + k for piece, k in zip(pieces, first_point)])
    result.corners = np.concatenate([piece.corners + k for piece, k in zip(pieces, first_point)])
    result.ends = np.concatenate([piece.ends + k for piece, k in zip(pieces, first_corner)])
    result.point = {name: np.concatenate([piece.point[name] for piece in pieces]) for name in pieces[0].point}
    result.cell = {name: np.concatenate([piece.cell[name] for piece in pieces]) for name in pieces[0].cell}
    return result


def read_piece(path):
    raw = pathlib.Path(path).read_bytes()
    start = raw.find(b"<AppendedData")
    if start < 0:
        raise ValueError(f"{path}: no appended data; only what Percussion writes can be read")
    data = raw.index(b"_", start) + 1
    root = ET.fromstring(raw[:start].decode() + "</VTKFile>")
    compressed = root.get("compressor")
    if compressed not in (None, "vtkZLibDataCompressor") or root.get("header_type") != "UInt64":
        raise ValueError(f"{path}: compressor {compressed} or header {root.get('header_type')} is not supported")

    def array(element):
        content = content_at(raw, data + int(element.get("offset")), compressed)
        values = np.frombuffer(content, dtype=TYPES[element.get("type")])
        components = int(element.get("NumberOfComponents", "1"))
        return values.reshape(-1, components) if components > 1 else values

    piece = root.find(".//Piece")
    frame = Frame()
    if int(piece.get("NumberOfPoints")):
        frame.points = array(piece.find("Points/DataArray")).reshape(-1, 3)
    for fields, section in ((frame.point, "PointData"), (frame.cell, "CellData")):
        for element in piece.findall(f"{section}/DataArray"):
            fields[element.get("Name")] = array(element)
    for section, count in (("Lines", "NumberOfLines"), ("Polys", "NumberOfPolys")):
        if not int(piece.get(count, "0")):
            continue
        parts = {element.get("Name"): array(element).astype(int) for element in piece.findall(f"{section}/DataArray")}
        if section == "Lines":
            frame.lines = parts["connectivity"].reshape(-1, 2)
        else:
            frame.corners, frame.ends = parts["connectivity"], parts["offsets"]
    return frame


def content_at(raw, at, compressed):
    header = np.frombuffer(raw, dtype="<u8", count=3 if compressed else 1, offset=at)
    if not compressed:
        return raw[at + 8:at + 8 + int(header[0])]
    blocks = int(header[0])
    sizes = np.frombuffer(raw, dtype="<u8", count=blocks, offset=at + 24)
    at += 24 + 8 * blocks
    content = []
    for size in map(int, sizes):
        content.append(zlib.decompress(raw[at:at + size]))
        at += size
    return b"".join(content)


def length(values):
    """Scalars as they are, vectors by their length."""
    return values if values.ndim == 1 else np.linalg.norm(values, axis=1)
