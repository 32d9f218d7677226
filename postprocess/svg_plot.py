"""Line plots as SVG text for HTML pages: no packages, and colours come from the page (light or dark)."""
import html
import math

WIDTH, HEIGHT = 560, 220
LEFT, RIGHT, TOP, BOTTOM = 64, 12, 10, 38
POINTS = 600  # a curve with more is thinned, keeping lowest and highest of each bin


def ticks(low, high, count=5):
    """About `count` round numbers from low to high."""
    if not high > low:
        return [low]
    raw = (high - low) / count
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * f for f in (1, 2, 2.5, 5, 10) if power * f >= raw * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def number(value):
    """Short, without rounding dust."""
    if value == 0 or abs(value) < 1e-300:
        return "0"
    if 1e-3 <= abs(value) < 1e5:
        return f"{value:.6g}"
    mantissa, exponent = f"{value:.3g}".split("e") if "e" in f"{value:.3g}" else f"{value:.2e}".split("e")
    return f"{float(mantissa):g}e{int(exponent)}"


def thinned(x, y):
    """Pairs of finite values, at most about POINTS of them."""
    pairs = [(float(a), float(b)) for a, b in zip(x, y) if math.isfinite(a) and math.isfinite(b)]
    size = 2 * len(pairs) // POINTS
    if size < 2:
        return pairs
    result = []
    for start in range(0, len(pairs), size):
        bin_ = pairs[start:start + size]
        extremes = {min(bin_, key=lambda p: p[1]), max(bin_, key=lambda p: p[1])}
        result += sorted(extremes)
    return result


def line_plot(curves, x_label, y_label, logarithmic=False, steps=False):
    """`curves`: [(name, x, y)]. Empty text if nothing can be drawn. steps: values hold until the next x (histograms)."""
    drawn = []
    for name, x, y in curves:
        y = [abs(v) if v else math.nan for v in y] if logarithmic else y
        pairs = thinned(x, y)
        if pairs:
            drawn.append((name, pairs))
    if not drawn:
        return ""
    xs = [p[0] for _, pairs in drawn for p in pairs]
    ys = [math.log10(p[1]) if logarithmic else p[1] for _, pairs in drawn for p in pairs]
    x0, x1, y0, y1 = min(xs), max(xs), min(ys), max(ys)
    if logarithmic:
        y0, y1 = math.floor(y0), math.ceil(y1)
    if not y1 > y0:
        y0, y1 = y0 - (abs(y0) or 1) * 0.1, y1 + (abs(y1) or 1) * 0.1
    elif not logarithmic:
        margin = 0.04 * (y1 - y0)
        y0, y1 = (y0 if y0 == 0 else y0 - margin), y1 + margin
    if not x1 > x0:
        x0, x1 = x0 - 0.5, x1 + 0.5

    def place(x, y):
        v = math.log10(y) if logarithmic else y
        return (LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - (v - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM))

    out = [f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(y_label)} over {html.escape(x_label)}">']
    levels = range(int(y0), int(y1) + 1, max(1, math.ceil((y1 - y0) / 5))) if logarithmic else ticks(y0, y1, 4)
    for level in levels:
        _, py = place(x0, 10.0 ** level if logarithmic else level)
        out.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{py:.1f}" y2="{py:.1f}"/>')
        out.append(f'<text class="tick" x="{LEFT - 6}" y="{py + 4:.1f}" text-anchor="end">{number(10.0 ** level if logarithmic else level)}</text>')
    for mark in ticks(x0, x1, 6):
        px = LEFT + (mark - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT)
        out.append(f'<text class="tick" x="{px:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{number(mark)}</text>')
    out.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{HEIGHT - BOTTOM}" y2="{HEIGHT - BOTTOM}"/>')
    out.append(f'<text class="label" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 4}" text-anchor="middle">{html.escape(x_label)}</text>')
    for k, (name, pairs) in enumerate(drawn):
        spots = [place(x, y) for x, y in pairs]
        path = f"M{spots[0][0]:.1f},{spots[0][1]:.1f}"
        for px, py in spots[1:]:
            path += f"H{px:.1f}V{py:.1f}" if steps else f"L{px:.1f},{py:.1f}"
        out.append(f'<path class="curve c{k % 6}" data-points="{len(pairs)}" d="{path}"><title>{html.escape(name)}</title></path>')
    out.append("</svg>")
    if len(drawn) > 1:
        out.append('<p class="legend">' + "".join(f'<span class="key c{k % 6}">{html.escape(name)}</span>' for k, (name, _) in enumerate(drawn)) + "</p>")
    return "".join(out)
