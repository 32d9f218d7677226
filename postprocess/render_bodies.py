"""Renders a series of bodies with ParaView: spheres and other shapes, walls, force chains; single frames or an animation.

    job_scripts/paraview.sh postprocess/render_bodies.py results/sphere_box/bodies.pvd
    job_scripts/paraview.sh postprocess/render_bodies.py results/sphere_box/bodies.pvd -o picture.png --colour rank --walls
    job_scripts/paraview.sh postprocess/render_bodies.py results/sphere_box/bodies.pvd --chains --frames 0,10,20
    job_scripts/paraview.sh postprocess/render_bodies.py results/sphere_box/bodies.pvd --frames all --animation run.gif

paraview.sh finds pvbatch and a display (docs/batch.md); with both at hand `pvbatch render_bodies.py ...` does the same.
Every field of the bodies can be the colour; `speed` is the length of `velocity`, `spin` that of `angular_velocity`. Walls,
chains and the surfaces of bodies that are no spheres are taken from walls.pvd, chains.pvd and surfaces.pvd beside the file.
The camera looks at all bodies of all rendered frames, so it stands still. Animations: .gif with Pillow, .mp4 with ffmpeg.
"""
import argparse
import os
import shutil
import subprocess
import sys

from paraview import simple as pv

DERIVED = {"speed": "velocity", "spin": "angular_velocity"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pvd", help="series of bodies")
    parser.add_argument("-o", "--output", help="picture (default: the .pvd with .png); several frames get _0000, _0001, ...")
    parser.add_argument("--colour", "--color", default="speed", help="field that colours the bodies (default: speed)")
    parser.add_argument("--component", type=int, help="component of the colour field (default: its length)")
    parser.add_argument("--range", help="range of colours `low,high` (default: that of all rendered frames)")
    parser.add_argument("--map", default="Viridis (matplotlib)", help="colour map of ParaView (default: %(default)s)")
    parser.add_argument("--radius", default="radius", help="field with the radius (default: radius)")
    parser.add_argument("--walls", action="store_true", help="draw the walls, transparent")
    parser.add_argument("--chains", action="store_true", help="draw force chains, as thick as their percussion; bodies become transparent")
    parser.add_argument("--opacity", type=float, help="of the bodies (default: 1, with --chains 0.12)")
    parser.add_argument("--frames", default="last", help="`all`, `last`, or numbers by comma (default: last)")
    parser.add_argument("--animation", help="join the frames: a .gif or .mp4")
    parser.add_argument("--rate", type=float, default=15, help="frames per second of the animation (default: %(default)s)")
    parser.add_argument("--direction", default="-0.5,1,-0.45", help="from the camera to the bodies (default: %(default)s)")
    parser.add_argument("--up", default="0,0,1", help="upward direction of the picture (default: %(default)s)")
    parser.add_argument("--zoom", type=float, default=1.0, help="closer than needed to see everything (default: %(default)s)")
    parser.add_argument("--size", default="1280x960", help="pixels (default: %(default)s)")
    parser.add_argument("--resolution", type=int, default=20, help="facets around a sphere (default: %(default)s)")
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


def open_series(path):
    reader = pv.PVDReader(FileName=path)
    reader.UpdatePipelineInformation()
    times = reader.TimestepValues
    return reader, list(times) if hasattr(times, "__len__") else [times]


def with_colour_field(source, colour, kind="POINTS"):
    """The source, with `speed` or `spin` added if that is asked for and not in the file."""
    data = source.PointData if kind == "POINTS" else source.CellData
    fields = data.keys()
    if colour in fields:
        return source
    if DERIVED.get(colour) in fields:
        result = pv.Calculator(Input=source, ResultArrayName=colour, Function=f"mag({DERIVED[colour]})")
        result.AttributeType = "Point Data" if kind == "POINTS" else "Cell Data"
        return result
    sys.exit(f"no field `{colour}`; the file has: {', '.join(sorted(fields))}")


def sphere_glyphs(bodies, radius, resolution):
    spheres = pv.Glyph(Input=bodies, GlyphType="Sphere")
    spheres.GlyphType.Radius = 1
    spheres.GlyphType.ThetaResolution = resolution
    spheres.GlyphType.PhiResolution = resolution
    spheres.OrientationArray = ["POINTS", "No orientation array"]
    spheres.ScaleArray = ["POINTS", radius]
    spheres.ScaleFactor = 1
    spheres.GlyphMode = "All Points"
    return spheres


def survey(parts, colour, component, times):
    """Bounds of the bodies and range of the colour over all rendered times. parts: [(source, POINTS or CELLS)]"""
    low, high = [float("inf")] * 3, [-float("inf")] * 3
    colours = [float("inf"), -float("inf")]
    for time in times:
        for source, kind in parts:
            pv.UpdatePipeline(time=time, proxy=source)
            bounds = source.GetDataInformation().GetBounds()
            if bounds[0] > bounds[1]:
                continue  # a frame without bodies
            for i in range(3):
                low[i], high[i] = min(low[i], bounds[2 * i]), max(high[i], bounds[2 * i + 1])
            found = (source.PointData if kind == "POINTS" else source.CellData)[colour].GetRange(component)
            colours = [min(colours[0], found[0]), max(colours[1], found[1])]
    if low[0] > high[0]:
        sys.exit("there are no bodies in these frames")
    return low, high, colours


def aim(view, low, high, direction, up, zoom):
    """Looks along `direction` at the middle of the box, far enough to see all of it."""
    length = sum(d * d for d in direction) ** 0.5
    middle = [(a + b) / 2 for a, b in zip(low, high)]
    radius = sum((b - a) ** 2 for a, b in zip(low, high)) ** 0.5 / 2
    distance = radius / 0.2588 * 1.02 / zoom  # a cone of 30 degrees around the box: sin(15 degrees)
    view.CameraViewAngle = 30
    view.CameraFocalPoint = middle
    view.CameraPosition = [m - distance * d / length for m, d in zip(middle, direction)]
    view.CameraViewUp = up


def show_bodies(view, parts, args, colours):
    table = pv.GetColorTransferFunction(args.colour)
    for source, kind in parts:
        display = pv.Show(source, view)
        display.Representation = "Surface"
        display.Opacity = args.opacity if args.opacity is not None else 0.12 if args.chains else 1
        data = source.PointData if kind == "POINTS" else source.CellData
        pv.ColorBy(display, (kind, args.colour) if args.component is None else (kind, args.colour, data[args.colour].GetComponentName(args.component)))
    table.ApplyPreset(args.map, True)
    table.RescaleTransferFunction(colours[0], colours[1])
    bar = pv.GetScalarBar(table, view)
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.Title, bar.ComponentTitle = args.colour, ""
    bar.Visibility = 0 if args.chains else 1


def show_walls(view, path):
    walls, _ = open_series(path)
    faces = pv.Show(walls, view)
    faces.Representation = "Surface"
    faces.ColorArrayName = ["POINTS", ""]
    faces.DiffuseColor, faces.Opacity, faces.Ambient = [0.62, 0.67, 0.75], 0.6, 0.2
    faces.Diffuse = 0.7
    faces.BackfaceRepresentation = "Cull Backface"  # walls are turned to the bodies: those before them would hide them
    edges = pv.Show(pv.FeatureEdges(Input=walls, ManifoldEdges=0, FeatureEdges=0), view)
    edges.ColorArrayName = ["POINTS", ""]
    edges.AmbientColor = edges.DiffuseColor = [0.4, 0.44, 0.5]
    edges.LineWidth = 2


def show_chains(view, path, times, thickest):
    """Tubes; the strongest percussion of all rendered frames is as thick as the mean body is wide."""
    chains, _ = open_series(path)
    most = 0.0
    for time in times:
        pv.UpdatePipeline(time=time, proxy=chains)
        if chains.GetDataInformation().GetNumberOfCells():
            most = max(most, chains.CellData["normal_percussion"].GetRange(0)[1])
    if not most:
        return
    on_points = pv.CellDatatoPointData(Input=pv.Shrink(Input=chains, ShrinkFactor=1.0))
    lines = pv.ExtractSurface(Input=on_points)
    scaled = pv.Calculator(Input=lines, ResultArrayName="tube", Function=f"{thickest}*sqrt(normal_percussion/{most})+{thickest / 40}")
    tubes = pv.Tube(Input=scaled, Scalars=["POINTS", "tube"], VaryRadius="By Absolute Scalar", NumberofSides=10, Capping=0)
    display = pv.Show(tubes, view)
    pv.ColorBy(display, ("POINTS", "normal_percussion"))
    table = pv.GetColorTransferFunction("normal_percussion")
    table.ApplyPreset("Inferno (matplotlib)", True)
    table.InvertTransferFunction()
    table.RescaleTransferFunction(0, most)
    bar = pv.GetScalarBar(table, view)
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.Title, bar.ComponentTitle = "normal percussion [N s]", ""
    bar.Visibility = 1


def join(pictures, animation, rate):
    if animation.endswith(".gif"):
        try:
            from PIL import Image
        except ImportError:
            sys.exit("a .gif needs Pillow (Debian: python3-pil)")
        images = [Image.open(path).convert("RGB").quantize(128) for path in pictures]
        images[0].save(animation, save_all=True, append_images=images[1:], duration=round(1000 / rate), loop=0, optimize=True)
    elif shutil.which("ffmpeg"):
        listing = animation + ".txt"
        with open(listing, "w") as file:
            file.writelines(f"file '{os.path.abspath(path)}'\nduration {1 / rate}\n" for path in pictures)
        subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-f", "concat", "-safe", "0", "-i", listing, "-pix_fmt", "yuv420p", animation], check=True)
        os.remove(listing)
    else:
        sys.exit(f"{animation}: there is no ffmpeg; choose a name that ends with .gif")
    print(animation)


def main():
    args = arguments()
    try:
        size = [int(part) for part in args.size.split("x")]
        assert len(size) == 2 and min(size) > 0
    except (ValueError, AssertionError):
        sys.exit(f"--size: WIDTHxHEIGHT, not `{args.size}`")
    beside = {name: os.path.join(os.path.dirname(args.pvd), f"{name}.pvd") for name in ("walls", "chains", "surfaces")}
    for path in [args.pvd] + [beside[name] for name in ("walls", "chains") if getattr(args, name)]:
        if not os.path.isfile(path):
            sys.exit(f"{path}: no such file" + ("; set output.chains=true in the run" if path == beside["chains"] else ""))

    reader, times = open_series(args.pvd)
    if not times:
        sys.exit(f"{args.pvd}: no frames")
    frames = chosen_frames(args.frames, len(times))
    rendered = [times[frame] for frame in frames]
    pv.UpdatePipeline(time=rendered[0], proxy=reader)
    if args.radius not in reader.PointData.keys():
        sys.exit(f"no point field `{args.radius}` for the radius; the file has: {', '.join(sorted(reader.PointData.keys()))}")

    bodies, parts = with_colour_field(reader, args.colour), []
    if os.path.isfile(beside["surfaces"]) and "shape" in reader.PointData.keys():
        surfaces, _ = open_series(beside["surfaces"])
        pv.UpdatePipeline(time=rendered[0], proxy=surfaces)
        parts.append((with_colour_field(surfaces, args.colour, "CELLS"), "CELLS"))
        bodies = pv.Threshold(Input=bodies, Scalars=["POINTS", "shape"], LowerThreshold=0, UpperThreshold=0)
    counts = []
    for time in rendered if parts else []:
        pv.UpdatePipeline(time=time, proxy=bodies)
        counts.append(bodies.GetDataInformation().GetNumberOfPoints())
    if not parts or max(counts) > 0:  # a view of nothing but other shapes has no spheres
        parts.insert(0, (sphere_glyphs(bodies, args.radius, args.resolution), "POINTS"))

    # ParaView counts the length of a vector as component -1.
    component = args.component if args.component is not None else -1
    low, high, colours = survey(parts, args.colour, component, rendered)
    if args.range:
        colours = numbers(args.range, 2, "--range")
    if not colours[0] < colours[1]:
        colours[1] = colours[0] + (abs(colours[0]) or 1) * 1e-6

    view = pv.CreateRenderView(ViewSize=size)
    view.OrientationAxesVisibility = 1
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    view.UseFXAA = 1
    show_bodies(view, parts, args, colours)
    if args.walls:
        show_walls(view, beside["walls"])
    if args.chains:
        show_chains(view, beside["chains"], rendered, 0.35 * reader.PointData[args.radius].GetRange(0)[1])
    label = pv.Text(Text="")
    pv.Show(label, view).Color = [0, 0, 0]
    aim(view, low, high, numbers(args.direction, 3, "--direction"), numbers(args.up, 3, "--up"), args.zoom)

    stem, extension = os.path.splitext(args.output or os.path.splitext(args.pvd)[0] + ".png")
    pictures = []
    for frame, time in zip(frames, rendered):
        label.Text = f"t = {time:.4g} s"
        view.ViewTime = time
        pictures.append(f"{stem}{extension}" if len(frames) == 1 else f"{stem}_{frame:04d}{extension}")
        pv.SaveScreenshot(pictures[-1], view, ImageResolution=size)
        print(pictures[-1])
    if args.animation:
        join(pictures, args.animation, args.rate)


if __name__ == "__main__":
    main()
