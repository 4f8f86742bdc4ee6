#include "engine/preset/settings_rows.h"

namespace mantissa {
namespace {

using value_io::bind;
using P = Preset;
using F = Preset::Output;
using E = Preset::Samples;

constexpr std::array<ItemField, 8> kPromptFields{{
    {.key = "prompt",
     .label = "Prompt",
     .kind = Kind::text,
     .required = true,
     .help = "What to render."},
    {.key = "negative",
     .label = "Negative prompt",
     .kind = Kind::text,
     .help = "What to steer away from."},
    {.key = "seed",
     .label = "Seed",
     .kind = Kind::integer,
     .min = 0,
     .max = kMaxSeed,
     .help = "Seed of the starting noise, the same at every step so that samples compare."},
    {.key = "width",
     .label = "Width",
     .kind = Kind::integer,
     .min = 0,
     .max = 8192,
     .help = "Width in px, a multiple of 8; 0 takes data.resolution."},
    {.key = "height",
     .label = "Height",
     .kind = Kind::integer,
     .min = 0,
     .max = 8192,
     .help = "Height in px, a multiple of 8; 0 takes data.resolution."},
    {.key = "steps",
     .label = "Steps",
     .kind = Kind::integer,
     .min = 1,
     .max = 1000,
     .help =
         "Sampler steps; 20 to 30 show enough. At the defaults, 20 with guidance 6, a model with "
         "values of its own is sampled by those: FLUX.1 schnell with 4 steps and no guidance."},
    {.key = "guidance",
     .label = "Guidance",
     .kind = Kind::number,
     .min = 0,
     .max = 100,
     .help = "How strongly the prompt steers; 1 turns guidance off, 5 to 8 is usual."},
    {.key = "references",
     .label = "References",
     .kind = Kind::text,
     .help = "For a model that edits: names of the reference images that the prompt is about, "
             "separated by commas, as they are in the run's folders of references, with or without "
             "their ending. A name that several folders hold stands for all of them."},
}};

constexpr Setting kOutput[] = {
    {.key = "output.name",
     .label = "File name",
     .kind = Kind::text,
     .group = Group::output,
     .tier = Tier::essential,
     .text = TextRule::file_stem,
     .change = Change::on_resume,
     .bind = bind<&P::output, &F::name>(),
     .help = "Name of the written adapter, without folder and without .safetensors."},
    {.key = "output.format",
     .label = "Key format",
     .kind = Kind::choice,
     .group = Group::output,
     .choices = kEnumNames<OutputFormat>,
     .change = Change::on_resume,
     .bind = bind<&P::output, &F::format>(),
     .help = "Which program the file is for. kohya loads nearly everywhere; diffusers is for "
             "Python pipelines; peft writes a folder for each part; onetrainer, comfyui and a1111 "
             "are what those programs render as trained; plain_lora is for those without DoRA. A "
             "whole model is written as a folder with diffusers, else as one file."},
    {.key = "output.dtype",
     .label = "Save precision",
     .kind = Kind::choice,
     .group = Group::output,
     .choices = kEnumNames<MasterType>,
     .change = Change::on_resume,
     .bind = bind<&P::output, &F::dtype>(),
     .help = "Number type of the saved file. fp32 is exact; fp16 and bf16 halve the file at no "
             "visible cost."},
    {.key = "output.save_every",
     .label = "Save every",
     .kind = Kind::integer,
     .group = Group::output,
     .tier = Tier::essential,
     .min = 0,
     .max = kMaxSteps,
     .unit = "steps",
     .change = Change::live,
     .bind = bind<&P::output, &F::save_every>(),
     .help = "Steps between checkpoints that a run can continue from exactly; 0 leaves that to "
             "output.save_minutes. A crash costs at most this many steps."},
    {.key = "output.save_epochs",
     .label = "Save by epoch",
     .kind = Kind::integer,
     .group = Group::output,
     .min = 0,
     .max = kMaxEpochs,
     .unit = "epochs",
     .change = Change::live,
     .since = 2,
     .bind = bind<&P::output, &F::save_epochs>(),
     .help = "Epochs between checkpoints, beside those by steps and by time; 0 saves none by "
             "epoch. output.keep says how many stay."},
    {.key = "output.save_minutes",
     .label = "Save by time",
     .kind = Kind::number,
     .group = Group::output,
     .tier = Tier::essential,
     .min = 0,
     .max = 10080,
     .unit = "minutes",
     .change = Change::live,
     .bind = bind<&P::output, &F::save_minutes>(),
     .help = "Minutes of training between checkpoints, beside those by steps; 0 saves by steps "
             "only. A crash costs at most this time, and saving changes no result."},
    {.key = "output.keep",
     .label = "Checkpoints kept",
     .kind = Kind::integer,
     .group = Group::output,
     .min = 2,
     .max = 1000,
     .change = Change::on_resume,
     .bind = bind<&P::output, &F::keep>(),
     .help = "How many verified checkpoints stay on disk. The oldest goes only after the newest "
             "has been read back and verified."},
    {.key = "output.tensorboard",
     .label = "TensorBoard files",
     .kind = Kind::boolean,
     .group = Group::output,
     .change = Change::on_resume,
     .since = 2,
     .bind = bind<&P::output, &F::tensorboard>(),
     .help = "Writes losses, rates, norms and samples to event files in the tensorboard folder of "
             "the run as well, for TensorBoard and programs that read its files."},
    {.key = "output.bundle_embeddings",
     .label = "Words in the adapter",
     .kind = Kind::boolean,
     .group = Group::output,
     .applies_if = {"training.parts", one_of<"embeddings">},
     .change = Change::on_resume,
     .since = 2,
     .families = &FamilyRow::has_embeddings,
     .bind = bind<&P::output, &F::bundle_embeddings>(),
     .help =
         "Writes the vectors of embedding.tokens into the adapter's file, as A1111 and "
         "OneTrainer bundle them, instead of into files of their own. Some programs refuse such "
         "a file, such as diffusers; others leave the words out."},
};

constexpr Setting kSamples[] = {
    {.key = "samples.every",
     .label = "Sample every",
     .kind = Kind::integer,
     .group = Group::samples,
     .tier = Tier::essential,
     .min = 0,
     .max = kMaxSteps,
     .unit = "steps",
     .change = Change::live,
     .bind = bind<&P::samples, &E::every>(),
     .help = "Steps between sample images, which also appear before the first step; 0: not by "
             "steps, and if samples.every_epochs and samples.every_minutes are 0 too, no samples "
             "are made. Samples never change the training."},
    {.key = "samples.every_epochs",
     .label = "Sample by epoch",
     .kind = Kind::integer,
     .group = Group::samples,
     .min = 0,
     .max = kMaxEpochs,
     .unit = "epochs",
     .change = Change::live,
     .since = 2,
     .bind = bind<&P::samples, &E::every_epochs>(),
     .help = "Epochs between sample images, beside those by steps; 0 renders none by epoch."},
    {.key = "samples.every_minutes",
     .label = "Sample by time",
     .kind = Kind::number,
     .group = Group::samples,
     .min = 0,
     .max = 10080,
     .unit = "minutes",
     .change = Change::live,
     .since = 2,
     .bind = bind<&P::samples, &E::every_minutes>(),
     .help = "Minutes of training between sample images, beside those by steps; 0 renders none by "
             "time. Rendering and pauses don't count."},
    {.key = "samples.prompts",
     .label = "Sample prompts",
     .kind = Kind::objects,
     .group = Group::samples,
     .tier = Tier::essential,
     .fields = kPromptFields,
     .text = TextRule::prompt,
     .change = Change::on_resume,
     .bind = bind<&P::samples, &E::prompts>(),
     .help = "What is rendered while training. Use one prompt with your trigger words, and one "
             "without to see what else has changed."},
};

}  // namespace

std::span<const Setting> output_rows() {
  return kOutput;
}

std::span<const Setting> samples_rows() {
  return kSamples;
}

}  // namespace mantissa
