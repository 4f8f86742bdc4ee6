#include "engine/preset/import_families.h"

#include <set>
#include <sstream>

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
      {ai_toolkit("chroma_radiance"), "Chroma Radiance"},
      {"network_module = \"lycoris.kohya\"\nt5xxl = \"x\"\ntraining_shift = 3.0",
       "Stable Diffusion 3"},
      {"network_module = \"networks.oft_flux\"", "FLUX.1 OFT"},
      {R"({"training_method": "LORA", "model_type": "FLUX_DEV_1",
           "base_model_name": "black-forest-labs/FLUX.1-Fill-dev"})",
       "FLUX.1 Fill"},
      {"network_module = \"networks.lora_sd3\"", "Stable Diffusion 3"},
      {"network_module = \"networks.lora_lumina\"", "Lumina Image 2.0"},
      {R"({"LoRA_type": "Flux1 OFT", "network_dim": 4})", "FLUX.1 OFT"},
      {R"({"sd3_checkbox": true, "network_dim": 4})", "Stable Diffusion 3"},
      {"network_module = \"networks.lora_wan\"", "Wan"},
      {R"({"model_family": "qwen_image", "model_flavour": "edit-v2+"})",
       "Qwen-Image-Edit-2509 with references at time 0"},
      {R"({"training_method": "LORA", "model_type": "QWEN_EDIT"})", "QWEN_EDIT"},
      {"network_module = \"networks.lora\"\ndit = \"/m/hunyuan.safetensors\"", "HunyuanVideo"},
      {"network_module = \"networks.lora_flux_2\"\nmodel_version = \"dev\"", "FLUX.2 dev"},
      {ai_toolkit("hidream"), "HiDream"},
      {ai_toolkit("flux2"), "FLUX.2 dev"},
      {ai_toolkit("tomorrow"), "tomorrow"},
      {R"({"model_family": "auraflow"})", "AuraFlow"},
      {R"({"model_family": "kandinsky5-image"})", "Kandinsky 5 Image"},
      {R"({"model_family": "flux2", "model_flavour": "dev"})", "FLUX.2 dev"},
      {"[model]\ntype = \"lumina_2\"\n[optimizer]\ntype = \"adamw\"", "Lumina Image 2.0"},
  };
  for (const auto& [text, title] : files) {
    EXPECT_THAT(refusal(text),
                AllOf(HasSubstr("x.conf:"), HasSubstr(title), HasSubstr("is not supported here"),
                      HasSubstr("sdxl, sd15, pixart, z_image, flux1, chroma, flux2, flux3, "
                                "anima, krea2, qwen_image_21, qwen_image, ernie_image")))
        << text;
  }
  EXPECT_THAT(refusal(ai_toolkit("hidream")), HasSubstr("x.conf:6: HiDream"));
  EXPECT_THAT(test::message_of([] {
                import_preset_metadata({{"ss_network_dim", "4"}, {"ss_base_model_version", "sd3m"}},
                                       "a.safetensors");
              }),
              HasSubstr("a.safetensors: Stable Diffusion 3"));
}

