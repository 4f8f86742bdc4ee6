// Keys count by their own names, wherever their section stands; the report keeps their place.
#include "engine/preset/import_source.h"
#include "tests/engine/preset/import_samples.h"

namespace mantissa {
namespace {

using testing_support::row;

/// Expects equal settings from a flat file and from one with sections.
void expect_same(const std::string& flat, const std::string& sections) {
  SCOPED_TRACE(sections);
  EXPECT_EQ(to_json(import_preset_text(sections, "s").preset),
            to_json(import_preset_text(flat, "f").preset));
}

/// And the same report, but for the places of the keys.
void expect_same_report(const std::string& flat, const std::string& sections) {
  expect_same(flat, sections);
  const auto told = [](const std::string& text) {
    std::string all;
    for (const ImportRow& r : import_preset_text(text, "x").rows) {
      all += r.key + ": " + std::string(import_fate_name(r.fate)) + " " +
             testing::PrintToString(r.targets) + " " + r.note.text() + "\n";
    }
    return all;
  };
  EXPECT_EQ(told(sections), told(flat));
}

TEST(ImportSections, EpochsOfASectionCountBeforeSteps) {
  const ImportResult read = import_preset_text(
      "[network]\nnetwork_module = \"networks.lora\"\nnetwork_dim = 8\n[training]\n"
      "pretrained_model_name_or_path = \"base.safetensors\"\nmax_train_epochs = 12\n"
      "max_train_steps = 10000\n",
      "sect.toml");
  EXPECT_EQ(read.preset.training.epochs, 12);
  EXPECT_EQ(row(read, "training.max_train_epochs").fate, ImportFate::mapped);
  EXPECT_EQ(row(read, "training.max_train_steps").fate, ImportFate::ignored);
  EXPECT_EQ(import_preset_text("network_dim = 8\n", "x").preset.training.steps, 1600);
}

TEST(ImportSections, EveryKeyOfAFlatFileMeansTheSameInSections) {
  const char* const lines[] = {"max_train_epochs = 7",
                               "max_train_steps = 70",
                               "lr_scheduler = \"cosine_with_restarts\"",
                               "lr_scheduler_num_cycles = 2",
                               "lr_warmup_steps = 0.1",
                               "sdxl_no_half_vae = true",
                               "base_model_version = \"sdxl_base_v1-0\"",
                               "metadata_title = \"t\"",
                               "metadata_author = \"a\"",
                               "training_comment = \"c\"",
                               "full_bf16 = true",
                               "full_fp16 = true",
                               "fp8_base = true",
                               "fp8_base_unet = true",
                               "use_lion_optimizer = true",
                               "use_8bit_adam = true",
                               "unet_lr = 1e-5",
                               "network_args = [\"loraplus_unet_lr_ratio=4\", \"conv_dim=4\"]",
                               "optimizer_args = [\"weight_decay=0.2\", \"betas=0.9,0.95\"]"};
  for (const char* line : lines) {
    const std::string base = "network_module = \"networks.lora\"\nnetwork_dim = 8\n";
    for (const char* section : {"[training]", "[\"unet.fp16.lion\"]", "[a.args]", "[lr_warmup]"}) {
      expect_same_report(base + line, base + section + "\n" + line);
      if (std::string_view(line).find("base_model_version") == std::string_view::npos) {
        const std::string musubi =
            "dit = \"d\"\nnetwork_module = \"networks.lora_zimage\"\nnetwork_dim = 8\n";
        expect_same_report(musubi + line, musubi + section + "\n" + line);
      }
    }
  }
}

TEST(ImportSections, OfSimpleTunerAndLycoris) {
  expect_same(
      R"({"model_family": "sdxl", "model_type": "lora", "lora_rank": 12, "adam_beta1": 0.8})",
      R"({"model": {"model_family": "sdxl", "model_type": "lora"},
                  "training": {"deep": {"lora_rank": 12, "adam_beta1": 0.8}}})");
  expect_same("{\"model_family\": \"sdxl\", \"lora_rank\": 12}",
              "[model]\nmodel_family = \"sdxl\"\n[lora]\nlora_rank = 12\n");
  expect_same(R"({"algo": "lokr", "linear_dim": 12, "unet_target_module": ["Attention"],
                  "module_algo_map": {"FeedForward": {"dim": 4}}})",
              R"({"lycoris": {"algo": "lokr", "linear_dim": 12,
                  "apply_preset": {"unet_target_module": ["Attention"],
                                   "module_algo_map": {"FeedForward": {"dim": 4}}}}})");
}

TEST(ImportSections, QuotesAreAShells) {
  const ImportResult read = import_preset_text(
      R"j({"LoRA_type":"LyCORIS/LoKr","sdxl":true,"network_dim":100000,"network_alpha":1,
           "conv_dim":100000,"conv_alpha":1,"factor":8,"max_train_steps":100,"optimizer":"AdamW",
           "optimizer_args":"\"weight_decay=0.1\" \"betas=0.9,0.99\"","learning_rate":1e-4})j",
      "x.json");
  EXPECT_EQ(read.preset.optimizer.weight_decay, 0.1);
  EXPECT_EQ(read.preset.optimizer.betas, (std::array{0.9, 0.99}));
  EXPECT_EQ(read.preset.adapter.type, AdapterType::lokr);
  EXPECT_EQ(read.preset.adapter.rank, 1024);
  EXPECT_EQ(read.preset.adapter.conv_rank, 1024);
  EXPECT_EQ(read.preset.adapter.factor, 8);
  EXPECT_EQ(row(read, "network_dim").fate, ImportFate::changed);
  EXPECT_EQ(row(read, "conv_dim").fate, ImportFate::changed);
  EXPECT_NE(row(read, "conv_alpha").note.text(), "No convolutions there.");
  for (const char* given : {"weight_decay=0.3 betas=0.8,0.9", "'weight_decay=0.3' 'betas=0.8,0.9'",
                            R"(weight_decay="0.3" betas="0.8,0.9")",
                            R"j("weight_decay = 0.3"   "betas=(0.8, 0.9)")j"}) {
    const auto pairs = split_arguments(given);
    ASSERT_EQ(pairs.size(), 2u) << given;
    EXPECT_EQ(pairs[0].first, "weight_decay") << given;
    EXPECT_EQ(pairs[0].second, 0.3) << given;
    EXPECT_EQ(pairs[1].second, nlohmann::json::array({0.8, 0.9})) << given;
  }
  // A rank that is too large is only the largest where no matrix is trained whole.
  EXPECT_THAT(
      row(import_preset_text("network_dim = 100000\nnetwork_module = \"networks.lora\"", "x"),
          "network_dim")
          .note.text(),
      testing::HasSubstr("the nearest is 1024"));
}

TEST(ImportSections, SectionsWithinOthersAreNotRead) {
  const ImportResult read = import_preset_text(
      "network_module = \"networks.lora\"\nnetwork_dim = 8\nmax_train_steps = 10\n[a.b]\n"
      "max_train_steps = 99\nnetwork_dim = 64\n[c]\nnetwork_alpha = 4\n[c.sub]\n"
      "network_alpha = 2\n",
      "x.toml");
  EXPECT_EQ(read.preset.adapter.rank, 8);
  EXPECT_EQ(read.preset.training.steps, 10);
  EXPECT_EQ(read.preset.adapter.alpha, 4);
  EXPECT_EQ(row(read, "a.b.network_dim").fate, ImportFate::ignored);
  EXPECT_THAT(row(read, "c.sub.network_alpha").note.text(), testing::HasSubstr("not read there"));
}

}  // namespace
}  // namespace mantissa
