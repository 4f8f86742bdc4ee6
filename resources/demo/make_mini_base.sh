#!/usr/bin/env bash
# Rebuilds resources/demo/mini-sdxl.safetensors with `mantissa` alone: draws the images, trains the
# VAE, then the UNet and both text encoders (training.method full), and evaluates the result.
#
#   PYTHON=python3 bash resources/demo/make_mini_base.sh build/bin/mantissa WORK_FOLDER
#
# PYTHON needs numpy, scipy and Pillow, to draw and to evaluate. Times and losses: mini-base/README.md.
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
python=${PYTHON:-python3}
cd "$(dirname "$0")"

# train NAME BASE IMAGES: by mini-base/NAME.json; continues what an earlier call left unfinished.
train() {
  if compgen -G "$work/$1/*.safetensors" >/dev/null; then return; fi
  if compgen -G "$work/$1/checkpoints/step-*" >/dev/null; then
    "$program" train --resume "$work/$1"
  else
    "$program" train "mini-base/$1.json" --base "$2" --images "$3" --out "$work/$1"
  fi
}

"$python" draw.py cuts "$work/cuts" --count 6000
"$python" draw.py shapes "$work/shapes" --count 4000
"$program" new --like mini-base --seed 7 --dtype fp32 --out "$work/random.safetensors"
train vae "$work/random.safetensors" "$work/cuts"
"$program" new --like mini-base --vae "$work/vae/mini-vae.safetensors" --seed 7 --dtype fp32 \
  --out "$work/start.safetensors"
train base "$work/start.safetensors" "$work/shapes"
train base-2 "$work/base/mini-base.safetensors" "$work/shapes"
cp "$work/base-2/mini-base.safetensors" mini-sdxl.safetensors
for name in vae base base-2; do
  "$program" runs metrics "$work/$name" --csv | awk -F, 'NR == 1 || NR % 50 == 2 { print $1 "," $2 "," $3 }' > "mini-base/$name-loss.csv"
done

"$python" judge.py --captions 200 > "$work/held-out.txt"
"$program" sample --base mini-sdxl.safetensors --prompts "$work/held-out.txt" --guidance 2 --steps 20 \
  --out "$work/held-out"
"$python" judge.py --errors 300
"$python" judge.py "$work/held-out" "$work/held-out.txt" --at-least 0.8
