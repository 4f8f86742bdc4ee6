"""Caching of latents at scale: Mantissa compared with a Python loader, and killed during it.

    python tests/bench/compare_caching.py [--program build/bin/mantissa] [--images 10000] [--kills 5]
           [--size 640x480] [--resolution 128] [--threads 2] [--folder DIR]

Draws the images (JPEG of the size and its transpose, every 500th of them broken), then: (1)
`mantissa train` with one step caches all of them; before that it is killed at random moments, and
after every kill the entries on disk must neither be lost nor rewritten. (2) A Python loop does the
same work on the same cores: PIL decodes, turns, resizes and crops; the same VAE in diffusers
encodes, batch 1; safetensors writes mean and deviation. The faster of two forms counts: a plain
loop, or a DataLoader with two workers. Both sides encode with the VAE of the demo's mini base, in
fp32.
"""

import argparse
import hashlib
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "interop"))
import numpy as np  # noqa: E402
import torch  # noqa: E402
from PIL import Image, ImageOps  # noqa: E402
from safetensors.torch import save_file  # noqa: E402

import mini_base  # noqa: E402


def draw(folder, count, size):
    """`count` images, every 500th of them truncated in the middle."""
    folder.mkdir()
    long, short = max(size), min(size)
    side = 2 * long
    random_ = np.random.default_rng(3)
    base = random_.integers(0, 255, (side, side, 3), dtype=np.uint8)
    smooth = np.asarray(Image.fromarray(base).resize((60, 60)).resize((side, side), Image.Resampling.BICUBIC))
    for i in range(count):
        height, width = (short, long) if i % 3 else (long, short)
        y, x = random_.integers(0, side - long, 2)
        path = folder / f"{i:05}.jpg"
        Image.fromarray(smooth[y : y + height, x : x + width] ^ np.uint8(i % 251)).save(path, quality=90)
        if i % 500 == 499:
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        (folder / f"{i:05}.txt").write_text("a drawing")


def different(folder):
    """Number of distinct readable images: the cache is keyed by content."""
    good = [path for i, path in enumerate(sorted(folder.glob("*.jpg"))) if i % 500 != 499]
    return len(good), len({hashlib.sha256(path.read_bytes()).digest() for path in good})


def entries(home):
    """Finished entries; a killed write may leave a file named .tmp-…"""
    found = {}
    for path in (home / "cache" / "tensors").glob("*/[!.]*.safetensors"):
        status = path.stat()
        found[path.name] = (status.st_ino, status.st_mtime_ns)
    return found


def mantissa(options, home, images, kill_after=None):
    preset = home / "preset.json"
    home.mkdir(exist_ok=True)
    preset.write_text('{"mantissa_preset": 1, "name": "caching", "adapter": {"rank": 1}, "data": {"resolution": %d, '
                      '"buckets": false}, "training": {"steps": 1}}' % options.resolution)
    command = [options.program, "train", preset, "--base", "demo", "--images", images, "--json", "--out",
               tempfile.mkdtemp(dir=home)]
    start = time.perf_counter()
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               env={**os.environ, "MANTISSA_HOME": str(home)})
    if kill_after is not None:
        try:
            process.wait(kill_after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
    errors = process.communicate()[1].decode()
    if kill_after is None and process.returncode != 0:
        sys.exit(f"mantissa failed:\n{errors[-2000:]}")
    return time.perf_counter() - start, process.returncode


class ImageDataset(torch.utils.data.Dataset):
    def __init__(self, folder, resolution):
        self.paths, self.resolution = sorted(folder.glob("*.jpg")), resolution

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        try:
            with Image.open(self.paths[index]) as file:
                image = ImageOps.exif_transpose(file).convert("RGB")
        except OSError:
            return index, torch.zeros(0)
        image = ImageOps.fit(image, (self.resolution, self.resolution), Image.Resampling.LANCZOS)
        return index, torch.from_numpy(np.asarray(image).copy()).permute(2, 0, 1).float() / 127.5 - 1


def python(options, images, out, workers):
    torch.set_num_threads(options.threads)
    vae = mini_base.load_all()[1]
    dataset = ImageDataset(images, options.resolution)
    loader = torch.utils.data.DataLoader(dataset, batch_size=None, num_workers=workers)
    out.mkdir()
    start, done = time.perf_counter(), 0
    with torch.inference_mode():
        for index, image in loader:
            if image.numel() == 0:
                continue
            latent = vae.encode(image[None]).latent_dist
            save_file({"mean": latent.mean[0].contiguous(), "std": latent.std[0].contiguous()},
                      out / f"{index:05}.safetensors")
            done += 1
    return time.perf_counter() - start, done


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(mini_base.ROOT / "build" / "bin" / "mantissa"))
    parser.add_argument("--images", type=int, default=10000)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--size", default="640x480", help="of the images, in px")
    parser.add_argument("--resolution", type=int, default=128)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", help="where to work; a temporary folder when absent")
    options = parser.parse_args()
    failures = mini_base.Failures()
    with tempfile.TemporaryDirectory(dir=options.folder) as scratch:
        root = pathlib.Path(scratch)
        images = root / "images"
        start = time.perf_counter()
        draw(images, options.images, [int(side) for side in options.size.split("x")])
        print(f"drew {options.images} images of {options.size} in {time.perf_counter() - start:.0f} s", flush=True)
        good, contents = different(images)
        took, _ = mantissa(options, root / "whole", images)
        print(f"cached by mantissa in {took:.0f} s", flush=True)
        count = len(entries(root / "whole"))
        failures.require(f"{contents} different images and the caption are cached", count == contents + 1, str(count))
        again, _ = mantissa(options, root / "whole", images)

        moments, before = random.Random(5), {}
        for number in range(options.kills):
            _, code = mantissa(options, root / "killed", images, moments.uniform(0.4, 0.9) * took / (options.kills + 1))
            now = entries(root / "killed")
            failures.require(f"kill {number}: {len(now)} entries, none lost, none written again",
                             code == -signal.SIGKILL and len(now) > len(before)
                             and all(now.get(k) == v for k, v in before.items()), f"exit {code}")
            before = now
        mantissa(options, root / "killed", images)
        now = entries(root / "killed")
        failures.require("after the kills: all there, none written again",
                         set(now) == set(entries(root / "whole")) and all(now[k] == v for k, v in before.items()))

        plain, done = python(options, images, root / "plain", 0)
        workers, _ = python(options, images, root / "workers", 2)
        failures.require("Python encoded the same images", done == good, str(done))
        print(f"\n{good} images of {options.size} at {options.resolution} px, {options.threads} threads, "
              f"load {os.getloadavg()[0]:.1f}\n"
              "| program | seconds | images a second |\n|---|---|---|")
        for label, seconds in (("Mantissa, the whole run with one step", took), ("Mantissa, everything cached", again),
                               ("Python loop", plain), ("Python DataLoader, 2 workers", workers)):
            print(f"| {label} | {seconds:.1f} | {good / seconds:.0f} |")
    failures.exit()


if __name__ == "__main__":
    main()
