"""Inputs of 50 steps on the tiny models a and c, and PyTorch's deviation from FP32 on them.

    python tests/golden/make_precision_curves.py    needs torch, diffusers, peft, safetensors

Of model a with an adapter on linear+conv and model c with one on attention (see
tests/interop/precision_curves.py, which trains and defines the precisions):
  reference/precision_{a,c}.safetensors   images [6,4,8,8]  context [6,77,D]  pooled [6,P]
    which [50,2] I32 (the image of a step's sample)  timesteps [50,2] I32  noise [50,2,4,8,8]
    adapter.<tensor>: PEFT's DoRA at the start; without its magnitudes, the LoRA
  reference/precision_curves.json   {model: {lora, dora: {"fp32": the 50 losses,
    precision: {pure, autocast}: mean of |loss - fp32's| / fp32's}}}, and of each model its targets
"""

import json
import pathlib
import sys

import torch
from safetensors.torch import save_file

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "interop"))
import drawn  # noqa: E402
import mini_base  # noqa: E402
import precision_curves as curves  # noqa: E402

STEPS, BATCH, LATENTS = 50, 2, (8, 8)
CASES = {"a": "linear+conv", "c": "attention"}


def write_inputs(name, data, adapter):
    out = {k: v.int() if v.dtype == torch.int64 else v for k, v in data.items()}
    out |= {"adapter." + k: v for k, v in adapter.items()}
    path = HERE / "reference" / f"precision_{name}.safetensors"
    settings = dict(rank=curves.RANK, conv_rank=curves.CONV_RANK, alpha=curves.ALPHA, clip=curves.CLIP,
                    learning_rate=curves.LEARNING_RATE)
    save_file({k: v.contiguous() for k, v in out.items()}, path, metadata={k: str(v) for k, v in settings.items()})
    path.chmod(0o644)
    drawn.pack(path)


def references(unet, trace, adapter, targets):
    run = lambda *how: curves.torch_losses(unet, trace, STEPS, adapter, targets, *how)  # noqa: E731
    fp32 = run("fp32")
    rounded = {"fp32": [round(loss, 9) for loss in fp32]}
    for precision in curves.PRECISIONS:
        pure, autocast = (curves.deviation(run(precision, how), fp32) for how in (False, True))
        rounded[precision] = {"pure": round(pure, 7), "autocast": round(autocast, 7)}
        print(f"{precision}: {100 * pure:.3f} % pure, {100 * autocast:.3f} % autocast", flush=True)
    return rounded


def main():
    torch.set_num_threads(1)
    result = {}
    for name, targets in CASES.items():
        unet = mini_base.load_unet(drawn.whole(HERE / "models" / f"{name}.safetensors"))
        data = curves.inputs(unet.config, LATENTS, BATCH, STEPS)
        trace, dora = curves.trace_of(data), curves.adapter_of(unet, targets, True)
        write_inputs(name, data, dora)
        lora = {k: v for k, v in dora.items() if "magnitude" not in k}
        result[name] = {"targets": targets, "lora": references(unet, trace, lora, targets),
                        "dora": references(unet, trace, dora, targets)}
    path = HERE / "reference" / "precision_curves.json"
    path.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
