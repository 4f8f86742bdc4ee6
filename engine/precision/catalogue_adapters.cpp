#include <algorithm>
#include <fmt/format.h>

#include "engine/precision/catalogue_rules.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

bool dora_in_half(const PrecisionFacts& f) {
  return is_dora(f) && computes_half(f);
}

bool dora_with_dropout(const PrecisionFacts& f) {
  return is_dora(f) && f.preset.adapter.dropout > 0;
}

bool fp32_lora_in_half(const PrecisionFacts& f) {
  return !trains_weights(f.preset) && computes_half(f) &&
         f.preset.precision.adapter == MasterType::fp32;
}

bool pissa_on_narrow_base(const PrecisionFacts& f) {
  return is_pissa(f) && f.preset.precision.weights.denoiser != StorageType::fp32;
}

MaybeConflict dora_on_text(const PrecisionFacts& f) {
  if (!is_dora(f) || !trains_encoder(f.preset)) {
    return {};
  }
  Preset fixed = f.preset;
  std::erase_if(fixed.training.parts, is_text);
  if (fixed.training.parts.empty()) {
    fixed = f.preset;
    fixed.adapter = without_magnitudes(fixed.adapter);
  }
  return warn(fixed);
}

/// Dropout thins the input of the adapter, which with PiSSA contains part of the base.
MaybeConflict pissa_with_dropout(const PrecisionFacts& f) {
  if (!is_pissa(f) || f.preset.adapter.dropout == 0) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.adapter.dropout = 0;
  return warn(fixed, {{"dropout", fmt::format("{:g}", f.preset.adapter.dropout)}});
}

/// Known behaviour of programs, by key format and axis. The fix is the form that all of them
/// support.
MaybeConflict dora_file(const PrecisionFacts& f) {
  const OutputFormat format = f.preset.output.format;
  if (!is_dora(f) || format == OutputFormat::plain_lora) {
    return {};
  }
  const bool output = f.preset.adapter.dora_axis == DoraAxis::output;
  std::vector<Message> programs;
  if (is_product(f.preset.adapter.type)) {
    if (output) {
      programs = {message<"LyCORIS reads it as trained">(),
                  message<"ComfyUI takes the base weight's norm and renders it differently">()};
    } else {
      programs = {message<"ComfyUI reads it as trained">(),
                  message<"LyCORIS loads magnitudes per output only">()};
    }
  } else if (format == OutputFormat::kohya) {
    if (output) {
      programs = {message<"LyCORIS reads it as trained">(),
                  message<"ComfyUI takes the base weight's norm and renders it differently">()};
    } else {
      programs = {message<"ComfyUI and OneTrainer read it as trained">()};
    }
    programs.push_back(message<"diffusers drops the magnitudes">());
  } else if (output) {
    const bool text = std::ranges::any_of(f.preset.training.parts, is_text);
    programs = {text ? message<"PEFT reads it as trained, and diffusers too except for text "
                               "encoders, whose magnitudes it drops">()
                     : message<"PEFT reads it as trained, and so does diffusers through PEFT">(),
                message<"programs that expect kohya names don't">()};
  } else {
    programs = {message<"PEFT knows magnitudes per output only">()};
  }
  Preset fixed = f.preset;
  fixed.output.format = OutputFormat::plain_lora;
  return warn(fixed, {{"format", enum_name(format)},
                      {"axis", enum_name(f.preset.adapter.dora_axis)},
                      {"programs", joined<"; ">(std::move(programs))}});
}

/// LoHa or LoKr.
bool trains_product(const PrecisionFacts& f) {
  return !trains_weights(f.preset) && is_product(f.preset.adapter.type);
}

FindingValues form_of(const PrecisionFacts& f) {
  return {{"form", adapter_title(f.preset.adapter.type)}};
}

MaybeConflict product_with_pissa(const PrecisionFacts& f) {
  if (!trains_product(f) || !is_pissa(f)) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.adapter.init = AdapterInit::standard;
  return refuse(fixed, form_of(f));
}

