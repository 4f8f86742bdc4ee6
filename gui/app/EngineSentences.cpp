// What the engine says, as templates: the translations' sources. A test finds each of them in the
// engine's sources, so that none outlives its sentence.
#include <QtGlobal>

#include "gui/app/EngineText.h"

namespace mantissa {
namespace {

// The first that fits counts: those with more words stand before those with fewer.
constexpr const char* kSentences[] = {
    // A run's log.
    QT_TRANSLATE_NOOP("engine", "training on {device}; the same bits on every run"),
    QT_TRANSLATE_NOOP(
        "engine",
        "training on {device}; deterministic: the same bits on every run with this driver"),
    QT_TRANSLATE_NOOP(
        "engine",
        "training on {device}; fastest kernels: runs agree within rounding, not to the bit "
        "(--deterministic)"),
    QT_TRANSLATE_NOOP("engine",
                      "{pictures} pictures, {files} files skipped, {batches} batches an epoch"),
    QT_TRANSLATE_NOOP("engine", "{count} adapters, {values} trainable values"),
    QT_TRANSLATE_NOOP("engine", "{count} trained weights, {values} trainable values"),
    QT_TRANSLATE_NOOP("engine", "continues from {file}"),
    QT_TRANSLATE_NOOP("engine", "resumed at step {step} from {file}"),
    QT_TRANSLATE_NOOP("engine", "{key}: {before} -> {after} after step {step}"),
    QT_TRANSLATE_NOOP("engine", "no sample: the preset has no prompts (samples.prompts)"),
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
    // How a run ends.
    QT_TRANSLATE_NOOP("engine", "{message}. Last good checkpoint: {file}"),
    QT_TRANSLATE_NOOP("engine", "{message}. No checkpoint was saved"),
    QT_TRANSLATE_NOOP("engine", "{message}. Saved in {file}; go on with --resume {folder}"),
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
    QT_TRANSLATE_NOOP("engine",
                      "{path}: the run folder can't be made: {reason}. Choose another with --out"),
    QT_TRANSLATE_NOOP(
        "engine",
        "{path} holds a model of the family {family}, but model.family says {wanted}; set it "
        "to auto, or give the base it is for"),
    QT_TRANSLATE_NOOP(
        "engine", "output.format is {format}, which has no names for PixArt; set it to diffusers"),
    QT_TRANSLATE_NOOP(
        "engine",
        "{path}: the pictures or captions have changed since this checkpoint, so the run "
        "can't go on exactly. Restore them, or start a new run"),
    QT_TRANSLATE_NOOP(
        "engine",
        "a resumed run can't change {changes}. Start a new run, or resume with the preset the "
        "run was started with"),
    QT_TRANSLATE_NOOP("engine",
                      "no image to train on in {folders}: put {formats} files there (captions in "
                      "<name>.txt)"),
    QT_TRANSLATE_NOOP(
        "engine",
        "the image folder {path} doesn't exist; give a folder that holds {formats} files"),
    QT_TRANSLATE_NOOP("engine", "the image folder {path} can't be read; check its permissions"),
    QT_TRANSLATE_NOOP("engine", "{path} is a file; give the folder that holds the images"),
    // Why a picture is left out.
    QT_TRANSLATE_NOOP("engine", "a caption without an image of the same name"),
    QT_TRANSLATE_NOOP("engine", "the same folder was entered already (a link, or given twice)"),
    QT_TRANSLATE_NOOP("engine", "this folder can't be read; check its permissions"),
    QT_TRANSLATE_NOOP("engine", "a link to a file that doesn't exist"),
    QT_TRANSLATE_NOOP("engine", "not a regular file"),
    QT_TRANSLATE_NOOP("engine", "too small: {size} pixels, each side needs {least}"),
    QT_TRANSLATE_NOOP("engine", "its header says {told} but it decodes to {found}"),
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

}  // namespace

std::span<const char* const> engine_sentences() {
  return kSentences;
}

}  // namespace mantissa
