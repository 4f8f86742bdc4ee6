#!/usr/bin/env bash
# make_version.sh MANTISSA FOLDER: files written by this version of the program, kept so that later
# versions are tested on them: FOLDER/{preset.json,run,runs.db}. Uses a separate file system and
# host name, so that nothing of this machine is in them; needs root. Run it once per release:
#   sudo bash tests/golden/make_version.sh build/bin/mantissa tests/golden/versions/0.1.0
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
to=$(realpath "$2")
resources=$(realpath "$(dirname "$0")/../../resources")
PROGRAM=$program TO=$to FROM=$resources unshare --mount --uts bash -euo pipefail -c '
  hostname example
  mkdir -p /srv
  mount -t tmpfs none /srv
  mkdir /srv/home
  cp -r "$FROM" /srv/resources
  export MANTISSA_HOME=/srv/home MANTISSA_RESOURCES=/srv/resources
  "$PROGRAM" presets export sdxl-lora-8gb --set adapter.rank=1 --set data.resolution=64 \
    --set data.batch_size=1 --set training.steps=6 --set output.save_every=2 --set output.name=old \
    --set "adapter.targets=[\"unet.down_blocks.1.*\"]" --set precision.compute=fp32 --set precision.weights.denoiser=fp32 \
    --set optimizer.type=adamw --set training.ema=0.9 --out /srv/preset.json
  "$PROGRAM" train /srv/preset.json --base demo --images demo --out /srv/run
  cp -r /srv/preset.json /srv/run /srv/home/runs.db "$TO"/
  rm -r "$TO"/run/run.lock "$TO"/run/checkpoints/step-00000004'
