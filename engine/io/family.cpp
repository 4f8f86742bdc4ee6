#include "engine/io/family.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

constexpr LibraryClass kUnet{"diffusers", "UNet2DConditionModel"};
constexpr LibraryClass kVaeModel{"diffusers", "AutoencoderKL"};
constexpr LibraryClass kClipTokenizer{"transformers", "CLIPTokenizer"};
constexpr std::string_view kStability = "https://github.com/Stability-AI/generative-models";

constexpr std::array kSdxlParts{
    PartFiles{kDenoiser, "unet", kUnet, "", {}},
    PartFiles{kTe1, "text_encoder", {"transformers", "CLIPTextModel"}, "tokenizer", kClipTokenizer},
    PartFiles{kTe2,
              "text_encoder_2",
              {"transformers", "CLIPTextModelWithProjection"},
              "tokenizer_2",
              kClipTokenizer},
    PartFiles{kVae, "vae", kVaeModel, "", {}},
};
constexpr Family kSdxl{.id = ModelFamily::sdxl,
                       .title = "SDXL",
                       .parts = kSdxlParts,
                       .pipeline = "StableDiffusionXLPipeline",
                       .kohya_version = "sdxl_base_v1-0",
                       .kohya = KohyaStyle::sdxl,
                       .architecture = "stable-diffusion-xl-v1-base",
                       .implementation = kStability,
                       .latent_statistics = true};

/// SD 1.5 and 2.x.
constexpr std::array kSd15Parts{
    PartFiles{kDenoiser, "unet", kUnet, "", {}},
    PartFiles{kTe1, "text_encoder", {"transformers", "CLIPTextModel"}, "tokenizer", kClipTokenizer},
    PartFiles{kVae, "vae", kVaeModel, "", {}},
};
constexpr std::array<std::string_view, 2> kSd15Absent{"safety_checker", "feature_extractor"};
constexpr Family kSd15{.id = ModelFamily::sd15,
                       .title = "SD 1.5",
                       .parts = kSd15Parts,
                       .pipeline = "StableDiffusionPipeline",
                       .absent = kSd15Absent,
                       .kohya_version = "sd_v1",
                       .kohya = KohyaStyle::sd15,
                       .architecture = "stable-diffusion-v1",
                       .implementation = kStability,
                       .steps_offset = 1,
                       .vae_fits_fp16 = true};

constexpr std::array kPixartParts{
    PartFiles{kDenoiser, "transformer", {"diffusers", "PixArtTransformer2DModel"}, "", {}},
    PartFiles{kTe1,
              "text_encoder",
              {"transformers", "T5EncoderModel"},
              "tokenizer",
              {"transformers", "T5Tokenizer"}},
    PartFiles{kVae, "vae", kVaeModel, "", {}},
};
constexpr Family kPixart{
    .id = ModelFamily::pixart,
    .title = "PixArt",
    .parts = kPixartParts,
    .pipeline = "PixArtSigmaPipeline",
    .single_file = false,
    .kohya_version = "pixart",
    .architecture = "pixart",
    .implementation = "diffusers",
    .betas = R"({"beta_schedule": "linear", "beta_start": 0.0001, "beta_end": 0.02})",
    .t5 = true};

constexpr std::array kFamilies{&kSdxl, &kSd15, &kPixart};

}  // namespace

const PartFiles* Family::part(Part wanted) const {
  const auto found = std::find_if(parts.begin(), parts.end(),
                                  [&](const PartFiles& p) { return p.part == wanted; });
  return found == parts.end() ? nullptr : &*found;
}

std::vector<Part> Family::text_parts() const {
  std::vector<Part> text;
  for (const PartFiles& p : parts) {
    if (is_text(p.part)) {
      text.push_back(p.part);
    }
  }
  return text;
}

const Family& family_of(ModelFamily id) {
  for (const Family* family : kFamilies) {
    if (family->id == id) {
      return *family;
    }
  }
  throw Error(Message::verbatim("nothing is known of the model family '" +
                                std::string(enum_name(id)) + "'"));
}

}  // namespace mantissa