TEST(ImportFamilies, OfferedOnesAreTaken) {
  const std::pair<std::string, ModelFamily> files[] = {
      {R"({"training_method": "LORA", "model_type": "Z_IMAGE"})", ModelFamily("z_image")},
      {R"({"training_method": "LORA", "model_type": "FLUX_2",
           "base_model_name": "black-forest-labs/FLUX.2-klein-base-4B"})",
       ModelFamily("flux2")},
      {R"({"training_method": "LORA", "model_type": "FLUX_DEV_1",
           "base_model_name": "black-forest-labs/FLUX.1-dev"})",
       ModelFamily("flux1")},
      {"network_module = \"networks.lora_flux\"", ModelFamily("flux1")},
      {R"({"LoRA_type": "Flux1", "network_dim": 4})", ModelFamily("flux1")},
      {R"({"flux1_checkbox": true, "network_dim": 4})", ModelFamily("flux1")},
      {ai_toolkit("flux"), ModelFamily("flux1")},
      {ai_toolkit("flux_kontext"), ModelFamily("flux1")},
      {"network_module = \"networks.lora_flux\"\ndit = \"x\"\ntext_encoder1 = \"y\"\n"
       "text_encoder2 = \"z\"",
       ModelFamily("flux1")},
      {"network_module = \"musubi_tuner.networks.lora_flux\"\ndit = \"x\"", ModelFamily("flux1")},
      {R"({"model_family": "flux", "model_flavour": "kontext"})", ModelFamily("flux1")},
      {"job: extension\nconfig:\n  process:\n    - model: {is_flux: true}\n", ModelFamily("flux1")},
      {R"({"model_family": "flux", "model_flavour": "schnell"})", ModelFamily("flux1")},
      {"network_module = \"networks.lora_flux\"\nmodel_type = \"chroma\"", ModelFamily("chroma")},
      {R"({"training_method": "LORA", "model_type": "CHROMA_1"})", ModelFamily("chroma")},
      {ai_toolkit("chroma"), ModelFamily("chroma")},
      {R"({"model_family": "chroma", "model_flavour": "hd"})", ModelFamily("chroma")},
      {R"({"training_method": "LORA", "model_type": "PIXART_SIGMA"})", ModelFamily("pixart")},
      {R"({"training_method": "LORA", "model_type": "STABLE_DIFFUSION_21"})",
       ModelFamily::automatic},
      {"network_module = \"networks.lora_zimage\"", ModelFamily("z_image")},
      {"network_module = \"networks.lora_qwen_image\"", ModelFamily("qwen_image")},
      {"network_module = \"networks.lora_qwen_image\"\nmodel_version = \"original\"",
       ModelFamily("qwen_image")},
      {"network_module = \"networks.lora_qwen_image\"\nmodel_version = \"edit-2511\"",
       ModelFamily("qwen_image")},
      {"network_module = \"networks.lora_qwen_image\"\nedit_plus = true",
       ModelFamily("qwen_image")},
      {R"({"model_family": "qwen_image", "model_flavour": "edit-v2"})", ModelFamily("qwen_image")},
      {ai_toolkit("qwen_image_edit"), ModelFamily("qwen_image")},
      {ai_toolkit("\"qwen_image_edit_plus:2511\""), ModelFamily("qwen_image")},
      {R"({"training_method": "LORA", "model_type": "QWEN"})", ModelFamily("qwen_image")},
      {ai_toolkit("\"qwen_image:2512\""), ModelFamily("qwen_image")},
      {R"({"model_family": "qwen_image", "model_flavour": "v1.0"})", ModelFamily("qwen_image")},
      {"network_module = \"networks.lora_ernie_image\"", ModelFamily("ernie_image")},
      {R"({"training_method": "LORA", "model_type": "ERNIE"})", ModelFamily("ernie_image")},
      {ai_toolkit("ernie_image"), ModelFamily("ernie_image")},
      {R"({"model_family": "ernie", "model_flavour": "base"})", ModelFamily("ernie_image")},
      {"network_module = \"networks.lora_flux_2\"", ModelFamily("flux2")},
      {"network_module = \"networks.lora_flux_2\"\nmodel_version = \"klein-base-9b\"",
       ModelFamily("flux2")},
      {"network_module = \"networks.lora\"\nv2 = true", ModelFamily::automatic},
      {ai_toolkit("sdxl"), ModelFamily("sdxl")},
      {ai_toolkit("sd15"), ModelFamily("sd15")},
      {ai_toolkit("\"zimage:deturbo\""), ModelFamily("z_image")},
      {ai_toolkit("flux2_klein_9b"), ModelFamily("flux2")},
      {"job: extension\nconfig:\n  process:\n    - model: {is_xl: true}\n", ModelFamily("sdxl")},
      {R"({"model_family": "sd1x"})", ModelFamily("sd15")},
      {R"({"--model_family": "flux2", "--model_flavour": "klein-4b"})", ModelFamily("flux2")},
      {"pipeline_stages = 1\n[model]\ntype = \"ernie_image\"", ModelFamily("ernie_image")},
  };
  for (const auto& [text, family] : files) {
    EXPECT_EQ(import_preset_text(text, "x").preset.model.family, family) << text;
  }
}

