#!/usr/bin/env bash
# Fetches to DEST what building the CUDA library needs, from NVIDIA's packages on PyPI: cuDNN's
# frontend headers, the disassembler with which tests/kernels/gate reads kernels (4 MB), and with
# `all` the compiler, the runtime, cuBLAS and cuDNN too (about 1 GB).
#   bash packaging/fetch_cuda.sh build/cuda        beside an installed CUDA Toolkit 13 with cuDNN 9
#   bash packaging/fetch_cuda.sh build/cuda all    where there is none
set -euo pipefail

dest=${1:?usage: fetch_cuda.sh DEST [all]}
# From 1.19 on the headers need NVRTC for engines that we do not use.
packages=(nvidia-cudnn-frontend==1.18.0 nvidia-cuda-nvdisasm==13.2.51)
done_mark=include/cudnn_frontend.h
if [ "${2-}" = all ]; then
  packages+=(nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88
    nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85 nvidia-cublas==13.1.0.3
    nvidia-cudnn-cu13==9.19.0.56)
  done_mark=bin/nvcc
fi
frontend_terms=licenses/cudnn-frontend/LICENSE.txt
if [ -e "$dest/$done_mark" ] && [ -e "$dest/bin/nvdisasm" ] && [ -e "$dest/$frontend_terms" ]; then
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python=${PYTHON:-python3}
if ! "$python" -m pip --version >/dev/null 2>&1; then
  if ! "$python" -m venv "$work/venv" >/dev/null 2>&1; then
    echo "fetch_cuda.sh: $python has neither pip nor venv; install python3-pip (or python3-venv)" >&2
    exit 2
  fi
  python=$work/venv/bin/python
fi
"$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
  --dest "$work/wheels" "${packages[@]}"
"$python" - "$work/wheels" "$work/root" "$frontend_terms" <<'PY'
# The wheels hold nvidia/cu13/{bin,include,lib,nvvm}, nvidia/cudnn/{include,lib} and include/.
import pathlib, sys, zipfile
root, frontend_terms = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[2]) / sys.argv[3]
frontend_terms.parent.mkdir(parents=True)
prefixes = ("nvidia/cu13/", "nvidia/cudnn/", "include/")
for wheel in pathlib.Path(sys.argv[1]).glob("*.whl"):
    with zipfile.ZipFile(wheel) as archive:
        for info in archive.infolist():
            if wheel.name.startswith("nvidia_cudnn_frontend") and \
                    info.filename.endswith(".dist-info/licenses/LICENSE.txt"):
                frontend_terms.write_bytes(archive.read(info))
            prefix = next((p for p in prefixes if info.filename.startswith(p)), None)
            if prefix is None or info.is_dir():
                continue
            inner = info.filename if prefix == "include/" else info.filename[len(prefix):]
            file = root / inner
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(archive.read(info))
            file.chmod(0o755 if "/bin/" in "/" + inner else 0o644)
# The linker looks for names without versions.
for library in (root / "lib").glob("*.so.*") if (root / "lib").is_dir() else ():
    plain = library.with_name(library.name.split(".so.")[0] + ".so")
    if not plain.exists():
        plain.symlink_to(library.name)
PY
mkdir -p "$dest"
cp -a "$work/root/." "$dest/"
# nvcc looks for its libraries where the toolkit has them.
if [ -d "$dest/lib" ] && [ ! -e "$dest/lib64" ]; then ln -s lib "$dest/lib64"; fi
