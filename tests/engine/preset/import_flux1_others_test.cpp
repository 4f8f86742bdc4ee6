// FLUX.1 in configurations of SimpleTuner, AI Toolkit and OneTrainer, and models that have its
// name.
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/preset/import.h"
#include "tests/engine/preset/import_flux1_samples.h"

namespace mantissa {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::change_of;
using testing_support::flux1_by_ai_toolkit;
using testing_support::flux1_by_kohya_ss;
using testing_support::flux1_by_onetrainer;
using testing_support::flux1_by_scripts;
using testing_support::flux1_by_simpletuner;
using testing_support::kFlux1Blocks;
using testing_support::ranks_of;
using testing_support::row;

TEST(ImportFlux1, SimpleTunersLayersAreThose) {
  const std::pair<const char*, std::vector<std::string>> sets[] = {
      {"all", {"attention"}},
      {"mmdit",
       {"denoiser.*transformer_blocks.*.attn.to_q", "denoiser.*transformer_blocks.*.attn.to_k",
        "denoiser.*transformer_blocks.*.attn.to_v", "denoiser.transformer_blocks.*.attn.to_out.*"}},
      {"context",
       {"denoiser.transformer_blocks.*.attn.add_*",
        "denoiser.transformer_blocks.*.attn.to_add_out"}},
      {"context+ffs",
       {"denoiser.transformer_blocks.*.attn.add_*", "denoiser.transformer_blocks.*.attn.to_add_out",
        "denoiser.transformer_blocks.*.ff_context.*"}},
      {"all+ffs", {"attention+mlp", "denoiser.proj_out"}},
      {"all+ffs+embedder", {"attention+mlp", "denoiser.proj_out", "denoiser.x_embedder"}},
      {"ai-toolkit",
       {"attention+mlp", "denoiser.proj_out", "denoiser.*transformer_blocks.*.norm*"}},
      {"tiny",
       {"denoiser.single_transformer_blocks.7.proj_out",
        "denoiser.single_transformer_blocks.20.proj_out"}},
      {"nano", {"denoiser.single_transformer_blocks.7.proj_out"}}};
  for (const auto& [name, targets] : sets) {
    const ImportResult r =
        flux1_by_simpletuner(R"("--flux_lora_target": ")" + std::string(name) + "\"");
    EXPECT_EQ(r.preset.adapter.targets, targets) << name;
    EXPECT_EQ(row(r, "--flux_lora_target").fate, ImportFate::mapped) << name;
  }
  const ImportResult other = flux1_by_simpletuner(R"("--flux_lora_target": "fluxgym")");
  EXPECT_THAT(change_of(other, "--flux_lora_target"), HasSubstr("see adapter.targets"));
  EXPECT_THROW(flux1_by_simpletuner(R"("--flux_lora_target": "all+ffs+embedder+controlnet")"),
               UnsupportedFamily);
  const ImportResult lycoris = import_preset_text(
      R"({"model_family": "flux", "model_type": "lora", "lora_type": "lycoris",
          "flux_lora_target": "tiny"})",
      "config.json");
  EXPECT_EQ(lycoris.preset.adapter.targets, Preset{}.adapter.targets);
  EXPECT_EQ(row(lycoris, "flux_lora_target").fate, ImportFate::ignored);
}