constexpr FamilyNaming kNamings[] = {&ForeignNames::kohya_networks,  &ForeignNames::kohya_versions,
                                     &ForeignNames::musubi_networks, &ForeignNames::musubi_versions,
                                     &ForeignNames::onetrainer,      &ForeignNames::ai_toolkit,
                                     &ForeignNames::simpletuner,     &ForeignNames::diffusion_pipe};

/// The names of a row, each as a program would write it.
std::vector<std::string> names_of(std::string_view names) {
  std::vector<std::string> list;
  std::istringstream words{std::string(names)};
  for (std::string word; words >> word;) {
    list.push_back(word.ends_with('*') ? word.substr(0, word.size() - 1) : word);
  }
  return list;
}

/// What programs call each family, and each generation, which has no family in a preset.
std::vector<std::pair<ModelFamily, ForeignNames>> offered() {
  std::vector<std::pair<ModelFamily, ForeignNames>> list;
  for (const FamilyRow* row : family_rows()) {
    list.emplace_back(row->id, row->foreign);
    for (const FamilyGeneration& generation : row->generations) {
      list.emplace_back(ModelFamily::automatic, generation.foreign);
    }
  }
  return list;
}

/// A row that another one hides would never count.
TEST(ImportFamilies, EveryNameStandsForItsOwnFamily) {
  for (const FamilyNaming naming : kNamings) {
    for (const OtherFamily& row : other_families(naming)) {
      const auto found = find_family(naming, row.name.substr(0, row.name.find('*')));
      ASSERT_TRUE(found) << row.name;
      EXPECT_EQ(found->title, row.title) << row.name;
    }
    for (const auto& [family, foreign] : offered()) {
      for (const std::string& name : names_of(foreign.*naming)) {
        const auto found = find_family(naming, name);
        ASSERT_TRUE(found) << name;
        EXPECT_TRUE(found->title.empty()) << name;
        EXPECT_EQ(found->family, family) << name;
      }
    }
  }
}

/// A file of the program that has this key, with a family's name in it.
std::string file_of(FamilyNaming naming, const std::string& name) {
  if (naming == &ForeignNames::kohya_networks || naming == &ForeignNames::musubi_networks) {
    return "[deeply.args]\nnetwork_module = \"" + name + "\"\nnetwork_dim = 4\n";
  }
  if (naming == &ForeignNames::musubi_versions) {
    return "network_module = \"lycoris.kohya\"\ndit = \"x\"\nmodel_version = \"" + name + "\"\n";
  }
  if (naming == &ForeignNames::onetrainer) {
    return R"({"training_method": "LORA", "model_type": ")" + name + "\"}";
  }
  if (naming == &ForeignNames::ai_toolkit) {
    return ai_toolkit("\"" + name + "\"");
  }
  if (naming == &ForeignNames::diffusion_pipe) {
    return "[model]\ntype = \"" + name + "\"\n[optimizer]\ntype = \"adamw\"\n";
  }
  return R"({"model_type": "lora", "model_family": ")" + name + "\"}";
}

/// Programs that know every family; the others lack some, or have no name of their own for them.
TEST(ImportFamilies, EveryFamilyIsReadFromEveryProgramThatHasIt) {
  for (const auto& [family, names] : offered()) {
    // No other program had FLUX.3 when its family was added, in November 2026.
    const bool nobody_has_it = family == ModelFamily("flux3");
    // OneTrainer hadn't Qwen-Image-2.1 either; SimpleTuner has it as one of Qwen-Image's.
    const bool some_have_it = family == ModelFamily("qwen_image_21");
    for (const std::string_view required : {names.onetrainer, names.simpletuner}) {
      EXPECT_EQ(required.empty(), nobody_has_it || some_have_it) << family.name();
    }
    EXPECT_EQ(names.ai_toolkit.empty(), nobody_has_it) << family.name();
    for (const FamilyNaming naming : kNamings) {
      for (const std::string& name : names_of(names.*naming)) {
        const bool of_metadata = naming == &ForeignNames::kohya_versions;
        const ImportResult read =
            of_metadata ? import_preset_metadata({{"ss_network_dim", "4"},
                                                  {"ss_network_module", "networks.lora"},
                                                  {"ss_base_model_version", name}},
                                                 "a.safetensors")
                        : import_preset_text(file_of(naming, name), "x");
        EXPECT_EQ(read.preset.model.family, family) << name;
      }
    }
  }
}

