"""What the scripts of the transformers share: references of a prediction and of training, and the JSON files of a
diffusers folder. Everything in float64, with seeds of its own.

<name>_types.safetensors has a LoRA's step with, as metadata, what torch makes of it in BF16 (bf16), in FP16 (fp16), and
in BF16 with linear weights rounded to E4M3 (fp8): the RMS deviation of its prediction over the prediction's RMS, and of
all gradients as one (bf16.gradients). Adapters are FP32, under torch.autocast.
"""

import copy
import json

import torch
from peft import LoraConfig, get_peft_model
from peft.tuners.lora import LoraLayer

from make_models import HERE, drawn, normal, write_reference

RANK, ALPHA = 3, 5


def largest_deviation(values, reference):
    """The largest difference over the largest value, as relative_error of the tests."""
    return ((values.double() - reference).abs().max() / reference.abs().max()).item()


def adapt(model, targets, dora, seed):
    """PEFT's adapters around the model, and their tensors by name."""
    config = LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=targets, bias="none", use_dora=dora)
    wrapped = get_peft_model(model, config).double()
    return wrapped, adapt_values(wrapped, dora, seed)


def adapt_values(wrapped, dora, seed):
    """Draws an adapter's values; its tensors by name."""
    draws, named = drawn.Draws(seed), {}
    for path, module in sorted(wrapped.base_model.model.named_modules()):
        if not isinstance(module, LoraLayer):
            continue
        for letter, layers in (("A", module.lora_A), ("B", module.lora_B)):
            weight = layers["default"].weight
            value = draws.randn(weight.shape) / weight[0].numel() ** 0.5
            weight.data.copy_(draws.kept(value * (0.1 if letter == "B" else 1.0)))
            named[f"unet.{path}.lora_{letter}.weight"] = weight
        if dora:
            norm = module.get_base_layer().weight.detach().square().sum(1).sqrt()
            magnitude = module.lora_magnitude_vector["default"].weight
            magnitude.data.copy_(norm * (1 + 0.1 * draws.randn(norm.shape).double()))
            named[f"unet.{path}.lora_magnitude_vector"] = magnitude
    return named


def with_gradients(named):
    """The tensors of a reference for adapters after a backward pass; zeros where no gradient arrived."""
    gradients = {f"grad.{k}": torch.zeros_like(v) if v.grad is None else v.grad for k, v in named.items()}
    return {f"adapter.{k}": v for k, v in named.items()} | gradients


def deviation(rough, exact):
    """RMS of the difference over RMS, of lists of tensors as one."""
    rough, exact = (torch.cat([t.double().flatten() for t in tensors]) for tensors in (rough, exact))
    return ((rough - exact).square().mean() / exact.square().mean()).sqrt().item()


def in_type(inputs, dtype):
    """Times stay FP32, and masks what they are."""
    return {k: v.float() if k in ("timesteps", "guidance") else v if k == "keys" else v.to(dtype)
            for k, v in inputs.items()}


def round_to_fp8(model):
    """Frozen linear weights as E4M3 with a scale for each output."""
    for module in model.modules():
        if isinstance(module, torch.nn.Linear) and not module.weight.requires_grad:
            scale = module.weight.data.abs().amax(1, keepdim=True) / 448
            module.weight.data = (module.weight.data / scale).to(torch.float8_e4m3fn).double() * scale


def deviations(wrapped, inputs, predict, target, exact):
    """Of a step that `wrapped` has taken, with the prediction `exact`."""
    found = {}
    for kind, dtype in (("bf16", torch.bfloat16), ("fp16", torch.float16), ("fp8", torch.bfloat16)):
        rough = copy.deepcopy(wrapped)
        if kind == "fp8":
            round_to_fp8(rough)
        for p, own in zip(rough.parameters(), wrapped.parameters()):
            p.data, p.grad = own.data.float() if own.requires_grad else p.data.to(dtype), None
        with torch.autocast("cpu", dtype):
            predicted = predict(rough.base_model.model, in_type(inputs, dtype))
        torch.nn.functional.mse_loss(predicted.float(), target.float()).backward()
        trained = [(p.grad, own.grad) for p, own in zip(rough.parameters(), wrapped.parameters()) if own.grad is not None]
        found |= {kind: deviation([predicted], [exact]), f"{kind}.gradients": deviation(*zip(*trained))}
    return found


def step(model, inputs, predict, targets, dora, seed):
    """A step of PEFT's adapters: the model that took it, its inputs, and what a reference has of it."""
    noise = normal(*inputs["latents"].shape, seed=seed + 2)
    level = (inputs["timesteps"] / 1000).view(-1, 1, 1, 1)
    noised = {**inputs, "latents": (1 - level) * inputs["latents"] + level * noise}
    target = noise - inputs["latents"]
    wrapped, named = adapt(model, targets, dora, seed + 3)
    predicted = predict(wrapped.base_model.model, noised)
    loss = torch.nn.functional.mse_loss(predicted, target)
    loss.backward()
    out = {**inputs, "noise": noise, "target": target, "prediction": predicted, "loss": loss}
    return wrapped, noised, out | with_gradients(named)


def references(name, model, inputs, predict, targets, seed):
    """<name>.safetensors, and one step on `targets` of a LoRA and of a DoRA in <name>_lora and <name>_dora, and of a
    LoRA in <name>_types. `predict(model, inputs)` is the pipeline's prediction."""
    with torch.no_grad():
        prediction = predict(model, inputs)
    write_reference(f"{name}.safetensors", {**inputs, "prediction": prediction})
    print(name, "prediction std", prediction.std().item())
    for kind in ("lora", "dora"):
        wrapped, _, out = step(model, inputs, predict, targets, kind == "dora", seed)
        write_reference(f"{name}_{kind}.safetensors", out, rank=RANK, alpha=ALPHA)
        wrapped.unload()
    # Some models round times to the activations' type: these are the same in all types.
    inputs = {**inputs, "timesteps": torch.tensor([500.0, 125.0]).double()}
    wrapped, noised, out = step(model, inputs, predict, targets, False, seed)
    found = deviations(wrapped, noised, predict, out["target"], out["prediction"].detach())
    write_reference(f"{name}_types.safetensors", out, rank=RANK, alpha=ALPHA, **found)
    print(found)
    wrapped.unload()


def write_pipeline(folder, scheduler, index):
    """scheduler/scheduler_config.json of a flow, and model_index.json."""
    (folder / "scheduler").mkdir(exist_ok=True)
    (folder / "scheduler" / "scheduler_config.json").write_text(json.dumps(
        {"_class_name": "FlowMatchEulerDiscreteScheduler", "num_train_timesteps": 1000, **scheduler}, indent=1) + "\n")
    (folder / "model_index.json").write_text(json.dumps(index, indent=1) + "\n")


def key_rows(model, stacks, prefix=""):
    """Names and shapes. Blocks of one kind have the same names: the first stands for all."""
    rows, state = [], model.state_dict()
    for name, value in state.items():
        stack = next((s for s in stacks if name.startswith(s)), None)
        if stack is None or name.removeprefix(stack).startswith("0."):
            rows.append(prefix + name + "\t" + ",".join(str(d) for d in value.shape))
    print("tensors", len(state), "parameters", sum(v.numel() for v in state.values()))
    return rows


def write_keys(file, model, stacks):
    rows = ["# diffusers name<TAB>shape; of each stack of blocks the first", *key_rows(model, stacks)]
    (HERE / "keys" / file).write_text("\n".join(rows) + "\n")
