"""resources/cuda_libraries.json names the files of the package index, with their sizes and hashes.

Skipped (status 77) where the index can't be reached.
"""
import pathlib
import subprocess
import sys
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
import cuda_libraries  # noqa: E402

SKIPPED = 77


def main():
    try:
        with urllib.request.urlopen(cuda_libraries.INDEX + "/nvidia-cublas/", timeout=30) as answer:
            answer.read(1)
        cuda_libraries.main(["--check"])
    except (urllib.error.URLError, TimeoutError, ConnectionError, subprocess.CalledProcessError) as e:
        print(f"cuda_libraries_test.py: skipped: {e}")
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
