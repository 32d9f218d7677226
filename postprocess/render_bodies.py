"""Renders a series of bodies as spheres, one PNG per frame.

    pvbatch render_bodies.py results/bodies.pvd
    pvbatch render_bodies.py results/bodies.pvd -o pictures/bodies.png --colour speed --frames last
    pvbatch render_bodies.py results/bodies.pvd --frames 0,10,20 --direction 1,-2,0.5 --size 1920x1080

Without a display: xvfb-run -a -s "-screen 0 1280x1024x24" pvbatch render_bodies.py ...
Debian: `apt-get install --no-install-recommends paraview`; python3-paraview would remove libvtk9-dev, so unpack it
beside (apt-get download python3-paraview && dpkg-deb -x python3-paraview_*.deb <folder>) and point PYTHONPATH to
<folder>/usr/lib/python3/dist-packages.

Needs a point field with the radius (--radius). Every field of the file can be the colour; `speed` is the length
of the field `velocity` if the file has no field of that name. The camera looks at all bodies of all rendered frames,
so it stands still.
"""
import argparse
import os
import sys

from paraview import simple as pv


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pvd", help="series of bodies")
    parser.add_argument("-o", "--output", help="picture (default: the .pvd with .png); frames get _0000, _0001, ...")
    parser.add_argument("--colour", "--color", default="speed", help="field that colours the spheres (default: speed)")
    parser.add_argument("--component", type=int, help="component of the colour field (default: its length)")
    parser.add_argument("--range", help="range of colours `low,high` (default: that of all rendered frames)")
    parser.add_argument("--radius", default="radius", help="field with the radius (default: radius)")
    parser.add_argument("--frames", default="last", help="`all`, `last`, or numbers by comma (default: last)")
    parser.add_argument("--direction", default="-0.5,1,-0.35", help="from the camera to the bodies (default: %(default)s)")
    parser.add_argument("--up", default="0,0,1", help="upward direction of the picture (default: %(default)s)")
    parser.add_argument("--size", default="1280x960", help="pixels (default: %(default)s)")
    parser.add_argument("--resolution", type=int, default=16, help="facets around a sphere (default: %(default)s)")
    return parser.parse_args()


def numbers(text, count, option):
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) != count:
        sys.exit(f"{option}: {count} numbers separated by commas, not `{text}`")
    return values


def chosen_frames(text, count):
    if text == "all":
        return list(range(count))
    if text == "last":
        return [count - 1]
    try:
        frames = [int(part) for part in text.split(",")]
    except ValueError:
        sys.exit(f"--frames: `all`, `last` or numbers by comma, not `{text}`")
    for frame in frames:
        if not 0 <= frame < count:
            sys.exit(f"--frames: there is no frame {frame}; the series has {count}, numbered from 0")
    return frames


def with_colour_field(source, colour):
    """The source, with `speed` added if that is asked for and not in the file."""
    fields = source.PointData.keys()
    if colour in fields:
        return source
    if colour == "speed" and "velocity" in fields:
        return pv.Calculator(Input=source, ResultArrayName="speed", Function="mag(velocity)")
    sys.exit(f"no point field `{colour}`; the file has: {', '.join(sorted(fields))}")


def survey(spheres, colour, component, times):
    """Bounds of the bodies and range of the colour over all rendered times."""
    low, high = [float("inf")] * 3, [-float("inf")] * 3
    colours = [float("inf"), -float("inf")]
    for time in times:
        pv.UpdatePipeline(time=time, proxy=spheres)
        bounds = spheres.GetDataInformation().GetBounds()
        if bounds[0] > bounds[1]:
            continue  # a frame without bodies
        for i in range(3):
            low[i], high[i] = min(low[i], bounds[2 * i]), max(high[i], bounds[2 * i + 1])
        found = spheres.PointData[colour].GetRange(component)
        colours = [min(colours[0], found[0]), max(colours[1], found[1])]
    if low[0] > high[0]:
        sys.exit("there are no bodies in these frames")
    return low, high, colours