MaybeConflict product_with_lora_plus(const PrecisionFacts& f) {
  if (!trains_product(f) || f.preset.adapter.lora_plus_ratio == 1) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.adapter.lora_plus_ratio = 1;
  return refuse(fixed, form_of(f));
}

MaybeConflict product_for_diffusers(const PrecisionFacts& f) {
  if (!trains_product(f) || f.preset.output.format != OutputFormat::diffusers) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.output.format = OutputFormat::kohya;
  return refuse(fixed, form_of(f));
}

/// DoRA has a type of its own.
MaybeConflict decompose_without_product(const PrecisionFacts& f) {
  const Preset::Adapter& adapter = f.preset.adapter;
  if (trains_weights(f.preset) || !adapter.decompose || is_product(adapter.type)) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.adapter.type = AdapterType::dora;
  fixed.adapter.decompose = false;
  return refuse(fixed, {{"type", enum_name(adapter.type)}});
}

MaybeConflict decomposed_product_for_peft(const PrecisionFacts& f) {
  if (!trains_product(f) || !is_dora(f) || f.preset.output.format != OutputFormat::peft) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.output.format = OutputFormat::kohya;
  return refuse(fixed, form_of(f));
}

/// LyCORIS's own names are of denoisers alone, kohya's layouts cover all encoders but T5.
MaybeConflict product_on_other_text(const PrecisionFacts& f) {
  if (!trains_product(f) || !trains_encoder(f.preset) || !f.model.has_t5) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.training.parts = {kDenoiser};
  return refuse(fixed, form_of(f));
}

