#pragma once
// Every model family as presets and importers know it, one row each. The rest is in engine/models.

#include <array>
#include <cstddef>
#include <string_view>

namespace mantissa {

enum class ModelFamily { automatic, sdxl, sd15, pixart, z_image, flux2, anima, krea2 };

/// What other trainers call a family, in lower case with spaces between; a name that ends in '*'
/// stands for all that begin with it. Empty where that trainer lacks the family.
struct ForeignNames {
  std::string_view kohya_networks{};   ///< network_module of sd-scripts; "networks.lora" is any
  std::string_view kohya_versions{};   ///< base_model_version in the metadata of an adapter
  std::string_view musubi_networks{};  ///< network_module of musubi-tuner
  std::string_view musubi_versions{};  ///< its model_version, and base_model_version
  std::string_view onetrainer{};       ///< model_type
  std::string_view ai_toolkit{};       ///< model.arch; a suffix such as ":turbo" names a variant
  std::string_view simpletuner{};      ///< model_family
};

struct FamilyRow {
  ModelFamily id;
  std::string_view name;  ///< in presets
  /// The base models that are of this family, as documents and the first-run wizard list them.
  std::string_view models{};
  bool has_flow = false;  ///< may be a rectified flow, the only kind with a shift
  bool has_vp = false;    ///< may be variance-preserving, with betas
  bool has_clip = false;  ///< CLIP reads its captions
  int text_encoders = 1;  ///< the most it has: te1, te2
  ForeignNames foreign{};
};

/// In the order of ModelFamily.
inline constexpr std::array kFamilyRows{
    // Of other trainers' names, those of SD 2.x: its file tells.
    FamilyRow{.id = ModelFamily::automatic,
              .name = "auto",
              .has_flow = true,
              .has_vp = true,
              .has_clip = true,
              .text_encoders = 2,
              .foreign = {.kohya_versions = "sd_v2* sd_2*",
                          .onetrainer = "stable_diffusion_20 stable_diffusion_20_base "
                                        "stable_diffusion_21 stable_diffusion_21_base",
                          .ai_toolkit = "sd2",
                          .simpletuner = "sd2x"}},
    FamilyRow{.id = ModelFamily::sdxl,
              .name = "sdxl",
              .models = "SDXL",
              .has_vp = true,
              .has_clip = true,
              .text_encoders = 2,
              .foreign = {.kohya_versions = "sdxl*",
                          .onetrainer = "stable_diffusion_xl_10_base",
                          .ai_toolkit = "sdxl",
                          .simpletuner = "sdxl"}},
    FamilyRow{.id = ModelFamily::sd15,
              .name = "sd15",
              .models = "SD 1.5, SD 2.x",
              .has_vp = true,
              .has_clip = true,
              .foreign = {.kohya_versions = "sd_v1* sd_1*",
                          .onetrainer = "stable_diffusion_15",
                          .ai_toolkit = "sd1 sd15",
                          .simpletuner = "sd1x"}},
    FamilyRow{.id = ModelFamily::pixart,
              .name = "pixart",
              .models = "PixArt-α, PixArt-Σ",
              .has_vp = true,
              .foreign = {.onetrainer = "pixart_alpha pixart_sigma",
                          .ai_toolkit = "pixart pixart_sigma",
                          .simpletuner = "pixart*"}},
    FamilyRow{.id = ModelFamily::z_image,
              .name = "z_image",
              .models = "Z-Image",
              .has_flow = true,
              .foreign = {.kohya_versions = "zimage*",
                          .musubi_networks = "networks.lora_zimage",
                          .musubi_versions = "z_image*",
                          .onetrainer = "z_image",
                          .ai_toolkit = "zimage zimage:*",
                          .simpletuner = "z_image"}},
    FamilyRow{.id = ModelFamily::flux2,
              .name = "flux2",
              .models = "FLUX.2 klein",
              .has_flow = true,
              .foreign = {.kohya_versions = "flux2_klein*",
                          .musubi_networks = "networks.lora_flux_2",
                          .musubi_versions = "flux_2_klein* klein*",
                          .onetrainer = "flux_2",
                          .ai_toolkit = "flux2_klein_4b flux2_klein_9b",
                          .simpletuner = "flux2"}},
    FamilyRow{.id = ModelFamily::anima,
              .name = "anima",
              .models = "Anima",
              .has_flow = true,
              .text_encoders = 2,
              .foreign = {.kohya_networks = "networks.lora_anima",
                          .kohya_versions = "anima*",
                          .onetrainer = "anima",
                          .ai_toolkit = "anima anima:*",
                          .simpletuner = "anima"}},
    FamilyRow{.id = ModelFamily::krea2,
              .name = "krea2",
              .models = "Krea 2",
              .has_flow = true,
              .foreign = {.musubi_networks = "networks.lora_krea2",
                          .musubi_versions = "krea2*",
                          .onetrainer = "krea_2",
                          .ai_toolkit = "krea2 krea2:*",
                          .simpletuner = "krea2"}},
};

constexpr const FamilyRow& family_row(ModelFamily id) {
  return kFamilyRows[static_cast<std::size_t>(id)];
}

/// As presets spell them.
inline constexpr auto kFamilyNames = [] {
  std::array<std::string_view, kFamilyRows.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = kFamilyRows[i].name;
  }
  return names;
}();

static_assert(
    [] {
      for (std::size_t i = 0; i < kFamilyRows.size(); ++i) {
        if (static_cast<std::size_t>(kFamilyRows[i].id) != i) {
          return false;
        }
      }
      return true;
    }(),
    "a row for each ModelFamily, in its order");

}  // namespace mantissa
