"""LoRA and DoRA files written by the engine, loaded by diffusers, must change the UNet as PEFT
does.

    mkdir /tmp/lora && MANTISSA_INTEROP=/tmp/lora build/bin/engine_adapters_tests --gtest_filter='*FilesForDiffusers'
    python tests/interop/lora_in_diffusers.py /tmp/lora

Loads every file with StableDiffusionXLPipeline.load_lora_weights into the tiny model a of
tests/golden/make_models.py, in float64, and compares the prediction (and the text encoders' output)
with tests/golden/reference. Fails on a difference above 1e-6 or on any warning except the two that
diffusers gives for every file without text encoder keys.
"""

import logging
import pathlib
import sys

import torch

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"
sys.path.insert(0, str(GOLDEN))
import drawn  # noqa: E402
import make_models  # noqa: E402
from diffusers import EulerDiscreteScheduler, StableDiffusionXLPipeline  # noqa: E402
from diffusers.utils import logging as diffusers_logging  # noqa: E402
from safetensors.torch import load_file  # noqa: E402


class Collect(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.messages = []

    def emit(self, record):
        self.messages.append(record.getMessage())


def difference(a, b):
    return ((a.double() - b.double()).abs().max() / b.double().abs().max()).item()


def check(model, path, warnings):
    reference = load_file(drawn.whole(GOLDEN / "reference" / (path.name.split(".")[0] + ".safetensors")))
    value = {k: v.double() for k, v in reference.items() if v.is_floating_point()}
    pipe = StableDiffusionXLPipeline(vae=model.vae, text_encoder=model.te1, text_encoder_2=model.te2,
                                     tokenizer=None, tokenizer_2=None, unet=model.unet,
                                     scheduler=EulerDiscreteScheduler(**make_models.BETAS))
    warnings.messages.clear()
    pipe.load_lora_weights(str(path))
    for part in (pipe.unet, pipe.text_encoder, pipe.text_encoder_2):
        part.double()
    noisy, _ = make_models.noised(value["latents"], value["noise"], value["timesteps"], "epsilon")
    with torch.no_grad():
        context, pooled = value["context"], value["pooled"]
        if "te1.ids" in reference:
            first, second, pooled = model.text(reference["te1.ids"].long(), reference["te2.ids"].long())
            context = torch.cat([first, second], -1)
        run = lambda: make_models.forward(pipe.unet, noisy, value["timesteps"], context, pooled,  # noqa: E731
                                          value["time_ids"])
        adapted = run()
        pipe.unload_lora_weights()
        plain = run()
    error = max(difference(adapted, value["prediction"]), difference(context, value["context"]))
    unexpected = [m for m in warnings.messages if "No LoRA keys associated to CLIPTextModel" not in m]
    print(f"{path.name}: error {error:.1e}, without LoRA {difference(plain, value['prediction']):.2f}, "
          f"unexpected warnings {len(unexpected)}")
    for message in unexpected:
        print("   ", message)
    return error <= 1e-6 and not unexpected


def main():
    files = sorted(pathlib.Path(sys.argv[1]).glob("a_*.safetensors"))
    make_models.MODELS.mkdir(exist_ok=True)
    make_models.Model.write_single = make_models.Model.write_folder = lambda *args: None
    make_models.write_tokenizer = lambda *args: None
    model, _, _ = make_models.make_models()
    warnings = Collect()
    diffusers_logging.get_logger("diffusers").addHandler(warnings)
    passed = [check(model, path, warnings) for path in files]
    if not passed or not all(passed):
        sys.exit("FAILED" if passed else "no files; see the top of this script")


if __name__ == "__main__":
    main()