TEST(ImportFlux1, SimpleTunersGuidanceAndSchedules) {
  const ImportResult r = flux1_by_simpletuner(
      R"("--flux_guidance_mode": "constant", "--flux_guidance_value": 1.0, "--flux_guidance_min": 1,
         "--flux_guidance_max": 4, "--flux_attention_masked_training": false,
         "--flux_fast_schedule": false, "--flux_schedule_shift": 2.5,
         "--flux_schedule_auto_shift": false, "--flux_use_uniform_schedule": true,
         "--flux_use_beta_schedule": false, "--flux_beta_schedule_alpha": 2,
         "--flux_beta_schedule_beta": 2, "--max_grad_norm": 1, "--grad_clip_method": "norm",
         "--flow_matching_sigmoid_scale": 1)");
  EXPECT_EQ(change_of(r, "--flux_guidance_value"), "ignored") << "1, as here";
  EXPECT_EQ(change_of(r, "--flux_guidance_max"), "ignored");
  EXPECT_EQ(change_of(r, "--flux_attention_masked_training"), "ignored");
  EXPECT_EQ(r.preset.training.flow_shift, 2.5) << "the older name of flow_schedule_shift";
  EXPECT_EQ(r.preset.training.timesteps, TimestepDistribution::uniform);
  const ImportResult both =
      flux1_by_simpletuner(R"("--flux_schedule_shift": 2.5, "--flow_schedule_shift": 4)");
  EXPECT_EQ(both.preset.training.flow_shift, 4);
  EXPECT_THAT(row(both, "--flux_schedule_shift").note.text(), HasSubstr("--flow_schedule_shift"));

  const std::pair<const char*, const char*> changes[] = {
      {R"("--flux_guidance_mode": "random-range")", "1 in training here"},
      {R"("--flux_guidance_value": 3.5)", "1 in training here"},
      {R"("--flux_attention_masked_training": true)", "a mask for the padding"},
      {R"("--flux_fast_schedule": true)", "another choice of timesteps"},
      {R"("--flux_use_beta_schedule": true)", "another choice of timesteps"},
      {R"("--flow_sigmoid_scale": 0.5)", "another choice of timesteps"},
      {R"("--model_flavour": "schnell")", "--training-adapter"},
      {R"("--model_flavour": "libreflux")", "a mask for the padding"},
      {R"("--model_flavour": "fluxbooru")", "1 in training here"}};
  for (const auto& [key, note] : changes) {
    const std::string name = std::string(key).substr(1, std::string(key).find('"', 1) - 1);
    const ImportResult differs = flux1_by_simpletuner(key);
    EXPECT_THAT(change_of(differs, name), HasSubstr(note)) << key;
    EXPECT_EQ(differs.preset.training.timesteps, TimestepDistribution::shifted) << key;
  }
  EXPECT_EQ(change_of(flux1_by_simpletuner(
                          R"("--model_flavour": "schnell", "--disable_assistant_lora": true)"),
                      "--model_flavour"),
            "ignored");
  EXPECT_EQ(change_of(flux1_by_simpletuner(R"("--model_flavour": "krea")"), "--model_flavour"),
            "ignored");
  const ImportResult older = import_preset_text(
      "export MODEL_TYPE='lora'\nexport FLUX=true\nexport FLUX_LORA_TARGET=nano\n"
      "export FLUX_GUIDANCE_VALUE=3.5\n",
      "config.env");
  EXPECT_EQ(older.preset.model.family, ModelFamily("flux1"));
  EXPECT_THAT(older.preset.adapter.targets,
              ElementsAre("denoiser.single_transformer_blocks.7.proj_out"));
  EXPECT_THAT(change_of(older, "FLUX_GUIDANCE_VALUE"), HasSubstr("1 in training here"));
  const ImportResult sdxl = import_preset_text(
      R"({"model_family": "sdxl", "model_type": "lora", "flux_guidance_value": 3.5,
          "flux_lora_target": "tiny", "flux_fast_schedule": true})",
      "config.json");
  EXPECT_EQ(row(sdxl, "flux_guidance_value").fate, ImportFate::ignored);
}

TEST(ImportFlux1, AGuidanceScaleOfOneTrainerIsTold) {
  EXPECT_THAT(change_of(flux1_by_onetrainer("x", R"(, "transformer": {"guidance_scale": 3.5})"),
                        "transformer.guidance_scale"),
              HasSubstr("1 in training here"));
  EXPECT_EQ(change_of(flux1_by_onetrainer("x", R"(, "transformer": {"guidance_scale": 1.0})"),
                      "transformer.guidance_scale"),
            "ignored");
}

TEST(ImportFlux1, AMaskOfItsCaptionsIsTold) {
  EXPECT_THAT(change_of(flux1_by_onetrainer("x", R"(, "transformer": {"attention_mask": true})"),
                        "transformer.attention_mask"),
              HasSubstr("a mask for the padding"));
  EXPECT_EQ(change_of(flux1_by_onetrainer("x", R"(, "transformer": {"attention_mask": false})"),
                      "transformer.attention_mask"),
            "ignored");
  EXPECT_THAT(change_of(flux1_by_ai_toolkit("arch: flux, attn_masking: true"),
                        "config.process[0].model.attn_masking"),
              HasSubstr("a mask for the padding"));
}

