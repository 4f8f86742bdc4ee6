#include "engine/preset/import_families.h"

#include <set>

#include "tests/engine/preset/import_samples.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string refusal(const std::string& text) {
  return test::message_of([&] { import_preset_text(text, "x.conf"); });
}

std::string ai_toolkit(const std::string& arch) {
  return "job: extension\nconfig:\n  process:\n    - type: sd_trainer\n      model:\n        "
         "arch: " +
         arch + "\n";
}

TEST(ImportFamilies, OnesThatAreNotOfferedAreRefusedByName) {
  const std::pair<std::string, const char*> files[] = {
      {R"({"training_method": "LORA", "model_type": "HI_DREAM_FULL"})", "HiDream (model_type)"},
      {R"({"training_method": "LORA", "model_type": "STABLE_DIFFUSION_35"})",
       "Stable Diffusion 3.5"},
      {R"({"training_method": "LORA", "model_type": "FLUX_2",
           "base_model_name": "black-forest-labs/FLUX.2-dev"})",
       "FLUX.2 dev"},
      {R"({"training_method": "LORA", "model_type": "MADE_UP_9"})", "MADE_UP_9"},
      {"network_module = \"networks.lora_flux\"", "FLUX.1"},
      {"network_module = \"networks.lora_sd3\"", "Stable Diffusion 3"},
      {"network_module = \"networks.lora_lumina\"", "Lumina Image 2.0"},
      {R"({"LoRA_type": "Flux1", "network_dim": 4})", "FLUX.1"},
      {R"({"flux1_checkbox": true, "network_dim": 4})", "FLUX.1"},
      {R"({"sd3_checkbox": true, "network_dim": 4})", "Stable Diffusion 3"},
      {"network_module = \"networks.lora_wan\"", "Wan"},
      {"network_module = \"networks.lora_qwen_image\"", "Qwen-Image"},
      {"network_module = \"networks.lora\"\ndit = \"/m/hunyuan.safetensors\"", "HunyuanVideo"},
      {"network_module = \"networks.lora_flux_2\"\nmodel_version = \"dev\"", "FLUX.2 dev"},
      {ai_toolkit("hidream"), "HiDream"},
      {ai_toolkit("\"qwen_image_edit_plus:2511\""), "Qwen-Image-Edit"},
      {ai_toolkit("flux2"), "FLUX.2 dev"},
      {ai_toolkit("tomorrow"), "tomorrow"},
      {R"({"model_family": "auraflow"})", "AuraFlow"},
      {R"({"model_family": "kandinsky5-image"})", "Kandinsky 5 Image"},
      {R"({"model_family": "flux2", "model_flavour": "dev"})", "FLUX.2 dev"},
  };
  for (const auto& [text, title] : files) {
    EXPECT_THAT(refusal(text),
                AllOf(HasSubstr("x.conf:"), HasSubstr(title), HasSubstr("is not supported here"),
                      HasSubstr("sdxl, sd15, pixart, z_image, flux2")))
        << text;
  }
  EXPECT_THAT(refusal(ai_toolkit("hidream")), HasSubstr("x.conf:6: HiDream"));
  EXPECT_THAT(test::message_of([] {
                import_preset_metadata(
                    {{"ss_network_dim", "4"}, {"ss_base_model_version", "flux1"}}, "a.safetensors");
              }),
              HasSubstr("a.safetensors: FLUX.1"));
}

TEST(ImportFamilies, OfferedOnesAreTaken) {
  const std::pair<std::string, ModelFamily> files[] = {
      {R"({"training_method": "LORA", "model_type": "Z_IMAGE"})", ModelFamily::z_image},
      {R"({"training_method": "LORA", "model_type": "FLUX_2",
           "base_model_name": "black-forest-labs/FLUX.2-klein-base-4B"})",
       ModelFamily::flux2},
      {R"({"training_method": "LORA", "model_type": "PIXART_SIGMA"})", ModelFamily::pixart},
      {R"({"training_method": "LORA", "model_type": "STABLE_DIFFUSION_21"})",
       ModelFamily::automatic},
      {"network_module = \"networks.lora_zimage\"", ModelFamily::z_image},
      {"network_module = \"networks.lora_flux_2\"", ModelFamily::flux2},
      {"network_module = \"networks.lora_flux_2\"\nmodel_version = \"klein-base-9b\"",
       ModelFamily::flux2},
      {"network_module = \"networks.lora\"\nv2 = true", ModelFamily::automatic},
      {ai_toolkit("sdxl"), ModelFamily::sdxl},
      {ai_toolkit("sd15"), ModelFamily::sd15},
      {ai_toolkit("\"zimage:deturbo\""), ModelFamily::z_image},
      {ai_toolkit("flux2_klein_9b"), ModelFamily::flux2},
      {"job: extension\nconfig:\n  process:\n    - model: {is_xl: true}\n", ModelFamily::sdxl},
      {R"({"model_family": "sd1x"})", ModelFamily::sd15},
      {R"({"--model_family": "flux2", "--model_flavour": "klein-4b"})", ModelFamily::flux2},
  };
  for (const auto& [text, family] : files) {
    EXPECT_EQ(import_preset_text(text, "x").preset.model.family, family) << text;
  }
}

/// A row that an earlier one hides would never count.
TEST(ImportFamilies, EveryRowCountsAndNamesWhatItRefuses) {
  for (const auto names :
       {kohya_networks(), kohya_versions(), musubi_networks(), musubi_versions(),
        onetrainer_models(), ai_toolkit_architectures(), simpletuner_families()}) {
    for (const ForeignFamily& row : names) {
      const std::string name(row.name.substr(0, row.name.find('*')));
      EXPECT_EQ(find_family(names, name), &row) << row.name;
      EXPECT_TRUE(row.title.empty() || row.family == ModelFamily::automatic) << row.name;
    }
  }
}

}  // namespace
}  // namespace mantissa