constexpr CatalogueEntry kAdapterRows[] = {
    {.id = "D1",
     .area = CatalogueArea::adapters,
     .verdicts = "A",
     .title = "DoRA on a weight with empty rows: NaN at step 0",
     .cause = "The magnitude divides by the row's norm, which is zero.",
     .here = "Rows with a norm of zero are found before the first step; there the factor is 1 and "
             "the magnitude is frozen, which is plain LoRA.",
     .message = "{channels} channels use plain LoRA: the norm of their weights is zero{layers}.",
     .fields = {"adapter.type"},
     .when = FoundAt::run},
    {.id = "D2",
     .area = CatalogueArea::adapters,
     .verdicts = "N",
     .title = "DoRA on text encoders: NaN",
     .cause = "Text encoders hold rows that are close to zero, and their magnitudes have steep "
              "gradients.",
     .here = "Every weight is scanned for empty rows (D1) before the first step.",
     .message =
         "DoRA on text encoders is known to be unstable; their weights are scanned for empty "
         "rows before the first step.",
     .fix = "train the UNet alone, or plain LoRA",
     .fields = {"adapter.type", "training.parts"},
     .find = dora_on_text},
    {.id = "D3",
     .area = CatalogueArea::adapters,
     .verdicts = "N",
     .title = "A DoRA file that another program renders differently",
     .cause =
         "Programs disagree about the side that has magnitudes, about the norm they divide by, "
         "and some drop the magnitudes.",
     .here = "The axis is written into the file's metadata. A DoRA can also be written as a plain "
             "LoRA, which every program renders alike.",
     .message =
         "Which program will load this? A DoRA with {format} keys and magnitudes per {axis}: "
         "{programs}.",
     .fix = "output.format plain_lora, or the format and axis that your program reads",
     .fields = {"output.format", "adapter.dora_axis", "adapter.type", "adapter.decompose"},
     .find = dora_file},
    {.id = "D4",
     .area = CatalogueArea::adapters,
     .verdicts = "R",
     .title = "DoRA trains exactly like LoRA",
     .cause = "The magnitude isn't in the optimizer, or its graph is cut.",
     .here = "The first backward pass is checked: magnitudes without any gradient stop the run.",
     .refusal = "Magnitude gets no gradient in {layer}.",
     .fix = "plain LoRA, or other target layers",
     .fields = {"adapter.type", "adapter.targets"},
     .when = FoundAt::run},
    {.id = "D5",
     .area = CatalogueArea::adapters,
     .verdicts = "W",
     .title = "The magnitude is stored in the base's type and loses its updates",
     .cause = "It comes from a norm of the stored weight, in that weight's type.",
     .here = "Magnitudes are FP32 on every base.",
     .fields = {"adapter.type", "precision.weights.denoiser"},
     .concerns = is_dora},
    {.id = "D6",
     .area = CatalogueArea::adapters,
     .verdicts = "W",
     .title = "DoRA's weight is FP32, the input BF16: \"expected mat1 and mat2 to have the same "
              "dtype\"",
     .cause = "The product of FP32 factors meets a 16-bit activation.",
     .here = "Casts are part of the recorded graph, at the product; types are checked before any "
             "data flows.",
     .fields = {"adapter.type", "precision.compute"},
     .concerns = dora_in_half},
    {.id = "D7",
     .area = CatalogueArea::adapters,
     .verdicts = "W",
     .title = "DoRA with dropout: the base weight is dropped too, or dropout has no effect",
     .cause = "The input of base and adapter is one tensor in most implementations.",
     .here =
         "The base sees the whole input, the adapter's correction the thinned one: y = Wx + b + "
         "(m/n - 1)Wx' + (m/n)sB(Ax').",
     .fields = {"adapter.type", "adapter.dropout"},
     .concerns = dora_with_dropout},
    {.id = "D8",
     .area = CatalogueArea::adapters,
     .verdicts = "N",
     .title = "The saved file is weaker than the trained adapter",
     .cause = "Values below the file type's smallest number become zero.",
     .here = "They are counted while the file is written.",
     .message = "{percent}% of weights round to zero in {file} as {type}.",
     .fix = "an FP32 file",
     .fields = {"output.dtype"},
     .when = FoundAt::run},
    {.id = "D9",
     .area = CatalogueArea::adapters,
     .verdicts = "W",
     .title = "An FP32 LoRA makes queries FP32 while keys and values are half: attention fails",
     .cause = "The adapter's output promotes the projection's.",
     .here = "A projection's output has the plan's type with and without an adapter.",
     .fields = {"precision.adapter", "precision.compute"},
     .concerns = fp32_lora_in_half},
    {.id = "D10",
     .area = CatalogueArea::adapters,
     .verdicts = "W",
     .title = "PiSSA on a quantised base: the adapter's part is subtracted twice or lost",
     .cause = "PiSSA's share of the weight is subtracted from quantised codes.",
     .here =
         "The weight is read from the file, the adapter's part subtracted in FP32, and the rest "
         "stored in the plan's type.",
     .fields = {"adapter.init", "precision.weights.denoiser"},
     .concerns = pissa_on_narrow_base},
    {.id = "D11",
     .area = CatalogueArea::adapters,
     .verdicts = "N",
     .title = "PiSSA with dropout: the model itself flickers while it is trained",
     .cause = "PiSSA moves the weight's main directions into the adapter, so dropout removes parts "
              "of the base model too.",
     .here = "It trains as asked.",
     .message = "With PiSSA, a dropout of {dropout} also drops the base weight's main directions.",
     .fix = "dropout 0",
     .fields = {"adapter.init", "adapter.dropout"},
     .find = pissa_with_dropout},
    {.id = "D12",
     .area = CatalogueArea::adapters,
     .verdicts = "R",
     .title = "LoHa or LoKr with PiSSA: the start has no such form",
     .cause = "PiSSA's singular vectors are a product of two matrices. They are no LoHa, and no "
              "LoKr.",
     .here = "The pair is refused. LoHa and LoKr start as in LyCORIS, from a change of zero.",
     .refusal = "A {form} can't start from the base weight's singular vectors (adapter.init "
                "pissa).",
     .fix = "adapter.init standard",
     .fields = {"adapter.type", "adapter.init"},
     .find = product_with_pissa},
    {.id = "D13",
     .area = CatalogueArea::adapters,
     .verdicts = "R",
     .title = "LoHa or LoKr with LoRA+: the faster rate has no matrix",
     .cause = "LoRA+ trains the up matrix faster. LoHa and LoKr have none.",
     .here = "The pair is refused instead of ignoring the ratio.",
     .refusal = "A {form} has no up matrix that could learn faster (adapter.lora_plus_ratio).",
     .fix = "adapter.lora_plus_ratio 1",
     .fields = {"adapter.type", "adapter.lora_plus_ratio"},
     .find = product_with_lora_plus},
    {.id = "D14",
     .area = CatalogueArea::adapters,
     .verdicts = "R",
     .title = "LoHa or LoKr in diffusers' format: no program loads the file",
     .cause = "diffusers' loaders know LoRA's matrices only.",
     .here = "The pair is refused before training. kohya's names are those of LyCORIS, which "
             "ComfyUI and A1111 read too; peft writes a LoHaConfig or LoKrConfig.",
     .refusal = "diffusers has no names for a {form} (output.format).",
     .fix = "output.format kohya, peft, or plain_lora",
     .fields = {"adapter.type", "output.format"},
     .find = product_for_diffusers},
    {.id = "D15",
     .area = CatalogueArea::adapters,
     .verdicts = "R",
     .title = "LoHa or LoKr on T5, which LyCORIS's files have no names for",
     .cause =
         "LyCORIS's own names are of the denoiser's modules, and kohya's layouts have none for "
         "T5.",
     .here = "The pair is refused before training.",
     .refusal = "A {form} of T5 has no names in LyCORIS's files.",
     .fix = "train the denoiser alone, or LoRA",
     .fields = {"adapter.type", "training.parts"},
     .find = product_on_other_text},
    {.id = "D16",
     .area = CatalogueArea::adapters,
     .verdicts = "R",
     .title = "Weight decomposition asked of a LoRA by the switch of LoHa and LoKr",
     .cause = "A LoRA with magnitudes is a DoRA, which is an adapter type of its own here. In "
              "LyCORIS one switch, dora_wd, is for all types.",
     .here = "The pair is refused instead of ignoring the switch.",
     .refusal = "adapter.decompose is for loha and lokr; adapter.type is {type}.",
     .fix = "adapter.type dora without adapter.decompose",
     .fields = {"adapter.type", "adapter.decompose"},
     .find = decompose_without_product},
    {.id = "D17",
     .area = CatalogueArea::adapters,
     .verdicts = "R",
     .title = "The DoRA form of LoHa or LoKr in PEFT's format: magnitudes without a name",
     .cause = "PEFT's LoHaConfig and LoKrConfig know no weight decomposition.",
     .here = "The pair is refused before training. kohya's names are those of LyCORIS, with "
             ".dora_scale.",
     .refusal = "PEFT has no names for the magnitudes of a {form} (output.format).",
     .fix = "output.format kohya, or plain_lora",
     .fields = {"adapter.type", "adapter.decompose", "output.format"},
     .find = decomposed_product_for_peft},
    {.id = "D18",
     .area = CatalogueArea::adapters,
     .verdicts = "N",
     .title = "A rank for layers that have no adapter: it has no effect, and nobody notices",
     .cause = "A mistyped path, a path of another model, layers that the targets leave out, or an "
              "earlier entry for the same layers.",
     .here = "Every entry is tried on the layers that have adapters.",
     .message = "The ranks of {pattern} count for no adapter of this model.",
     .fix = "remove the entry, correct its path, or put it before the entry that covers it",
     .fields = {"adapter.ranks", "adapter.targets"},
     .when = FoundAt::model},
};

}  // namespace

std::span<const CatalogueEntry> adapter_entries() {
  return kAdapterRows;
}

}  // namespace mantissa
