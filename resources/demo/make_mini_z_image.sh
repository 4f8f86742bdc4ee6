#!/usr/bin/env bash
# Rebuilds resources/demo/mini-z-image with `mantissa` alone: draws the images, trains the transformer and
# the text encoder (training.method full) on latents of the mini base's VAE, and evaluates the result.
#
#   PYTHON=python3 bash resources/demo/make_mini_z_image.sh build/bin/mantissa WORK_FOLDER
#
# PYTHON needs numpy, scipy and Pillow, to draw and to evaluate, and tokenizers. Times and losses:
# mini-base/README.md.
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
python=${PYTHON:-python3}
cd "$(dirname "$0")"

"$python" make_tokenizer.py mini-z-image/tokenizer
"$python" draw.py shapes "$work/shapes" --count 4000
if compgen -G "$work/run/checkpoints/step-*" >/dev/null; then  # continues an interrupted run
  "$program" train --resume "$work/run"
else
  "$program" new --like mini-z-image --vae mini-sdxl.safetensors --seed 7 --out "$work/start" --overwrite
  "$program" train mini-base/z-image.json --base "$work/start" --images "$work/shapes" --out "$work/run"
fi
cp -r "$work/run/mini-z-image/." mini-z-image/
"$program" runs metrics "$work/run" --csv |
  awk -F, 'NR == 1 || NR % 50 == 2 { print $1 "," $2 "," $3 }' > mini-base/z-image-loss.csv

"$python" judge.py --captions 200 > "$work/held-out.txt"
"$program" sample --base mini-z-image --prompts "$work/held-out.txt" --width 128 --height 128 \
  --guidance 2 --steps 20 --out "$work/held-out"
"$python" judge.py "$work/held-out" "$work/held-out.txt" --at-least 0.8
