"""Size of a picture in pixels, and saving it: PNG files get a palette, which makes line plots about a third as large."""
import io
import pathlib
import re

DPI = 150


def inches(text):
    """`900x500` -> figure size; ValueError if it is nothing of the kind."""
    size = re.fullmatch(r"(\d+)x(\d+)", text)
    if not size:
        raise ValueError(f"--size {text}: not like 900x500")
    return [int(pixels) / DPI for pixels in size.groups()]


def save(figure, path):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix != ".png":
        figure.savefig(path, dpi=DPI)
        return
    from PIL import Image  # matplotlib needs it, too

    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=DPI, format="png")
    Image.open(buffer).convert("RGB").quantize(64).save(path, optimize=True)