TEST(ImportFlux1, LayersOfAiToolkitAreChosenByTheirPathsAsThere) {
  const auto read = [](const std::string& arch, const std::string& filter) {
    return import_preset_text(
        "job: extension\nconfig:\n  process:\n    - type: sd_trainer\n      model: {arch: " + arch +
            "}\n      network:\n        type: lora\n        linear: 8\n        network_kwargs:\n" +
            filter,
        "x.yaml");
  };
  const std::string only =
      "          only_if_contains:\n"
      "            - transformer.single_transformer_blocks.7.proj_out\n            - attn.to_q\n";
  EXPECT_THAT(read("flux", only).preset.adapter.targets,
              ElementsAre("denoiser.single_transformer_blocks.7.proj_out*",
                          "denoiser.*transformer_blocks.*attn.to_q*"));
  const ImportResult without = read(
      "flux", "          ignore_if_contains:\n            - transformer.transformer_blocks.0.\n");
  EXPECT_EQ(without.preset.adapter.targets, kFlux1Blocks);
  EXPECT_THAT(ranks_of(without), ElementsAre("denoiser.transformer_blocks.0.* 0 0"));
  const ImportResult other = read("zimage", only);
  EXPECT_EQ(row(other, "config.process[0].network.network_kwargs.only_if_contains").fate,
            ImportFate::changed);
}

/// Every program with this path or repository.
std::vector<std::function<ImportResult()>> flux1_imports(const std::string& model) {
  return {
      [=] { return flux1_by_scripts("pretrained_model_name_or_path = \"" + model + "\"\n"); },
      [=] { return flux1_by_kohya_ss(R"("pretrained_model_name_or_path": ")" + model + "\""); },
      [=] { return flux1_by_ai_toolkit("arch: flux, name_or_path: \"" + model + "\""); },
      [=] { return flux1_by_ai_toolkit("name_or_path: \"" + model + "\", is_flux: true"); },
      [=] { return flux1_by_onetrainer(model); },
      [=] {
        return flux1_by_onetrainer("x", R"(, "transformer": {"model_name": ")" + model + "\"}");
      },
      [=] { return flux1_by_simpletuner(R"("pretrained_model_name_or_path": ")" + model + "\""); },
      [=] {
        return import_preset_metadata({{"ss_network_module", "networks.lora_flux"},
                                       {"ss_network_dim", "4"},
                                       {"ss_sd_model_name", model}},
                                      "a.safetensors");
      }};
}

TEST(ImportFlux1, ModelsOfItsNameAreRefusedByTheirs) {
  const std::pair<const char*, const char*> models[] = {
      {"black-forest-labs/FLUX.1-Fill-dev", "FLUX.1 Fill"},
      {"black-forest-labs/FLUX.1-Canny-dev", "FLUX.1 Canny"},
      {"black-forest-labs/FLUX.1-Depth-dev", "FLUX.1 Depth"},
      {"black-forest-labs/FLUX.1-Redux-dev", "FLUX.1 Redux"},
      {"ostris/Flex.1-alpha", "Flex.1"},
      {"ostris/Flex.2-preview", "Flex.2"},
      {"/models/flux1-fill-dev.safetensors", "FLUX.1 Fill"},
      {"/cache/models--black-forest-labs--FLUX.1-Canny-dev/snapshots/0a1b/", "FLUX.1 Canny"}};
  for (const auto& [model, title] : models) {
    for (const auto& import : flux1_imports(model)) {
      try {
        import();
        ADD_FAILURE() << model;
      } catch (const UnsupportedFamily& e) {
        EXPECT_THAT(std::string(e.what()),
                    testing::AllOf(HasSubstr(title), HasSubstr("is not supported here")))
            << model;
      }
    }
  }
  for (const char* model :
       {"black-forest-labs/FLUX.1-dev", "black-forest-labs/FLUX.1-Krea-dev",
        "black-forest-labs/FLUX.1-Kontext-dev", "/models/flux1-dev-kontext_fp8_scaled.safetensors",
        "/models/flux1-schnell.safetensors", "/runs/fill-and-depth/flux1-dev.safetensors",
        "/models/flux-canny-tests/flux1-krea-dev.safetensors"}) {
    for (const auto& import : flux1_imports(model)) {
      EXPECT_EQ(import().preset.model.family, ModelFamily("flux1")) << model;
    }
  }
  EXPECT_EQ(import_preset_text("network_module = \"networks.lora\"\nnetwork_dim = 4\n"
                               "pretrained_model_name_or_path = \"/m/chromaXL.safetensors\"\n",
                               "x.toml")
                .preset.model.family,
            ModelFamily::automatic)
      << "another family's models may have such names";
}

}  // namespace
}  // namespace mantissa