TEST(ImportFamilies, VariantsWithOtherInputsAreRefusedByName) {
  const std::pair<FamilyNaming, const char*> names[] = {
      {&ForeignNames::onetrainer, "STABLE_DIFFUSION_20_INPAINTING"},
      {&ForeignNames::onetrainer, "STABLE_DIFFUSION_20_DEPTH"},
      {&ForeignNames::onetrainer, "STABLE_DIFFUSION_15_INPAINTING"},
      {&ForeignNames::onetrainer, "STABLE_DIFFUSION_XL_10_BASE_INPAINTING"},
      {&ForeignNames::onetrainer, "FLUX_FILL_DEV_1"},
      {&ForeignNames::ai_toolkit, "zimage:inpaint"},
      {&ForeignNames::simpletuner, "pixart_controlnet"}};
  for (const auto& [naming, name] : names) {
    EXPECT_THAT(refusal(file_of(naming, name)), HasSubstr("is not supported here")) << name;
  }
  EXPECT_THAT(refusal(file_of(&ForeignNames::onetrainer, "STABLE_DIFFUSION_20_INPAINTING")),
              HasSubstr("Stable Diffusion 2 Inpainting (model_type)"));
}

TEST(ImportFamilies, FilesOfOneFamilyTellIt) {
  const std::string lycoris =
      "network_module = \"lycoris.kohya\"\nnetwork_args = [\"algo=lokr\"]\n"
      "pretrained_model_name_or_path = \"x\"\n";
  const std::pair<const char*, const char*> files[] = {
      {"clip_l = \"c\"\nclip_g = \"g\"\nt5xxl = \"t\"", "Stable Diffusion 3"},
      {"[model]\ngemma2 = \"g\"\nae = \"a\"", "Lumina Image 2.0"},
      {"byt5 = \"b\"", "HunyuanImage 2.1"},
      {"dit = \"d\"\nt5 = \"t\"\ntask = \"t2v-14B\"", "Wan"},
      {"dit = \"d\"\ntext_encoder1 = \"a\"\ntext_encoder2 = \"b\"", "HunyuanVideo"},
      {"dit = \"d\"\nimage_encoder = \"a\"", "FramePack"},
      {"dit = \"d\"\ntext_encoder_qwen = \"a\"", "Kandinsky 5"}};
  for (const auto& [keys, title] : files) {
    EXPECT_THAT(refusal(lycoris + keys), AllOf(HasSubstr(title), HasSubstr("x.conf:"))) << keys;
  }
  EXPECT_EQ(import_preset_text(lycoris + "qwen3 = \"q\"", "x").preset.model.family,
            ModelFamily("anima"));
  EXPECT_EQ(import_preset_text(lycoris + "ae = \"a\"\nt5xxl = \"t\"", "x").preset.model.family,
            ModelFamily("flux1"));
  EXPECT_EQ(import_preset_text(lycoris + "model_type = \"chroma\"\nae = \"a\"\nt5xxl = \"t\"", "x")
                .preset.model.family,
            ModelFamily("chroma"));
  // kohya_ss keeps the files of families that its switches don't choose.
  EXPECT_EQ(
      import_preset_text(R"({"LoRA_type": "Standard", "sdxl": true, "t5xxl": "t", "ae": "a"})", "x")
          .preset.model.family,
      ModelFamily("sdxl"));
}

}  // namespace
}  // namespace mantissa
