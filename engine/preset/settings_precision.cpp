#include "engine/preset/settings_rows.h"

namespace mantissa {
namespace {

using value_io::bind;
using P = Preset;
using R = Preset::Precision;
using W = Preset::Precision::Weights;

constexpr Setting kPrecision[] = {
    {.key = "precision.weights.denoiser",
     .label = "Denoiser weight type",
     .kind = Kind::choice,
     .group = Group::precision,
     .tier = Tier::essential,
     .choices = kEnumNames<StorageType>,
     .since = 2,
     .alias = "precision.weights.unet",
     .bind = bind<&P::precision, &R::weights, &W::denoiser>(),
     .help =
         "Storage type of the frozen denoiser, a UNet or a transformer. fp32 is exact; bf16 or "
         "fp16 halve its memory; the fp8 types and int8 quarter it at a small loss of precision, "
         "which check reports; int8 loses less than fp8, and int8_convrot, rotated as in "
         "ComfyUI's files, less where a layer has a few large values. nf4 (QLoRA) takes an eighth, "
         "loses more, and takes some time to decode. mxfp8 and nvfp4 are a little larger than fp8 "
         "and nf4; gguf keeps a GGUF file's blocks as they are. These three suit files that come "
         "in them."},
    {.key = "precision.weights.text_encoders",
     .label = "Text encoder weight type",
     .kind = Kind::choice,
     .group = Group::precision,
     .choices = kEnumNames<StorageType>,
     .bind = bind<&P::precision, &R::weights, &W::text_encoders>(),
     .help = "Storage type of the frozen text encoders. Matters only while captions are encoded, "
             "or throughout when a text encoder is trained."},
    {.key = "precision.weights.vae",
     .label = "VAE weight type",
     .kind = Kind::choice,
     .group = Group::precision,
     .choices = kEnumNames<StorageType>,
     .bind = bind<&P::precision, &R::weights, &W::vae>(),
     .help = "Storage type of the VAE. SDXL's own VAE overflows in fp16: use fp32 or bf16."},
    {.key = "precision.compute",
     .label = "Compute type",
     .kind = Kind::choice,
     .group = Group::precision,
     .tier = Tier::essential,
     .choices = kEnumNames<ComputeType>,
     .bind = bind<&P::precision, &R::compute>(),
     .help = "Type of activations and matmuls. fp32 is the reference and the choice on a CPU. bf16 "
             "is fast and safe on recent cards. fp16 suits older cards and needs loss scaling. fp8 "
             "and int8 multiply 8-bit codes in the denoiser's linear layers: fp8 on cards from the "
             "RTX 40 series on, int8 also on the RTX 30 series and CPUs, int8_fp16 on the RTX 20 "
             "series. Between these products values are bf16; int8_fp16 keeps them in fp16. "
             "Accumulation is always in fp32, of int8 exact."},
    {.key = "precision.adapter",
     .label = "Adapter weight type",
     .kind = Kind::choice,
     .group = Group::precision,
     .choices = kEnumNames<MasterType>,
     .bind = bind<&P::precision, &R::adapter>(),
     .help = "Type of the trained weights. The adapter is small: keep fp32 unless memory is very "
             "short, because small updates vanish in 16 bits."},
    {.key = "precision.gradients",
     .label = "Gradient type",
     .kind = Kind::choice,
     .group = Group::precision,
     .choices = kEnumNames<MasterType>,
     .bind = bind<&P::precision, &R::gradients>(),
     .help = "Type that gradients are accumulated in. fp32 keeps small ones over many accumulation "
             "steps."},
    {.key = "precision.optimizer_state",
     .label = "Optimizer state type",
     .kind = Kind::choice,
     .group = Group::precision,
     .choices = kEnumNames<StateType>,
     .bind = bind<&P::precision, &R::optimizer_state>(),
     .help = "Type of the optimizer's moments. 8bit quarters them, which matters at high ranks."},
    {.key = "precision.stochastic_rounding",
     .label = "Stochastic rounding",
     .kind = Kind::boolean,
     .group = Group::precision,
     .bind = bind<&P::precision, &R::stochastic_rounding>(),
     .help = "Rounds updates of 16-bit adapter weights and optimizer state up or down at random, "
             "in proportion, so that small updates add up instead of vanishing. Keep it on with "
             "either of them."},
    {.key = "precision.kahan",
     .label = "Kahan summation",
     .kind = Kind::boolean,
     .group = Group::precision,
     .applies_if = {"precision.adapter", one_of<"bf16">},
     .bind = bind<&P::precision, &R::kahan>(),
     .help = "Keeps what rounding a bf16 adapter weight lost and adds it to the next update, in "
             "place of stochastic rounding. Exact to about 16 bits for 2 more bytes a weight."},
    {.key = "precision.fp8_scaling",
     .label = "FP8 scaling",
     .kind = Kind::choice,
     .group = Group::precision,
     .choices = kEnumNames<Fp8Scaling>,
     .applies_if = {"precision.compute", one_of<"fp8">},
     .bind = bind<&P::precision, &R::fp8_scaling>(),
     .help = "Where the scales of FP8 matmuls come from. current measures each row of a "
             "tensor, which is the faster and the finer way; delayed takes one scale per tensor, "
             "from the maximum of the last 1024 steps, as some other trainers do."},
    {.key = "precision.loss_scaling",
     .label = "Loss scaling",
     .kind = Kind::choice_or_number,
     .group = Group::precision,
     .min = 1,
     .max = 4294967296.0,
     .choices = kEnumNames<LossScaling::Mode>,
     .bind = bind<&P::precision, &R::loss_scaling>(),
     .help = "Multiplies the loss so that small fp16 gradients do not become zero. auto turns it "
             "on where fp16 needs it; dynamic adapts the factor; a number fixes it."},
    {.key = "precision.pins",
     .label = "Pinned layers",
     .kind = Kind::pins,
     .group = Group::precision,
     .choices = kEnumNames<StorageType>,
     .bind = bind<&P::precision, &R::pins>(),
     .help =
         "Module-path patterns that keep a type of their own, such as "
         "{\"denoiser.conv_in\": \"fp32\"}. Of patterns that name the same module, the one with "
         "the most characters besides * counts. For layers that probe finds sensitive."},
};

}  // namespace

std::span<const Setting> precision_rows() {
  return kPrecision;
}

}  // namespace mantissa
