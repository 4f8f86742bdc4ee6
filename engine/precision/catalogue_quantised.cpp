#include <algorithm>

#include "engine/precision/catalogue_rules.h"
#include "engine/precision/dtypes.h"
#include "engine/precision/file_conflicts.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

bool denoiser_is_coded(const PrecisionFacts& f) {
  return is_quantized(f.preset.precision.weights.denoiser);
}

bool denoiser_is_coded_with_dora(const PrecisionFacts& f) {
  return denoiser_is_coded(f) && is_dora(f);
}

/// Whether any weights are stored in a type that `is` accepts.
template <typename Is>
bool keeps(const PrecisionFacts& f, Is is) {
  const Preset::Precision& p = f.preset.precision;
  return is(p.weights.denoiser) || is(p.weights.text_encoders) || is(p.weights.vae) ||
         std::any_of(p.pins.begin(), p.pins.end(), [&](const auto& pin) { return is(pin.second); });
}

bool keeps_fp8(const PrecisionFacts& f) {
  return computes_fp8(f) || keeps(f, [](StorageType type) { return is_fp8(type); });
}

bool keeps_int8(const PrecisionFacts& f) {
  return computes_int8(f) || keeps(f, [](StorageType type) { return is_int8(dtype_of(type)); });
}

bool keeps_rotated(const PrecisionFacts& f) {
  return keeps(f, [](StorageType type) { return type == StorageType::int8_convrot; });
}

bool keeps_nf4(const PrecisionFacts& f) {
  return keeps(f, [](StorageType type) { return type == StorageType::nf4; });
}

bool keeps_nf4_with_dora(const PrecisionFacts& f) {
  return keeps_nf4(f) && is_dora(f);
}

bool keeps_micro(const PrecisionFacts& f) {
  return keeps(f, is_micro);
}

bool delayed_scaling(const PrecisionFacts& f) {
  const Preset::Precision& p = f.preset.precision;
  return p.compute == ComputeType::fp8 && p.fp8_scaling == Fp8Scaling::delayed;
}

bool recomputes_delayed(const PrecisionFacts& f) {
  return delayed_scaling(f) && f.preset.training.gradient_checkpointing;
}

MaybeConflict scales_added(const PrecisionFacts& f) {
  if (!keeps_fp8(f)) {
    return {};
  }
  return notice(f);
}

MaybeConflict coded_text_encoder(const PrecisionFacts& f) {
  if (!is_quantized(f.preset.precision.weights.text_encoders)) {
    return {};
  }
  const DType type = activation_dtype(f.preset.precision.compute);
  return notice(f, {{"type", dtype_name(type)}});
}

MaybeConflict coded_vae(const PrecisionFacts& f) {
  if (!is_quantized(f.preset.precision.weights.vae)) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.weights.vae = unquantised(f);
  return warn(fixed);
}

/// The weights of a trained part as codes.
MaybeConflict coded_weights_trained(const PrecisionFacts& f) {
  if (!trains_weights(f.preset)) {
    return {};
  }
  Preset fixed = f.preset;
  const StorageType wide = unquantised(f);
  for (Part part : f.preset.training.parts) {
    auto& weights = fixed.precision.weights;
    StorageType& type = part == kDenoiser ? weights.denoiser
                        : part == kVae    ? weights.vae
                                          : weights.text_encoders;
    type = is_quantized(type) ? wide : type;
  }
  return fixed == f.preset ? MaybeConflict{} : refuse(fixed);
}

MaybeConflict coded_products_trained(const PrecisionFacts& f) {
  if (!trains_weights(f.preset) || !computes_codes(f)) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.compute = sixteen_bit(f);
  return adjust(fixed);
}

