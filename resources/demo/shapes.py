"""The shapes that the mini base knows: one shape on a plain ground, with a caption that says all of it.

A scene is (texture, color, shape, place, ground); `caption` words it and `draw` draws it. One triple of
color, shape and place in five is held out: no training image shows it, and the base is judged on it.
"""

import itertools
import math

from PIL import Image, ImageDraw

SCALE = 4  # drawn larger, then reduced, for smooth edges

COLORS = {"red": (220, 38, 44), "yellow": (244, 214, 44), "green": (38, 160, 72), "blue": (36, 92, 216),
          "purple": (136, 60, 190)}
SHAPES = ["circle", "square", "triangle", "star", "cross", "ring"]
PLACES = {"on the left": (0.27, 0.5), "on the right": (0.73, 0.5), "at the top": (0.5, 0.27),
          "at the bottom": (0.5, 0.73), "in the middle": (0.5, 0.5)}
TEXTURES = ["", "striped", "dotted"]
GROUNDS = {"white": (245, 245, 245), "gray": (150, 152, 156), "black": (28, 28, 32), "cream": (247, 236, 208)}

TRIPLES = list(itertools.product(COLORS, SHAPES, PLACES))


def held_out(color, shape, place):
    """A Latin rule: every pair of attributes is still shown, in other company."""
    return (list(COLORS).index(color) + 2 * SHAPES.index(shape) + list(PLACES).index(place)) % 5 == 0


def caption(texture, color, shape, place, ground):
    words = [texture, color, shape] if texture else [color, shape]
    article = "an" if words[0][0] in "aeiou" else "a"
    return f"{article} {' '.join(words)} {place}, {ground} background"


def scenes(rng, count, held=False):
    """`count` scenes drawn from those that are (not) held out."""
    triples = [t for t in TRIPLES if held_out(*t) == held]
    for _ in range(count):
        yield (rng.choice(TEXTURES), *rng.choice(triples), rng.choice(list(GROUNDS)))


def outline(draw, shape, x, y, r, fill):
    if shape in ("circle", "ring"):
        draw.ellipse([x - r, y - r, x + r, y + r], fill=fill)
        if shape == "ring":
            draw.ellipse([x - 0.5 * r, y - 0.5 * r, x + 0.5 * r, y + 0.5 * r], fill=0)
    elif shape == "square":
        a = 0.88 * r
        draw.rectangle([x - a, y - a, x + a, y + a], fill=fill)
    elif shape == "triangle":
        draw.polygon([(x, y - r), (x + 1.05 * r, y + 0.85 * r), (x - 1.05 * r, y + 0.85 * r)], fill=fill)
    elif shape == "cross":
        a = 0.36 * r
        draw.rectangle([x - r, y - a, x + r, y + a], fill=fill)
        draw.rectangle([x - a, y - r, x + a, y + r], fill=fill)
    else:
        points = []
        for i in range(10):
            radius, angle = (1.15 * r if i % 2 == 0 else 0.48 * r), math.pi * (i / 5 - 0.5)
            points.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
        draw.polygon(points, fill=fill)


def draw(rng, scene, width=128, height=128):
    texture, color, shape, place, ground = scene
    w, h = width * SCALE, height * SCALE
    unit = min(w, h)
    px, py = PLACES[place]
    x = (px + rng.uniform(-0.03, 0.03)) * w
    y = (py + rng.uniform(-0.03, 0.03)) * h
    r = rng.uniform(0.17, 0.22) * unit
    mask = Image.new("L", (w, h), 0)
    outline(ImageDraw.Draw(mask), shape, x, y, r, 255)
    ink = Image.new("RGB", (w, h), COLORS[color])
    dark = tuple(int(0.55 * c) for c in COLORS[color])
    pen = ImageDraw.Draw(ink)
    if texture == "striped":
        pitch, phase = 0.105 * unit, rng.uniform(0, 1)
        for i in range(-1, 12):
            top = (i + phase) * pitch
            pen.rectangle([0, top, w, top + 0.4 * pitch], fill=dark)
    elif texture == "dotted":
        pitch, phase = 0.115 * unit, (rng.uniform(0, 1), rng.uniform(0, 1))
        for i in range(-1, 11):
            for j in range(-1, 11):
                cx, cy, d = (i + phase[0] + 0.5 * (j % 2)) * pitch, (j + phase[1]) * pitch, 0.27 * pitch
                pen.ellipse([cx - d, cy - d, cx + d, cy + d], fill=dark)
    image = Image.new("RGB", (w, h), GROUNDS[ground])
    image.paste(ink, mask=mask)
    return image.resize((width, height), Image.LANCZOS)
