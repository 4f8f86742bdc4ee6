"""Zips a folder: the same files with the same times give the same bytes.

    python3 packaging/windows/zip.py FOLDER ZIP
"""
import pathlib
import sys
import zipfile


def main(folder, file):
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            archive.write(path, path.relative_to(folder.parent).as_posix())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*map(pathlib.Path, sys.argv[1:]))