constexpr CatalogueEntry kQuantisedRows[] = {
    {.id = "Q1",
     .area = CatalogueArea::quantised_base,
     .verdicts = "W",
     .title = "FP8 base with DoRA: \"Promotion for Float8 Types is not supported\"",
     .cause = "The base's FP8 and the adapter's FP16 are added as they are, and the magnitude is "
              "stored as FP8.",
     .here = "Everything that reads a frozen weight reads it through one dequantising accessor; "
             "magnitudes are FP32 and come from the dequantised weight, so step 0 equals the "
             "quantised base exactly.",
     .fields = {"precision.weights.denoiser", "adapter.type"},
     .concerns = denoiser_is_coded_with_dora},
    {.id = "Q2",
     .area = CatalogueArea::quantised_base,
     .verdicts = "A",
     .title = "Weights cast to FP8 without scales: the base itself is damaged",
     .cause = "E4M3 ends at 2^-9. Of weights with a deviation of 0.005, 15% become zero (19 dB "
              "signal to noise); of 0.001, 67% (5 dB). With a scale per channel it is 31.6 dB.",
     .here = "Each output channel of an FP8 weight has an FP32 scale, computed once from the "
             "file's own type.",
     .message = "Per-channel scales added: an unscaled cast to FP8 turns small weights into zero.",
     .fields = {"precision.weights.denoiser", "precision.weights.text_encoders",
                "precision.weights.vae", "precision.compute", "precision.pins"},
     .find = scales_added},
    {.id = "Q3",
     .area = CatalogueArea::quantised_base,
     .verdicts = "W",
     .title = "A value beyond FP8's range: NaN",
     .cause = "E4M3 has no infinity: what overflows becomes NaN.",
     .here = "Values are clamped to the largest number before they are rounded; NaN stays NaN.",
     .fields = {"precision.weights.denoiser", "precision.compute"},
     .concerns = keeps_fp8},
    {.id = "Q4",
     .area = CatalogueArea::quantised_base,
     .verdicts = "A",
     .title = "Quantised text encoder: embedding or norm fails on its type",
     .cause = "Embedding lookups and norms are not matmuls and have no quantised form.",
     .here = "Only linear layers are quantised.",
     .message = "Embeddings and biases of the text encoders are stored as {type}, norms as fp32.",
     .fields = {"precision.weights.text_encoders"},
     .find = coded_text_encoder},
    {.id = "Q5",
     .area = CatalogueArea::quantised_base,
     .verdicts = "R",
     .title = "An adapter merged into an FP8 model: its effect is gone",
     .cause = "The change is smaller than half a step of FP8 almost everywhere.",
     .here = "Merging into FP8 weights is refused.",
     .refusal = "Merging here changes results: {file} holds {type}, and most of the adapter would "
                "be rounded away.",
     .fix = "merge in FP32 into the original model, then quantise",
     .when = FoundAt::run},
    {.id = "Q6",
     .area = CatalogueArea::quantised_base,
     .verdicts = "W",
     .title = "Delayed scaling with checkpointing: the recomputed activations differ",
     .cause = "The scale has changed by the time the segment is recomputed.",
     .here = "A step uses the scales it began with; recomputing only reads them.",
     .fields = {"precision.fp8_scaling", "training.gradient_checkpointing"},
     .concerns = recomputes_delayed},
    {.id = "Q7",
     .area = CatalogueArea::quantised_base,
     .verdicts = "W",
     .title = "A tensor of zeros in FP8: infinite scale, then NaN",
     .cause = "The factor is the largest number divided by the largest value; the B of a fresh "
              "LoRA is all zeros.",
     .here = "Where the largest value is zero or not finite, the earlier scale stays.",
     .fields = {"precision.compute", "precision.fp8_scaling"},
     .concerns = computes_fp8},
    {.id = "Q8",
     .area = CatalogueArea::quantised_base,
     .verdicts = "A",
     .title = "FP8 or INT8 compute on a base that is quantised already: rounded twice, or a crash",
     .cause = "The file's own scales are not those that 8-bit matmuls need.",
     .here = "The base stays as it is quantised, and products are 16-bit.",
     .message = "The base model's file holds {file}: base stays quantised, compute 16-bit.",
     .fix = "BF16 compute, or a base model that isn't quantised",
     .fields = {"precision.compute", "precision.weights.denoiser"},
     .rank = 8,
     .find = quantised_twice},
    {.id = "Q9",
     .area = CatalogueArea::quantised_base,
     .verdicts = "R",
     .title = "Full fine-tuning of a quantised base: some layers never train, without a message",
     .cause = "An update of usual size is far below half a step of 8 or 4 bits.",
     .here = "Quantised weights are frozen weights; trained weights have precision.adapter's type.",
     .refusal = "Quantised weights cannot be trained.",
     .fix = "a BF16 base, or an adapter",
     .fields = {"training.method", "precision.weights.denoiser", "precision.weights.text_encoders"},
     .find = coded_weights_trained},
    {.id = "Q10",
     .area = CatalogueArea::quantised_base,
     .verdicts = "R",
     .title = "A file type for the adapter that it can't be held in: saved unconverted",
     .cause = "The type is passed on unchecked.",
     .here = "output.dtype takes fp32, fp16 and bf16. Anything else is refused when the preset is "
             "read, with its line and what is allowed.",
     .refusal = "output.dtype must be one of fp32, bf16, fp16.",
     .fix = "an FP32, FP16 or BF16 file",
     .fields = {"output.dtype"},
     .when = FoundAt::file,
     .unreachable = "The preset's schema has no such value."},
    {.id = "Q11",
     .area = CatalogueArea::quantised_base,
     .verdicts = "N",
     .title = "A quantised file stored in a wider type: more memory, no more accuracy",
     .cause = "What the file lost to quantisation can't be restored.",
     .here = "It is kept as asked.",
     .message = "The base model's file holds {file}; keeping it in {stored} takes more memory and "
                "restores nothing.",
     .fix = "keep it as it is in the file",
     .fields = {"precision.weights.denoiser"},
     .find = wider_than_its_file},
    {.id = "Q12",
     .area = CatalogueArea::quantised_base,
     .verdicts = "N",
     .title = "Quantised VAE: soft, noisy images, and latents to match",
     .cause = "Every training latent passes through the VAE; FP8 weights leave it 31.6 dB signal "
              "to noise, INT8 weights about 40 dB, NF4 weights 20.7 dB.",
     .here = "It is kept as asked.",
     .message = "A quantised VAE saves a little memory and makes every latent noisier.",
     .fix = "BF16, or FP32 where there is no BF16",
     .fields = {"precision.weights.vae"},
     .find = coded_vae},
    {.id = "Q13",
     .area = CatalogueArea::quantised_base,
     .verdicts = "N",
     .title = "One quantised type turned into another",
     .cause =
         "Every quantised type has steps of its own, and GGUF's have scales for 16 or 32 values "
         "each, so every weight is rounded a second time.",
     .here = "It is converted as asked.",
     .message = "The base model's file holds {file}; turning it into {stored} rounds every weight "
                "again.",
     .fix = "keep it as it is in the file",
     .fields = {"precision.weights.denoiser"},
     .find = rounded_again},
    {.id = "Q14",
     .area = CatalogueArea::quantised_base,
     .verdicts = "A",
     .title = "8-bit products of trained weights: codes and scales go stale",
     .cause = "8-bit matmuls read codes and scales that are made once, from frozen weights.",
     .here = "Trained weights are multiplied in 16 bits.",
     .message = "Trained weights use 16-bit matmuls, because 8-bit codes are made once.",
     .fields = {"precision.compute", "training.method"},
     .rank = 8,
     .find = coded_products_trained},
    {.id = "Q15",
     .area = CatalogueArea::quantised_base,
     .verdicts = "N",
     .title = "INT8 rotated in other groups than are used here: rounded twice",
     .cause = "Codes of rows that are rotated in other groups are codes of other numbers.",
     .here = "Such weights are decoded and rotated back once, when the run begins, and then kept "
             "in the type of precision.weights.",
     .message = "The base model's INT8 codes are rotated in other groups than can be kept; "
                "{stored} rounds every weight again.",
     .fix = "BF16 weights, or FP32 where there is no BF16",
     .fields = {"precision.weights.denoiser"},
     .find = rotated_rounded_again},
    {.id = "Q16",
     .area = CatalogueArea::quantised_base,
     .verdicts = "W",
     .title = "INT8 with one scale per tensor: a few large weights cost all others their precision",
     .cause = "INT8 has no exponent: every value is a multiple of the largest one divided by 127.",
     .here =
         "Each output channel has an FP32 scale, its largest value divided by 127, computed once "
         "from the file's own type: about 40 dB signal to noise. Layer statistics show each "
         "layer's.",
     .fields = {"precision.weights.denoiser", "precision.weights.text_encoders",
                "precision.weights.vae", "precision.compute", "precision.pins"},
     .concerns = keeps_int8},
    {.id = "Q17",
     .area = CatalogueArea::quantised_base,
     .verdicts = "W",
     .title = "INT8 of a channel of zeros, or with a NaN: division by zero, or a NaN that vanishes",
     .cause = "The scale of zeros is zero, and INT8 has no code for NaN or infinity.",
     .here =
         "A channel of zeros has scale 1. Where a value isn't finite, the scale is NaN, so that "
         "the channel's results are NaN and the run stops as it would without INT8.",
     .fields = {"precision.weights.denoiser", "precision.weights.text_encoders",
                "precision.weights.vae", "precision.compute", "precision.pins"},
     .concerns = keeps_int8},
    {.id = "Q18",
     .area = CatalogueArea::quantised_base,
     .verdicts = "W",
     .title = "INT8 gradients with one scale per tensor: most of them become zero",
     .cause = "Gradients of different tokens differ by orders of magnitude.",
     .here = "Inputs and gradients have a scale for each token. In the backward pass the weight's "
             "scales multiply the gradient before it is rounded, so that it meets the very codes "
             "of the forward pass.",
     .fields = {"precision.compute"},
     .concerns = computes_int8},
    {.id = "Q22",
     .area = CatalogueArea::quantised_base,
     .verdicts = "W",
     .title = "Rotated INT8 that is read without the rotation: noise",
     .cause = "The rotation mixes neighbouring inputs of a layer; codes without it are other "
              "weights.",
     .here = "Linear layers are rotated in groups of 256 inputs, or of 64, 16 or 4 where 256 don't "
             "divide them; so are their inputs before they are rounded, and gradients after the "
             "product. All other layers are kept as INT8 without the rotation. Norms, merges and "
             "statistics see the weights rotated back.",
     .fields = {"precision.weights.denoiser", "precision.weights.text_encoders",
                "precision.weights.vae", "precision.pins"},
     .concerns = keeps_rotated},
    {.id = "Q19",
     .area = CatalogueArea::quantised_base,
     .verdicts = "W",
     .title = "NF4 with scales in 8 bits: zeros become small numbers, and a NaN vanishes",
     .cause =
         "A scale that is quantised itself is rarely exactly zero, and NF4 has no code for NaN "
         "or infinity.",
     .here = "A block of zeros has the code of 0, and stays zeros. Where a value isn't finite, the "
             "scale of its group of 256 blocks is NaN, so that the run stops as it would without "
             "NF4.",
     .fields = {"precision.weights.denoiser", "precision.weights.text_encoders",
                "precision.weights.vae", "precision.pins"},
     .concerns = keeps_nf4},
    {.id = "Q20",
     .area = CatalogueArea::quantised_base,
     .verdicts = "W",
     .title = "DoRA on a 4-bit base: magnitudes of a weight that is never multiplied",
     .cause =
         "The norms of rows in NF4 differ from the original's by percents: with the original's "
         "magnitudes, step 0 is another model.",
     .here = "Magnitudes and norms are those of the dequantised weight, in FP32, so step 0 equals "
             "the quantised base exactly.",
     .fields = {"precision.weights.denoiser", "adapter.type"},
     .concerns = keeps_nf4_with_dora},
    {.id = "Q21",
     .area = CatalogueArea::quantised_base,
     .verdicts = "W",
     .title = "A file in NF4 quantised again when it is loaded: every weight is rounded twice",
     .cause = "The weights are decoded first, and the largest value of a block then differs.",
     .here = "Codes and scales of a file by bitsandbytes are kept bit for bit, doubly quantised or "
             "not; layers in a wider type have exactly the values they stand for.",
     .fields = {"precision.weights.denoiser"},
     .concerns = keeps_the_files_nf4},
    {.id = "Q23",
     .area = CatalogueArea::quantised_base,
     .verdicts = "R",
     .title = "Blocks of GGUF asked of a base model that isn't a GGUF file",
     .cause = "GGUF's K types are made by a search over scales, which converters do best.",
     .here = "GGUF's blocks are kept as the file has them, and never made.",
     .refusal = "The gguf type keeps the blocks of a GGUF file, and this part of the base model "
                "isn't in one.",
     .fix = "BF16 weights, or FP32 where there is no BF16",
     .fields = {"precision.weights.denoiser", "precision.weights.text_encoders",
                "precision.weights.vae", "precision.pins"},
     .find = blocks_of_no_gguf},
    {.id = "Q24",
     .area = CatalogueArea::quantised_base,
     .verdicts = "W",
     .title = "A GGUF base model that is decoded when it is loaded: up to four times the memory",
     .cause = "Trainers read the file's values, and hold them in 16 bits.",
     .here = "With the gguf type every layer keeps its own blocks, mixed as the file mixes them, "
             "and is decoded where it is used, to the bits of the gguf package. Layers that the "
             "file has in 16 or 32 bits stay so.",
     .fields = {"precision.weights.denoiser"},
     .concerns = keeps_the_files_gguf},
    {.id = "Q25",
     .area = CatalogueArea::quantised_base,
     .verdicts = "W",
     .title = "MXFP8 and NVFP4: zeros divided by zero, and a NaN that vanishes",
     .cause = "The scale of a block of zeros is zero, and E2M1 has no code for NaN or infinity.",
     .here = "A block of zeros stays zeros. Where a value isn't finite, its block's scale is NaN, "
             "so that the run stops as it would without. Any card reads both: they are decoded "
             "where they are used.",
     .fields = {"precision.weights.denoiser", "precision.weights.text_encoders",
                "precision.weights.vae", "precision.pins"},
     .concerns = keeps_micro},
    {.id = "Q26",
     .area = CatalogueArea::quantised_base,
     .verdicts = "W",
     .title = "A file in MXFP8 or NVFP4 whose scales are read in the wrong order: noise",
     .cause = "ComfyUI stores scales in the tiles of 128 x 4 that tensor cores read.",
     .here = "Codes and scales are kept bit for bit, scales in the order of their blocks.",
     .fields = {"precision.weights.denoiser"},
     .concerns = keeps_the_files_micro},
};

}  // namespace

std::span<const CatalogueEntry> quantised_base_entries() {
  return kQuantisedRows;
}

}  // namespace mantissa
