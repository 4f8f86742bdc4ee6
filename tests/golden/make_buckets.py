"""Writes buckets.txt: the bucket of an image by kohya's rule, transcribed.

    python tests/golden/make_buckets.py

The rule: a side may be `least`, `least` + 64, … `most`; with each goes the longest other side that
is a multiple of 64, is at most `most` and keeps the area within that of the resolution; both
orientations, and the square of the largest multiple of 64. An image of exactly a bucket's size
takes it; others take the bucket whose width / height is nearest to theirs, the first in order of
width and height on ties. The image is scaled until it covers the bucket, the free side rounded half
up, and centre-cropped. The crop passed to the model differs: the image's position if it were scaled
to fit inside the bucket.

Each line: resolution least most, width height, bucket width and height, scaled width and height,
crop left and top, left and top passed to the model.
"""

import math
import pathlib

STEP = 64


def buckets(resolution, least, most):
    area = resolution * resolution
    sizes = {(math.isqrt(area) // STEP * STEP,) * 2}
    for side in range(least, most + 1, STEP):
        other = min(most, area // side // STEP * STEP)
        if other >= least:
            sizes |= {(side, other), (other, side)}
    return sorted(sizes)


def choose(sizes, width, height):
    if (width, height) in sizes:
        return width, height
    aspect = width / height
    errors = [abs(aspect - w / h) for w, h in sizes]
    return sizes[errors.index(min(errors))]


def place(bucket, width, height):
    bw, bh = bucket
    if bw / bh > width / height:
        scale, scaled = bw / width, (bw, math.floor(height * bw / width + 0.5))
    else:
        scale, scaled = bh / height, (math.floor(width * bh / height + 0.5), bh)
    assert scale > 0
    return scaled, ((scaled[0] - bw) // 2, (scaled[1] - bh) // 2)


def told(bucket, width, height):
    bw, bh = bucket
    aspect = width / height
    if bw / bh > aspect:
        return math.floor((bw - bh * aspect) / 2), 0
    return 0, math.floor((bh - bw / aspect) / 2)


def main():
    lines = []
    sizes = [(1024, 1024), (1000, 1500), (1500, 1000), (1920, 1080), (1080, 1920), (4000, 3000), (3000, 4000),
             (832, 1216), (640, 480), (480, 640), (333, 777), (5000, 700), (700, 5000), (1023, 1025), (256, 2048),
             (97, 101), (1280, 720), (768, 1024), (1365, 768), (2048, 858)]
    for resolution, least, most in [(1024, 256, 2048), (1024, 256, 1024), (768, 256, 1536), (512, 256, 1024),
                                    (512, 320, 768), (1000, 256, 2048), (256, 64, 512)]:
        known = buckets(resolution, least, most)
        for width, height in sizes:
            bucket = choose(known, width, height)
            scaled, crop = place(bucket, width, height)
            lines.append(" ".join(str(n) for n in (resolution, least, most, width, height, *bucket, *scaled, *crop,
                                                   *told(bucket, width, height))))
    pathlib.Path(__file__).with_name("buckets.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
