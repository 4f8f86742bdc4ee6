"""Writes the image fixtures: small files of every kind the loader must read or refuse, and
expected.json with the required results; resize_bytes.json has SHA-256 of what Pillow scales.

    python tests/golden/make_images.py tests/golden/images

Pixels are checked at the centres of 8 x 8 blocks. Expected colours come from Pillow (and, for
colour profiles, from LittleCMS through Pillow), never from the code under test.
"""

import hashlib
import io
import json
import pathlib
import random
import struct
import sys
import zlib

from PIL import Image, ImageCms, ImageOps

OUT = pathlib.Path(sys.argv[1])
EXPECTED = {}
COLOURS = [(220, 30, 40), (30, 200, 60), (40, 60, 210), (240, 240, 20), (10, 10, 10), (250, 250, 250)]


def blocks():
    image = Image.new("RGB", (24, 16))
    for i, colour in enumerate(COLOURS):
        image.paste(colour, (i % 3 * 8, i // 3 * 8, i % 3 * 8 + 8, i // 3 * 8 + 8))
    return image


def noise(width, height, seed=3):
    rng = random.Random(seed)
    return Image.frombytes("RGB", (width, height), bytes(rng.randrange(256) for _ in range(width * height * 3)))


def samples(image):
    return [[x, y, *image.getpixel((x, y))] for y in range(4, image.height, 8) for x in range(4, image.width, 8)]


def good(name, data, image, tolerance=0, notice="", pages=1, format=None):
    (OUT / name).write_bytes(data)
    EXPECTED[name] = {"width": image.width, "height": image.height, "tolerance": tolerance, "notice": notice,
                      "pages": pages, "format": format, "samples": samples(image.convert("RGB"))}


def bad(name, data, error):
    (OUT / name).write_bytes(data)
    EXPECTED[name] = {"error": error}


def saved(image, format, **options):
    buffer = io.BytesIO()
    image.save(buffer, format, **options)
    return buffer.getvalue()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, bits, colour_type, rows, extra=b""):
    raw = b"".join(b"\0" + row for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, colour_type, 0, 0, 0))
            + extra + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def tiff16(image):
    """An uncompressed 16-bit RGB TIFF; each value v is stored as 257 v."""
    data = b"".join(struct.pack("<H", v * 257) for v in image.tobytes())
    bits_at = 8 + 2 + 10 * 12 + 4
    tags = [(256, 3, 1, image.width), (257, 3, 1, image.height), (258, 3, 3, bits_at), (259, 3, 1, 1), (262, 3, 1, 2),
            (273, 4, 1, bits_at + 6), (277, 3, 1, 3), (278, 3, 1, image.height), (279, 4, 1, len(data)), (284, 3, 1, 1)]
    ifd = struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", *t) for t in tags) + b"\0\0\0\0"
    return b"II*\0\x08\0\0\0" + ifd + struct.pack("<HHH", 16, 16, 16) + data


def wide_profile():
    """A matrix profile with Adobe-RGB-like primaries (D50) and gamma 2.2."""
    def xyz(x, y, z):
        return b"XYZ \0\0\0\0" + struct.pack(">iii", *(round(v * 65536) for v in (x, y, z)))
    curve = b"curv\0\0\0\0" + struct.pack(">IH", 1, round(2.2 * 256)) + b"\0\0"
    text = b"wide test\0"
    desc = b"desc\0\0\0\0" + struct.pack(">I", len(text)) + text + bytes(78)
    desc += bytes(-len(desc) % 4)
    copy = b"text\0\0\0\0none\0\0\0\0"
    parts = [(b"desc", desc), (b"cprt", copy), (b"wtpt", xyz(0.9642, 1.0, 0.8249)),
             (b"rXYZ", xyz(0.60974, 0.31111, 0.01947)), (b"gXYZ", xyz(0.20528, 0.62567, 0.06087)),
             (b"bXYZ", xyz(0.14919, 0.06322, 0.74457)), (b"rTRC", curve), (b"gTRC", curve), (b"bTRC", curve)]
    table, body, at = b"", b"", 128 + 4 + 12 * len(parts)
    for tag, data in parts:
        table += tag + struct.pack(">II", at + len(body), len(data))
        body += data
    size = at + len(body)
    header = struct.pack(">I4sI4s4s4s12s4s", size, b"\0\0\0\0", 0x02100000, b"mntr", b"RGB ", b"XYZ ",
                         struct.pack(">6H", 2024, 1, 1, 0, 0, 0), b"acsp")
    header += bytes(68 - len(header)) + struct.pack(">iii", 63190, 65536, 54061)
    return header + bytes(128 - len(header)) + struct.pack(">I", len(parts)) + table + body


