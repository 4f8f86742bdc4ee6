"""Copies of the demo's images as other programs would make them.

    python tests/golden/make_duplicates.py

Writes tests/golden/duplicates: some as JPEG of quality 80, and one five times as large as JPEG and
WebP, which are decoded at a fraction of their size.
"""
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "tests/golden/duplicates"


def main():
    OUT.mkdir(exist_ok=True)
    for number in (1, 5, 6, 7, 13, 15, 20, 22):
        image = Image.open(ROOT / f"resources/demo/images/zorb_{number:02}.png").convert("RGB")
        image.save(OUT / f"zorb_{number:02}.jpg", quality=80)
    large = Image.open(ROOT / "resources/demo/images/zorb_07.png").convert("RGB")
    large = large.resize((5 * large.width, 5 * large.height), Image.Resampling.LANCZOS)
    large.save(OUT / "large_07.jpg", quality=60)
    large.save(OUT / "large_07.webp", quality=50)


if __name__ == "__main__":
    main()
