// What the engine says, as templates: the translations' sources. A test finds each of them in the
// engine's sources, so that none outlives its sentence.
#include <QtGlobal>

#include "gui/base/EngineText.h"

namespace mantissa::gui {
namespace {

// The first that fits counts: those with more words stand before those with fewer.
constexpr const char* kSentences[] = {
    // A run's log.
    QT_TRANSLATE_NOOP("engine", "training on {device}; bit-exact from run to run"),
    QT_TRANSLATE_NOOP(
        "engine",
        "training on {device}; deterministic: bit-exact from run to run with this driver"),
    QT_TRANSLATE_NOOP(
        "engine",
        "training on {device}; fastest kernels: runs agree within rounding, not to the bit "
        "(--deterministic)"),
    QT_TRANSLATE_NOOP("engine",
                      "{pictures} images, {files} files skipped, {batches} batches per epoch"),
    QT_TRANSLATE_NOOP("engine", "{count} adapters, {values} trainable values"),
    QT_TRANSLATE_NOOP("engine", "{count} trained weights, {values} trainable values"),
    QT_TRANSLATE_NOOP("engine", "continues from {file}"),
    QT_TRANSLATE_NOOP("engine", "resumed at step {step} from {file}"),
    QT_TRANSLATE_NOOP("engine", "{key}: {before} -> {after} after step {step}"),
    QT_TRANSLATE_NOOP("engine", "no sample: the preset has no prompts (samples.prompts)"),
    QT_TRANSLATE_NOOP("engine", "the run's preset has no prompt {number}"),
    QT_TRANSLATE_NOOP("engine", "no sample at step {step}: {reason}"),
    QT_TRANSLATE_NOOP("engine", "steps run as one CUDA graph"),
    QT_TRANSLATE_NOOP("engine", "steps run kernel by kernel: {reason}"),
    QT_TRANSLATE_NOOP("engine", "the run has no valid checkpoint: it starts again from step 0"),
    QT_TRANSLATE_NOOP("engine", "the base model's tensor {name} is unknown and not used"),
    QT_TRANSLATE_NOOP("engine", "step {step}: first non-finite: {found}"),
    QT_TRANSLATE_NOOP("engine", "step {step}: non-finite gradients, step skipped"),
    QT_TRANSLATE_NOOP(
        "engine",
        "step {step}: gradients overflow at loss scale {before}, step skipped. The scale is "
        "being found and is now {after}; a few skips at the start, and one after each "
        "doubling, are normal"),
    QT_TRANSLATE_NOOP("engine", "{path} skipped: {reason}"),
    QT_TRANSLATE_NOOP("engine", "{pictures} images for prior preservation, {held} for validation"),
    QT_TRANSLATE_NOOP("engine",
                      "{images} of {all} images have a mask; the others count everywhere"),
    QT_TRANSLATE_NOOP("engine",
                      "{count} weights stay in host memory and are copied to the card for each "
                      "use: the run may take {limit} bytes there"),
    QT_TRANSLATE_NOOP("engine", "{checkpoint} is not used: {reason}"),
    QT_TRANSLATE_NOOP(
        "engine",
        "{file}: {count} modules were cut to rank {rank} by their singular values; at most {share} "
        "% of a module's change is left out. A higher adapter.rank keeps it"),
    QT_TRANSLATE_NOOP("engine",
                      "{file}: {missing} of {all} trained modules aren't in it and start fresh"),
    QT_TRANSLATE_NOOP("engine",
                      "run {run} was left {state} by a program that no longer runs: it is marked "
                      "interrupted and can be resumed"),
    QT_TRANSLATE_NOOP("engine",
                      "{key} holds a non-finite value at element {index}; this state is not saved, "
                      "earlier checkpoints are untouched"),
    QT_TRANSLATE_NOOP(
        "engine", "PEFT and diffusers know DoRA per output only and can't load this file{advice}"),
    QT_TRANSLATE_NOOP("engine",
                      "diffusers and PEFT render this file as trained; programs that look "
                      "for dora_scale, such as ComfyUI, don't{advice}"),
    QT_TRANSLATE_NOOP("engine",
                      "ComfyUI divides a DoRA per output by the norm of the base weight "
                      "alone, and diffusers' SDXL loader leaves dora_scale out: neither renders "
                      "this file as trained{advice}"),
    QT_TRANSLATE_NOOP("engine",
                      "diffusers' SDXL loader leaves dora_scale out and renders this file "
                      "as plain LoRA, unlike it was trained{advice}"),
    QT_TRANSLATE_NOOP("engine", "{advice}, or train with adapter.dora_axis input for ComfyUI"),
    QT_TRANSLATE_NOOP("engine", "; for them write another file with output.format plain_lora"),
    QT_TRANSLATE_NOOP("engine",
                      "output.format is {format}, which has no names for {family}: this file has "
                      "those of diffusers, which diffusers, PEFT and ComfyUI read"),
    QT_TRANSLATE_NOOP("engine",
                      "the plain LoRA differs from the DoRA by at most {share} % of a "
                      "weight's change, at ranks up to {rank}"),
    QT_TRANSLATE_NOOP("engine",
                      "{lost} of {all} values round to zero in this file's dtype; "
                      "output.dtype fp32 keeps them"),
    QT_TRANSLATE_NOOP("engine", "converted from UTF-16"),
    QT_TRANSLATE_NOOP("engine", "the first of {count} frames is used"),
    QT_TRANSLATE_NOOP("engine", "its colour profile can't be used and was ignored"),
    QT_TRANSLATE_NOOP("engine", "{place} names {file}, which isn't used with it"),
    QT_TRANSLATE_NOOP("engine", "can't open {file}: {reason}"),
    QT_TRANSLATE_NOOP("engine", "and {count} more"),
    QT_TRANSLATE_NOOP("engine",
                      "{layer} ({op}, {phase}): {bad} of {count} values of its {tensor} ({format}) "
                      "are not finite.{before}"),
    QT_TRANSLATE_NOOP("engine",
                      " Before it the largest value was {value}; {type} holds up to {most}."),
    // How a run ends.
    QT_TRANSLATE_NOOP("engine", "{message}. Last good checkpoint: {file}"),
    QT_TRANSLATE_NOOP("engine", "{message}. No checkpoint was saved"),
    QT_TRANSLATE_NOOP("engine", "{message}. Saved in {file}; continue with --resume {folder}"),
    QT_TRANSLATE_NOOP("engine",
                      "{finding}. First: {found} The weights are as they were before this step"),
    QT_TRANSLATE_NOOP("engine", "{finding}. The weights are as they were before this step"),
    QT_TRANSLATE_NOOP(
        "engine",
        "{finding}. First: {found} The weights were not touched by these steps, the last of "
        "which is {step}"),
    QT_TRANSLATE_NOOP(
        "engine",
        "{finding}. The weights were not touched by these steps, the last of which is {step}"),
    QT_TRANSLATE_NOOP("engine",
                      "training needs {need} bytes ({activations} activations, {weights} weights, "
                      "{adapters} adapters and optimizer), {free} are free. {way}"),
    QT_TRANSLATE_NOOP("engine", "With {settings} it needs {need}"),
    QT_TRANSLATE_NOOP("engine",
                      "No setting alone makes it fit: train fewer modules, or take a device with "
                      "more memory"),
    QT_TRANSLATE_NOOP("engine",
                      "{message}. Close other programs that use the card, or turn on "
                      "training.gradient_checkpointing"),
    QT_TRANSLATE_NOOP(
        "engine",
        "{path}: a checkpoint needs {need} bytes, {free} are free. Make room there; earlier "
        "checkpoints are untouched"),
    QT_TRANSLATE_NOOP(
        "engine",
        "{folder}: the checkpoints of this run take up to {need} bytes, {free} are free. Make room "
        "there, lower output.keep, or choose another folder"),
    QT_TRANSLATE_NOOP("engine", "stopped at step {step} of {steps}"),
    QT_TRANSLATE_NOOP("engine", "stopped while {phase} ({done} of {count})"),
    QT_TRANSLATE_NOOP(
        "engine", "{message}. Close other programs that use the card, or lower data.resolution"),
    QT_TRANSLATE_NOOP("engine",
                      "{device} stopped working: {reason}. This process can't use it any more: "
                      "start Mantissa again and resume the run. If it happens again, look for Xid "
                      "errors in the system's log and check the card's power, temperature and "
                      "driver"),
    QT_TRANSLATE_NOOP("engine",
                      "the disk of folder {folder} is full: could not {action} {file}, {need} "
                      "bytes needed for it{free}; free space or choose another folder"),
    QT_TRANSLATE_NOOP("engine", ", {bytes} free"),
    QT_TRANSLATE_NOOP("engine", "could not {action} {file}: {reason}"),
    QT_TRANSLATE_NOOP("engine", "waited {seconds} s for disk space in the folder {folder}"),
    QT_TRANSLATE_NOOP("engine", "the run continues in {folder}"),
    QT_TRANSLATE_NOOP("engine", "{folder} is the folder that the run is in; choose another"),
    QT_TRANSLATE_NOOP("engine",
                      "the run {run} was moved to {folder}, which is missing now. Connect that "
                      "disk, or remove {file} to continue from the older checkpoints here"),
    QT_TRANSLATE_NOOP("engine",
                      "{file} shrank or could not be read while in use; nothing made from it was "
                      "kept. Restore the file and leave it unchanged while it is in use"),
    QT_TRANSLATE_NOOP("engine",
                      "the runs database {file} can't grow: the folder {folder} is full; free at "
                      "least 16 MB there and continue"),
    QT_TRANSLATE_NOOP("engine",
                      "the runs database {file} is damaged ({reason}); the next program that "
                      "writes to it sets it aside"),
    QT_TRANSLATE_NOOP("engine",
                      "the runs database {file} can't be opened or written ({reason}); make the "
                      "folder {folder} writable or set MANTISSA_HOME"),
    QT_TRANSLATE_NOOP("engine",
                      "the runs database {file} in {folder} is held by another program for more "
                      "than 10 seconds; close that program"),
    QT_TRANSLATE_NOOP("engine",
                      "the runs database {file} in the folder {folder} can't be read or written "
                      "({reason}); check that disk and try again"),
    QT_TRANSLATE_NOOP("engine",
                      "can't make the folder {folder}: {reason}; set MANTISSA_HOME to a folder "
                      "that can be written"),
    QT_TRANSLATE_NOOP("engine", "can't make the folder {folder}; choose a place you may write to"),
    QT_TRANSLATE_NOOP("engine",
                      "the cache folder {folder} can't be made: {reason}; make room or choose "
                      "another with MANTISSA_HOME"),
    QT_TRANSLATE_NOOP(
        "engine",
        "the cached encoding of {source} ({file}) is damaged and will be recomputed: {reason}"),
    QT_TRANSLATE_NOOP("engine",
                      "{what} \"{name}\" of {source} holds {value}; encode it again in FP32 "
                      "(precision.weights.vae or .text_encoders fp32)"),
    QT_TRANSLATE_NOOP("engine", "the encoded tensor"),
    QT_TRANSLATE_NOOP("engine", "the cached tensor"),
    QT_TRANSLATE_NOOP("engine",
                      "{source}: its cached encoding disappeared from {place} while training. "
                      "Start the run again to re-encode it"),
    // Why it can't begin.
    QT_TRANSLATE_NOOP("engine",
                      "{path}: no such base model. Pass a .safetensors file or a diffusers folder"),
    QT_TRANSLATE_NOOP("engine", "{path}: no such folder of images"),
    QT_TRANSLATE_NOOP(
        "engine",
        "{path}: no such run. Pass a run folder (it holds job.json) or an id of `mantissa "
        "runs list`"),
    QT_TRANSLATE_NOOP("engine",
                      "{path} holds a run already. Pass --resume to continue it, or another --out"),
    QT_TRANSLATE_NOOP(
        "engine", "{path} exists already; pass --overwrite to replace it, or choose another path"),
    QT_TRANSLATE_NOOP("engine",
                      "{path} is a folder that is not empty; pass --overwrite to replace files in "
                      "it, or choose another path"),
    QT_TRANSLATE_NOOP("engine",
                      "{path}: the run folder can't be made: {reason}. Choose another with --out"),
    QT_TRANSLATE_NOOP(
        "engine",
        "{path} holds a model of the family {family}, but model.family says {wanted}; set it "
        "to auto, or give the base it is for"),
    QT_TRANSLATE_NOOP("engine",
                      "{path}: the images or captions have changed since this checkpoint, so the "
                      "run can't continue exactly. Restore them, or start a new run"),
    QT_TRANSLATE_NOOP(
        "engine",
        "a resumed run can't change {changes}. Start a new run, or resume with the preset the "
        "run was started with"),
    QT_TRANSLATE_NOOP("engine",
                      "no image to train on in {folders}: put {formats} files there (captions in "
                      "<name>.txt){skipped}"),
    QT_TRANSLATE_NOOP(
        "engine",
        "the image folder {path} doesn't exist; give a folder that holds {formats} files"),
    QT_TRANSLATE_NOOP("engine", "the image folder {path} can't be read; check its permissions"),
    QT_TRANSLATE_NOOP("engine", "{path} is a file; give the folder that holds the images"),
    QT_TRANSLATE_NOOP(
        "engine",
        "no base model given. Pass --base with a .safetensors file, a diffusers folder or demo"),
    QT_TRANSLATE_NOOP("engine", "no images given. Pass --images with a folder of images, or demo"),
    QT_TRANSLATE_NOOP("engine",
                      "the base model '{path}' does not exist; pass a .safetensors checkpoint or a "
                      "diffusers folder"),
    QT_TRANSLATE_NOOP("engine", "'{file}' is not a base model: {reason}"),
    QT_TRANSLATE_NOOP(
        "engine", "it is an adapter (LoRA); pass it with --lora and give a checkpoint as the base"),
    QT_TRANSLATE_NOOP("engine",
                      "no tensor starts with 'model.diffusion_model.'; pass a full SDXL or SD 1.5 "
                      "checkpoint, or a diffusers folder"),
    QT_TRANSLATE_NOOP("engine",
                      "{path} is no diffusers model: it has neither unet/, transformer/ nor vae/; "
                      "pass a diffusers folder or one .safetensors checkpoint"),
    QT_TRANSLATE_NOOP("engine",
                      "{path} holds no .safetensors file; the model is incomplete, get it again"),
    QT_TRANSLATE_NOOP("engine", "{path} holds several weight files ({files}); keep one"),
    QT_TRANSLATE_NOOP("engine",
                      "'{path}': the index lists {listed} tensors, the shards hold {held} of them; "
                      "a shard is missing or incomplete, get the model again"),
    QT_TRANSLATE_NOOP("engine", "{weight} (the whole part is missing)"),
    QT_TRANSLATE_NOOP(
        "engine",
        "'{path}' lacks the {weight}; the checkpoint is incomplete or of another architecture"),
    QT_TRANSLATE_NOOP("engine",
                      "'{path}': the {weight} is stored as {type}, which can't be used; convert "
                      "the checkpoint to BF16, F16 or F32"),
    QT_TRANSLATE_NOOP("engine",
                      "{file} is not a valid safetensors file: {problem}; the file is damaged or "
                      "was made by a faulty program, get or export it again"),
    QT_TRANSLATE_NOOP(
        "engine",
        "its header claims {claimed} bytes, the file has only {left} after the length field"),
    QT_TRANSLATE_NOOP("engine",
                      "{tensor} data ends at byte {end} of the data part, the file ends at {size} "
                      "(it is cut off)"),
    QT_TRANSLATE_NOOP("engine",
                      "its tensors end at byte {end} of the data part, {left} bytes are left over"),
    QT_TRANSLATE_NOOP(
        "engine",
        "{file} is a pickle or zip checkpoint (.ckpt, .pt, .bin), which can run any program when "
        "opened and is never read; convert it to .safetensors with a tool you trust, e.g. "
        "torch.load(…, weights_only=True) and safetensors.torch.save_file"),
    QT_TRANSLATE_NOOP("engine",
                      "{file} is a Git LFS pointer, not the weights; run 'git lfs pull' in its "
                      "folder or download the file itself"),
    QT_TRANSLATE_NOOP("engine",
                      "{file} is a GGUF file (quantised for inference); training needs the "
                      ".safetensors original"),
    QT_TRANSLATE_NOOP("engine",
                      "{file} is a web page, not the weights; the download was redirected (often "
                      "to a log-in page), download it again"),
    QT_TRANSLATE_NOOP(
        "engine",
        "{path}: training.parts names {part}, which this model doesn't have; take it out"),
    QT_TRANSLATE_NOOP(
        "engine",
        "device '{device}' is unknown. Use cpu or cuda:0; `mantissa devices` lists what is there"),
    QT_TRANSLATE_NOOP("engine", "device {device} can't be used: {reason}. Or use --device cpu"),
    QT_TRANSLATE_NOOP("engine", "there is no card of that number"),
    QT_TRANSLATE_NOOP("engine", "{file} is damaged: it has another content than its checksum says"),
    QT_TRANSLATE_NOOP("engine",
                      "{reason}. No checkpoint holds an intact copy of it, so the run can't be "
                      "resumed"),
    QT_TRANSLATE_NOOP("engine", "{file} is missing: the copy in {checkpoint} is used"),
    QT_TRANSLATE_NOOP("engine",
                      "{file} is not the one that the run was started with: the copy in "
                      "{checkpoint} is used"),
    QT_TRANSLATE_NOOP("engine",
                      "{file} can't be used ({reason}): the copy in {checkpoint} is used"),
    QT_TRANSLATE_NOOP("engine",
                      "the run was started with other files: {changes}. Restore them, start a new "
                      "run, or continue with the present ones"),
    QT_TRANSLATE_NOOP("engine",
                      "no checkpoint is intact: {reasons}. Nothing was changed. Restore one from a "
                      "backup, or start the run over, which sets the damaged ones aside"),
    QT_TRANSLATE_NOOP("engine",
                      "{checkpoint} was saved by an older version, which didn't record the base "
                      "model: whether it is the same is not checked"),
    QT_TRANSLATE_NOOP("engine", "continues with a changed file, as accepted: {change}"),
    QT_TRANSLATE_NOOP("engine", "the damaged checkpoints were set aside in {folder}"),
    QT_TRANSLATE_NOOP("engine", "{file} was deleted: it is made and locked again"),
    QT_TRANSLATE_NOOP("engine",
                      "'{file}' is no longer this program's lock: it was removed or replaced, and "
                      "another program may own the run. Nothing more is written there, earlier "
                      "checkpoints are untouched. End the other program, then resume the run"),
    QT_TRANSLATE_NOOP("engine",
                      "'{file}' changed while it was read; wait until it is written, then start "
                      "again"),
    QT_TRANSLATE_NOOP("engine",
                      "{checkpoint}: holds {held} state tensors, this job has {wanted}. Resume "
                      "with the preset the run was started with"),
    QT_TRANSLATE_NOOP("engine",
                      "{checkpoint}: {tensor} should be {type} {shape}. Resume with the preset the "
                      "run was started with"),
    QT_TRANSLATE_NOOP("engine", "it has no manifest"),
    QT_TRANSLATE_NOOP("engine", "{file} has another size than its manifest says"),
    QT_TRANSLATE_NOOP("engine", "{file} has another content than its manifest says"),
    QT_TRANSLATE_NOOP("engine", "its manifest has another content than its checksum says"),
    QT_TRANSLATE_NOOP(
        "engine",
        "training.parts holds vae and others, which learn from the latents that it makes: it is "
        "trained alone, and before them. Set training.parts to [\"vae\"]"),
    QT_TRANSLATE_NOOP("engine",
                      "training.parts is [\"vae\"] and training.method adapter: a VAE has no "
                      "adapters. Set training.method to full"),
    // Adapters that it starts from.
    QT_TRANSLATE_NOOP("engine", "{file}: the file holds no LoRA"),
    QT_TRANSLATE_NOOP("engine",
                      "{file}: training.method is full; merge the adapter into the base model "
                      "first (`mantissa merge`)"),
    QT_TRANSLATE_NOOP("engine",
                      "{file}: {module} is for a weight {given}, but the base model's is {wanted}. "
                      "Was it made for another base model?"),
    QT_TRANSLATE_NOOP(
        "engine",
        "{file}: {module} is a DoRA, but adapter.type is lora. Set adapter.type to dora, or write "
        "it as plain LoRA first (`mantissa convert --format plain_lora`)"),
    QT_TRANSLATE_NOOP("engine",
                      "{file}: {module} has its magnitudes per {given}, but adapter.dora_axis is "
                      "{wanted}. Set it to {given}"),
    QT_TRANSLATE_NOOP(
        "engine",
        "{file}: {module} is adapted there, but not trained here. Widen adapter.targets (or add "
        "the part to training.parts) so that nothing of the adapter is lost"),
    QT_TRANSLATE_NOOP("engine",
                      "{file}: adapter.init pissa takes its start from the base weights and "
                      "changes them; set adapter.init to standard to continue from an adapter"),
    QT_TRANSLATE_NOOP("engine",
                      "{file}: {tensor} is {shape}, which may be per output or per input, and "
                      "nothing in the file tells. Which program made it? Answer with --dora-axis "
                      "output (PEFT, LyCORIS) or --dora-axis input (OneTrainer's default)"),
    QT_TRANSLATE_NOOP("engine",
                      "{path}: the LoRA adapts this module, but the base model has none of that "
                      "name. Was it made for another base model?"),
    QT_TRANSLATE_NOOP("engine",
                      "adapter.targets {targets} name no module of {part}; use \"attention\", "
                      "\"attention+mlp\", \"linear+conv\" or patterns such as \"*.attn1.to_q\""),
    // Why a picture is left out.
    QT_TRANSLATE_NOOP("engine", "a caption without an image of the same name"),
    QT_TRANSLATE_NOOP("engine", "the same folder was entered already (a link, or given twice)"),
    QT_TRANSLATE_NOOP("engine", "this folder can't be read; check its permissions"),
    QT_TRANSLATE_NOOP("engine", "a link to a file that doesn't exist"),
    QT_TRANSLATE_NOOP("engine", "not a regular file"),
    QT_TRANSLATE_NOOP("engine", "too small: {size} pixels, each side needs {least}"),
    QT_TRANSLATE_NOOP("engine", "its header says {told} but it decodes to {found}"),
    QT_TRANSLATE_NOOP("engine", "; skipped {files}"),
    QT_TRANSLATE_NOOP("engine", "no image could be read. The first: {reason}"),
    QT_TRANSLATE_NOOP("engine",
                      "data.masks is {mode}, but no image has {what}. Add masks, or set it to off"),
    QT_TRANSLATE_NOOP("engine", "an alpha channel"),
    QT_TRANSLATE_NOOP("engine",
                      "data.validation_share puts all {count} images into the validation set; add "
                      "images, or set it to 0"),
    QT_TRANSLATE_NOOP("engine",
                      "every image is also in a validation folder, so there is none to train on; "
                      "give other images with --validation"),
    QT_TRANSLATE_NOOP("engine", "in a validation folder and isn't trained on"),
    QT_TRANSLATE_NOOP("engine", "among the trained images and isn't used for prior preservation"),
    QT_TRANSLATE_NOOP("engine", "in the validation set and isn't used for prior preservation"),
    QT_TRANSLATE_NOOP("engine", "a mask without an image of the same name"),
    QT_TRANSLATE_NOOP("engine", "its mask: {reason}"),
    QT_TRANSLATE_NOOP("engine", "its caption, the folder's name, {reason}"),
    QT_TRANSLATE_NOOP("engine", "its caption {file} {reason}"),
    QT_TRANSLATE_NOOP("engine", "is UTF-16 cut in the middle of a character; save it as UTF-8"),
    QT_TRANSLATE_NOOP("engine", "isn't valid UTF-16 at byte {byte}; save it as UTF-8"),
    QT_TRANSLATE_NOOP("engine", "isn't valid UTF-8 at byte {byte}; save it as UTF-8"),
    QT_TRANSLATE_NOOP("engine", "holds a NUL byte (at {byte}); save it as UTF-8 text"),
    QT_TRANSLATE_NOOP("engine", "is longer than 64 KB; a caption holds a few sentences"),
    QT_TRANSLATE_NOOP("engine",
                      "is truncated or damaged and was not used ({reason}); replace the file"),
    QT_TRANSLATE_NOOP("engine", "is empty (0 bytes); replace the file"),
    QT_TRANSLATE_NOOP(
        "engine", "is no image by its content; JPEG, PNG, WebP, AVIF, TIFF, BMP and GIF are read"),
    QT_TRANSLATE_NOOP("engine",
                      "has {width} x {height} pixels; at most {most} are read, make it smaller"),
    QT_TRANSLATE_NOOP("engine", "has {bytes} bytes; image files may have at most {most}"),
    // Why a device can't be used.
    QT_TRANSLATE_NOOP(
        "engine",
        "this installation has no CUDA library ({file}). Install the package mantissa-cuda, "
        "or build with the CUDA Toolkit 13"),
    QT_TRANSLATE_NOOP("engine", "the CUDA library can't be opened: {reason}"),
    QT_TRANSLATE_NOOP(
        "engine",
        "the CUDA library beside this program is of another version of Mantissa; install both "
        "from one package"),
    QT_TRANSLATE_NOOP(
        "engine",
        "{library} is not installed: {file} was found neither among the system's libraries "
        "nor under CUDA_PATH"),
    QT_TRANSLATE_NOOP("engine", "no NVIDIA driver is installed, or it is not running"),
    QT_TRANSLATE_NOOP(
        "engine",
        "the NVIDIA driver supports {version}; version 13.0 is needed (driver 580 or newer). "
        "Update the driver"),
    QT_TRANSLATE_NOOP("engine", "the NVIDIA driver finds no card it can use"),
    QT_TRANSLATE_NOOP("engine", "the NVIDIA driver can't be used: {reason}"),
    QT_TRANSLATE_NOOP("engine", "the driver can't describe it: {reason}"),
};

constexpr const char* kSystem[] = {
    QT_TRANSLATE_NOOP("engine", "No such file or directory"),
    QT_TRANSLATE_NOOP("engine", "Permission denied"),
    QT_TRANSLATE_NOOP("engine", "No space left on device"),
    QT_TRANSLATE_NOOP("engine", "Is a directory"),
    QT_TRANSLATE_NOOP("engine", "Not a directory"),
    QT_TRANSLATE_NOOP("engine", "Read-only file system"),
    QT_TRANSLATE_NOOP("engine", "Input/output error"),
    QT_TRANSLATE_NOOP("engine", "File name too long"),
};

}  // namespace

std::span<const char* const> system_sentences() {
  return kSystem;
}

std::span<const char* const> engine_sentences() {
  return kSentences;
}

}  // namespace mantissa::gui