def aim(view, low, high, direction, up):
    """Looks along `direction` at the middle of the box, far enough to see all of it."""
    length = sum(d * d for d in direction) ** 0.5
    middle = [(a + b) / 2 for a, b in zip(low, high)]
    radius = sum((b - a) ** 2 for a, b in zip(low, high)) ** 0.5 / 2
    distance = radius / 0.2588 * 1.02  # a cone of 30 degrees around the box: sin(15 degrees)
    view.CameraViewAngle = 30
    view.CameraFocalPoint = middle
    view.CameraPosition = [m - distance * d / length for m, d in zip(middle, direction)]
    view.CameraViewUp = up


def main():
    args = arguments()
    try:
        size = [int(part) for part in args.size.split("x")]
        assert len(size) == 2 and min(size) > 0
    except (ValueError, AssertionError):
        sys.exit(f"--size: WIDTHxHEIGHT, not `{args.size}`")
    if not os.path.isfile(args.pvd):
        sys.exit(f"{args.pvd}: no such file")

    reader = pv.PVDReader(FileName=args.pvd)
    reader.UpdatePipelineInformation()
    times = list(reader.TimestepValues) if hasattr(reader.TimestepValues, "__len__") else [reader.TimestepValues]
    if not times:
        sys.exit(f"{args.pvd}: no frames")
    frames = chosen_frames(args.frames, len(times))
    pv.UpdatePipeline(time=times[frames[0]], proxy=reader)
    if args.radius not in reader.PointData.keys():
        sys.exit(f"no point field `{args.radius}` for the radius; the file has: {', '.join(sorted(reader.PointData.keys()))}")

    bodies = with_colour_field(reader, args.colour)
    spheres = pv.Glyph(Input=bodies, GlyphType="Sphere")
    spheres.GlyphType.Radius = 1
    spheres.GlyphType.ThetaResolution = args.resolution
    spheres.GlyphType.PhiResolution = args.resolution
    spheres.OrientationArray = ["POINTS", "No orientation array"]
    spheres.ScaleArray = ["POINTS", args.radius]
    spheres.ScaleFactor = 1
    spheres.GlyphMode = "All Points"

    # ParaView counts the length of a vector as component -1.
    component = args.component if args.component is not None else -1
    rendered = [times[frame] for frame in frames]
    low, high, colours = survey(spheres, args.colour, component, rendered)
    if args.range:
        colours = numbers(args.range, 2, "--range")
    if not colours[0] < colours[1]:
        colours[1] = colours[0] + (abs(colours[0]) or 1) * 1e-6

    view = pv.CreateRenderView(ViewSize=size)
    view.OrientationAxesVisibility = 1
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    display = pv.Show(spheres, view)
    display.Representation = "Surface"
    pv.ColorBy(display, ("POINTS", args.colour) if args.component is None
               else ("POINTS", args.colour, spheres.PointData[args.colour].GetComponentName(args.component)))
    table = pv.GetColorTransferFunction(args.colour)
    table.ApplyPreset("Viridis (matplotlib)", True)
    table.RescaleTransferFunction(colours[0], colours[1])
    bar = pv.GetScalarBar(table, view)
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.Title, bar.ComponentTitle = args.colour, ""
    display.SetScalarBarVisibility(view, True)
    label = pv.Text(Text="")
    pv.Show(label, view).Color = [0, 0, 0]
    aim(view, low, high, numbers(args.direction, 3, "--direction"), numbers(args.up, 3, "--up"))

    stem, extension = os.path.splitext(args.output or os.path.splitext(args.pvd)[0] + ".png")
    for frame, time in zip(frames, rendered):
        label.Text = f"t = {time:.4g} s"
        view.ViewTime = time
        path = f"{stem}{extension}" if len(frames) == 1 else f"{stem}_{frame:04d}{extension}"
        pv.SaveScreenshot(path, view, ImageResolution=size)
        print(path)


if __name__ == "__main__":
    main()