def oriented(image, orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif.tobytes()


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    base = blocks()
    for orientation in range(1, 9):
        data = saved(base, "JPEG", quality=95, subsampling=0, exif=oriented(base, orientation))
        good(f"exif{orientation}.jpg", data, ImageOps.exif_transpose(Image.open(io.BytesIO(data))), 6, format="jpeg")
    data = saved(base, "PNG", exif=oriented(base, 6))
    good("exif6.png", data, ImageOps.exif_transpose(Image.open(io.BytesIO(data))), format="png")
    data = saved(base, "WEBP", lossless=True, exif=oriented(base, 8))
    good("exif8.webp", data, ImageOps.exif_transpose(Image.open(io.BytesIO(data))), format="webp")
    data = saved(base, "TIFF", tiffinfo={274: 3})
    good("exif3.tiff", data, ImageOps.exif_transpose(Image.open(io.BytesIO(data))), format="tiff")

    good("rgb.png", saved(base, "PNG"), base, format="png")
    good("rgb.bmp", saved(base, "BMP"), base, format="bmp")
    good("rgb.tiff", saved(base, "TIFF"), base, format="tiff")
    good("deflate.tiff", saved(base, "TIFF", compression="tiff_adobe_deflate"), base, format="tiff")
    good("lossless.webp", saved(base, "WEBP", lossless=True), base, format="webp")
    good("lossy.webp", saved(base, "WEBP", quality=90), base, 24, format="webp")
    good("progressive.jpg", saved(base, "JPEG", quality=95, subsampling=0, progressive=True), base, 6, format="jpeg")
    good("subsampled.jpg", saved(base, "JPEG", quality=90, subsampling=2), base, 40, format="jpeg")
    good("rgb.avif", saved(base, "AVIF", quality=95, subsampling="4:4:4"), base, 12, format="heif")
    palette = base.quantize(8, method=Image.Quantize.MEDIANCUT)
    good("palette.png", saved(palette, "PNG"), palette.convert("RGB"), format="png")
    good("palette.bmp", saved(palette, "BMP"), palette.convert("RGB"), format="bmp")
    good("still.gif", saved(palette, "GIF"), palette.convert("RGB"), format="gif")
    grey = base.convert("L")
    good("grey.png", saved(grey, "PNG"), grey.convert("RGB"), 1, format="png")
    good("grey.jpg", saved(grey, "JPEG", quality=95), grey.convert("RGB"), 6, format="jpeg")
    bilevel = base.convert("1", dither=Image.Dither.NONE)
    good("bilevel.png", saved(bilevel, "PNG"), bilevel.convert("RGB"), format="png")
    good("bilevel.bmp", saved(bilevel, "BMP"), bilevel.convert("RGB"), format="bmp")

    white = Image.new("RGBA", base.size, (255, 255, 255, 255))
    alpha = Image.new("L", base.size, 255)
    alpha.paste(0, (8, 0, 16, 8))
    alpha.paste(128, (16, 0, 24, 8))
    rgba = base.copy()
    rgba.putalpha(alpha)
    flat = Image.alpha_composite(white, rgba).convert("RGB")
    good("rgba.png", saved(rgba, "PNG"), flat, 2, format="png")
    good("rgba.webp", saved(rgba, "WEBP", lossless=True, exact=True), flat, 2, format="webp")
    grey_alpha = grey.copy()
    grey_alpha.putalpha(alpha)
    good("grey_alpha.png", saved(grey_alpha, "PNG"),
         Image.alpha_composite(white, grey_alpha.convert("RGBA")).convert("RGB"), 2, format="png")
    clear = palette.copy()
    index = clear.getpixel((12, 4))
    data = saved(clear, "PNG", transparency=index)
    shown = Image.alpha_composite(white, Image.open(io.BytesIO(data)).convert("RGBA")).convert("RGB")
    good("palette_clear.png", data, shown, 1, format="png")

    rows16 = [b"".join(struct.pack(">H", v * 257) for x in range(24) for v in base.getpixel((x, y))) for y in range(16)]
    good("rgb16.png", png(24, 16, 16, 2, rows16), base, 1, format="png")
    rows16a = [b"".join(struct.pack(">HHHH", *(v * 257 for v in rgba.getpixel((x, y)))) for x in range(24)) for y in range(16)]
    good("rgba16.png", png(24, 16, 16, 6, rows16a), flat, 2, format="png")
    rows_grey16 = [b"".join(struct.pack(">H", grey.getpixel((x, y)) * 257) for x in range(24)) for y in range(16)]
    good("grey16.png", png(24, 16, 16, 0, rows_grey16), grey.convert("RGB"), 1, format="png")
    good("rgb16.tiff", tiff16(base), base, 1, format="tiff")

    # CMYK without profile: the exact colours depend on the ink model, so the bounds are wide; what
    # must hold is that inverted (Adobe) values aren't inverted.
    cmyk = base.convert("CMYK")
    good("cmyk.jpg", saved(cmyk, "JPEG", quality=95), base, 90, format="jpeg")
    good("cmyk.tiff", saved(cmyk, "TIFF"), base, 90, format="tiff")

    profile = wide_profile()
    transform = ImageCms.buildTransform(ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB"),
                                        "RGB", "RGB", renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC)
    muted = base.point(lambda v: 60 + v // 2)
    converted = ImageCms.applyTransform(muted, transform)
    assert samples(converted) != samples(muted)
    good("profile.png", saved(muted, "PNG", icc_profile=profile), converted, 3, format="png")
    good("profile.jpg", saved(muted, "JPEG", quality=95, subsampling=0, icc_profile=profile), converted, 7, format="jpeg")
    good("broken_profile.jpg", saved(base, "JPEG", quality=95, subsampling=0, icc_profile=b"not a profile" * 20), base, 6,
         notice="colour profile", format="jpeg")

    frames = [base, ImageOps.invert(base), ImageOps.mirror(base)]
    good("animated.webp", saved(base, "WEBP", lossless=True, save_all=True, append_images=frames[1:], duration=100), base,
         notice="first of its 3", pages=3, format="webp")
    gifs = [f.quantize(8, method=Image.Quantize.MEDIANCUT) for f in frames]
    good("animated.gif", saved(gifs[0], "GIF", save_all=True, append_images=gifs[1:], duration=100), gifs[0].convert("RGB"),
         notice="first of its 3", pages=3, format="gif")
    good("pages.tiff", saved(base, "TIFF", save_all=True, append_images=frames[1:]), base,
         notice="first of its 3", pages=3, format="tiff")
    good("wrong_extension.jpg", saved(base, "PNG"), base, format="png")
    good("no_extension", saved(base, "PNG"), base, format="png")

    big = noise(64, 64)
    for name, data in {"jpg": saved(big, "JPEG", quality=90), "png": saved(big, "PNG"),
                       "webp": saved(big, "WEBP", lossless=True), "tiff": saved(big, "TIFF"), "bmp": saved(big, "BMP"),
                       "gif": saved(big.quantize(64), "GIF"), "avif": saved(big, "AVIF", quality=80)}.items():
        bad(f"cut10.{name}", data[:len(data) // 10], f"cut10.{name}")
        if name in ("jpg", "png", "webp", "bmp", "gif"):
            bad(f"cut60.{name}", data[:len(data) * 6 // 10], "truncated")
    damaged = bytearray(saved(big, "PNG"))
    damaged[len(damaged) // 2] ^= 0xff
    bad("damaged.png", bytes(damaged), "damaged")
    bad("bomb.png", b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 65000, 65000, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b""), "65000 x 65000")
    header = bytearray(saved(base, "BMP"))
    header[18:26] = struct.pack("<ii", 65000, 65000)
    bad("bomb.bmp", bytes(header), "65000 x 65000")
    bad("empty.png", b"", "0 bytes")
    bad("text.png", b"this is a caption, not an image\n", "no image by its content")
    bad("page.jpg", b"<!DOCTYPE html><html><body>404</body></html>", "no image by its content")
    bad("drawing.png", b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>', "no image by its content")
    bad("document.jpg", b"%PDF-1.4\n%%EOF\n", "no image by its content")
    bad("rle.bmp", bytes(header[:18]) + struct.pack("<iiHHIIiiII", 4, 4, 1, 8, 1, 0, 0, 0, 0, 0) + bytes(1100), "compression")

    source = noise(40, 30, seed=5)
    source.save(OUT / "resize_source.png")
    for width, height in ((17, 23), (55, 41), (40, 30), (7, 60)):
        # Channel by channel in float: the 8-bit path clips and rounds between its two passes.
        planes = [plane.convert("F").resize((width, height), Image.Resampling.LANCZOS).point(lambda v: v * 1 + 0.5)
                  for plane in source.split()]
        planes = [Image.frombytes("L", plane.size, bytes(int(min(max(v, 0), 255)) for v in struct.unpack(
            f"<{width * height}f", plane.tobytes()))) for plane in planes]
        Image.merge("RGB", planes).save(OUT / f"resize_{width}x{height}.png")
    sums = {f"{width}x{height}": hashlib.sha256(source.resize((width, height), Image.Resampling.LANCZOS).tobytes()).hexdigest()
            for width, height in ((17, 23), (55, 41), (40, 60), (7, 30))}
    (OUT / "resize_bytes.json").write_text(json.dumps(sums, indent=1) + "\n")
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(EXPECTED[name])}" for name in sorted(EXPECTED))
    (OUT / "expected.json").write_text("{\n" + lines + "\n}\n")
    print(len(EXPECTED), "fixtures,", sum(f.stat().st_size for f in OUT.iterdir()), "bytes")


if __name__ == "__main__":
    main()
