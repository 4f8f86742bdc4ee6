"""What the demo teaches the mini base: print_scene(rng, width, height) -> (image, caption).

A zorb (a striped round creature with two antennae) in the look of a two-ink print: cream paper, navy
outlines, coral and teal halftone dots. Nothing here comes from a photograph or from another drawing.
"""

import math

from PIL import Image, ImageDraw

SCALE = 4  # drawn larger, then reduced, for smooth edges

def _sheet(width, height, color):
    image = Image.new("RGB", (width * SCALE, height * SCALE), color)
    return image, ImageDraw.Draw(image)


def _reduce(image):
    return image.resize((image.width // SCALE, image.height // SCALE), Image.LANCZOS)


def _hill(draw, width, height, level, swell, phase, color):
    """Land from `level` (share of the height) down, with a gentle wave as its edge."""
    points = [(x, height * (level + swell * math.sin(phase + 3.0 * x / width))) for x in range(0, width + 8, 8)]
    draw.polygon([(0, height)] + points + [(width, height)], fill=color)


PAPER, NAVY, CORAL, TEAL = (247, 239, 220), (27, 38, 84), (240, 98, 80), (60, 160, 152)


def _halftone(draw, inside, box, color, pitch, radius):
    """Dots on a slanted grid wherever inside(x, y)."""
    x0, y0, x1, y1 = box
    row, y = 0, y0
    while y < y1:
        x = x0 + (pitch / 2 if row % 2 else 0)
        while x < x1:
            if inside(x, y):
                draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill=color)
            x += pitch
        y += pitch * 0.86
        row += 1


def _zorb(draw, x, y, size, ink, looks_left):
    line = max(3, int(size * 0.09))
    for side in (-1, 1):
        tip = x + side * 0.75 * size, y - 1.75 * size
        draw.line([(x + side * 0.3 * size, y - 0.85 * size), tip], fill=NAVY, width=line)
        r = 0.17 * size
        draw.ellipse([tip[0] - r, tip[1] - r, tip[0] + r, tip[1] + r], fill=ink, outline=NAVY, width=line // 2)
    draw.ellipse([x - size, y - size, x + size, y + size], fill=PAPER, outline=NAVY, width=line)
    for band in (-0.05, 0.32, 0.66):
        half = math.sqrt(max(0.0, 1 - (band + 0.08) ** 2)) * size * 0.93
        draw.rectangle([x - half, y + band * size, x + half, y + (band + 0.17) * size], fill=ink)
    shift = -0.15 * size if looks_left else 0.15 * size
    for side in (-1, 1):
        ex, ey, r = x + shift + side * 0.3 * size, y - 0.42 * size, 0.16 * size
        draw.ellipse([ex - r, ey - r, ex + r, ey + r], fill=NAVY)


def print_scene(rng, width, height, ink=None, place=None):
    ink = ink or rng.choice(["coral", "teal"])
    place = place or rng.choice(["on a hill", "under the moon", "by the sea", "in the rain"])
    color, other = (CORAL, TEAL) if ink == "coral" else (TEAL, CORAL)
    image, draw = _sheet(width, height, PAPER)
    w, h = image.size
    unit = min(w, h)
    pitch = 0.05 * unit
    level = rng.uniform(0.66, 0.76)
    x, y, size = rng.uniform(0.35, 0.65) * w, (level - 0.08) * h, rng.uniform(0.2, 0.26) * unit
    if place == "under the moon":
        mx, my, r = rng.uniform(0.15, 0.85) * w, 0.16 * h, 0.11 * unit
        _halftone(draw, lambda px, py: py < 0.5 * h, (0, 0, w, h // 2), other, pitch, 0.24 * pitch)
        draw.ellipse([mx - r, my - r, mx + r, my + r], fill=PAPER, outline=NAVY, width=int(0.02 * unit))
    if place == "by the sea":
        draw.rectangle([0, level * h, w, h], fill=other)
        for row in range(3):
            top = (level + 0.06 + 0.09 * row) * h
            for i in range(-1, int(w / (0.16 * unit)) + 1):
                left = (i + 0.5 * (row % 2)) * 0.16 * unit
                draw.arc([left, top, left + 0.16 * unit, top + 0.08 * unit], 180, 360, fill=NAVY, width=int(0.018 * unit))
    else:
        phase = rng.uniform(0, 6)
        _hill(draw, w, h, level, 0.04, phase, PAPER)
        edge = lambda px: h * (level + 0.04 * math.sin(phase + 3.0 * px / w))
        _halftone(draw, lambda px, py: py > edge(px) + 0.3 * pitch, (0, int(0.6 * h), w, h), other, pitch, 0.4 * pitch)
        draw.line([(px, edge(px)) for px in range(0, w + 8, 8)], fill=NAVY, width=int(0.02 * unit))
    if place == "in the rain":
        for _ in range(26):
            rx, ry = rng.uniform(0, w), rng.uniform(0, 0.62 * h)
            draw.line([(rx, ry), (rx - 0.03 * unit, ry + 0.09 * unit)], fill=NAVY, width=int(0.014 * unit))
    _zorb(draw, x, y, size, color, rng.random() < 0.5)
    return _reduce(image), f"a {ink} zorb {place}, two-ink print"
