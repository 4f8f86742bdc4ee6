// What a file trains: offered as it is, or refused by name with file and key.
#include "tests/engine/preset/import_samples.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::row;

std::string job_refusal(const std::string& text) {
  return test::message_of([&] { import_preset_text(text, "x.conf"); });
}

std::string toolkit_process(const std::string& type, const std::string& section = "") {
  return "job: extension\nconfig:\n  name: a\n  process:\n    - type: " + type + "\n" + section +
         "      model:\n        arch: sdxl\n";
}

struct RefusedJob {
  std::string text;
  const char *job, *key;
};

TEST(ImportJobs, OthersAreRefusedByNameWithFileAndKey) {
  const RefusedJob files[] = {
      {"network_module = \"networks.control_net_lllite\"\ncond_emb_dim = 32", "ControlNet",
       "cond_emb_dim"},
      {"pretrained_model_name_or_path = \"b\"\nlearning_rate = 1e-5\n"
       "[[datasets]]\n[[datasets.subsets]]\nconditioning_data_dir = \"c\"",
       "ControlNet", "datasets[0].subsets[0].conditioning_data_dir"},
      {"controlnet_model_name_or_path = \"b\"", "ControlNet", "controlnet_model_name_or_path"},
      {"network_dim = 4\nmax_denoising_steps = 40", "LECO", "max_denoising_steps"},
      {toolkit_process("textual_inversion_trainer"), "textual inversion", "config.process[0].type"},
      {toolkit_process("slider"), "slider", "config.process[0].type"},
      {toolkit_process("example_merge_extension"), "merging models", "config.process[0].type"},
      {toolkit_process("train_vae"), "train_vae", "config.process[0].type"},
      {toolkit_process("sd_trainer", "      embedding:\n        trigger: tok\n"),
       "textual inversion", "config.process[0].embedding.trigger"},
      {toolkit_process("sd_trainer", "      adapter:\n        type: ip\n"), "image adapter",
       "config.process[0].adapter.type"},
      {R"({"model_family": "sdxl", "model_type": "lora", "controlnet": true})", "ControlNet",
       "controlnet"},
      {R"({"model_family": "sdxl", "model_type": "lora", "control": true})", "conditioning images",
       "control"},
      {R"({"model_family": "sdxl", "model_type": "lora", "slider_lora_target": true})", "slider",
       "slider_lora_target"},
      {R"({"model_family": "sdxl", "model_type": "lora", "distillation_method": "dmd"})",
       "distillation", "distillation_method"},
      {R"({"model_family": "sdxl", "model_type": "full", "refiner_training": true})", "refiner",
       "refiner_training"},
      {R"({"model_family": "sdxl", "model_type": "full", "model_flavour": "refiner-1.0"})",
       "refiner", "model_flavour"},
      {R"({"model_family": "sdxl", "model_type": "embedding"})", "embedding", "model_type"},
      {R"({"training_method": "FINE_TUNE_VAE", "model_type": "STABLE_DIFFUSION_15"})", "VAE",
       "training_method"},
      {R"({"training_method": "OF_TOMORROW", "model_type": "STABLE_DIFFUSION_15"})", "OF_TOMORROW",
       "training_method"}};
  for (const RefusedJob& file : files) {
    EXPECT_THAT(job_refusal(file.text),
                AllOf(HasSubstr("x.conf:"), HasSubstr(file.job),
                      HasSubstr("(" + std::string(file.key)), HasSubstr("is not offered here")))
        << file.text;
  }
}

TEST(ImportJobs, FilesOfOtherProgramsAreRefusedByTheProgramsName) {
  const RefusedJob files[] = {
      {R"({"lora_base_model": "dit", "learning_rate": 1e-4, "num_epochs": 5})", "DiffSynth-Studio",
       "lora_base_model"},
      {"train:\n  model_id_with_origin_paths: \"a:b\"\n  learning_rate: 1e-4\n", "DiffSynth-Studio",
       "train.model_id_with_origin_paths"}};
  for (const RefusedJob& file : files) {
    EXPECT_THAT(job_refusal(file.text), AllOf(HasSubstr("x.conf:"), HasSubstr(file.job),
                                              HasSubstr("(" + std::string(file.key) + ")")))
        << file.text;
  }
}

TEST(ImportJobs, FilesOfDiffusionPipeAreTheirOwn) {
  for (const char* text :
       {"micro_batch_size_per_gpu = 1\nepochs = 5",
        "[model]\ntype = \"sdxl\"\n[optimizer]\ntype = \"adamw_optimi\"\nlr = 1e-5",
        "resolutions = [512]\nenable_ar_bucket = true\n[[directory]]\npath = \"p\"",
        "[[directory]]\npath = \"p\"\nnum_repeats = 2"}) {
    EXPECT_EQ(import_preset_text(text, "x").format, ImportFormat::diffusion_pipe) << text;
  }
}

TEST(ImportJobs, KeysThatSeveralTrainersHaveTellNothing) {
  EXPECT_THAT(job_refusal("learning_rate = 1e-4\nmax_train_steps = 10\nseed = 1"),
              HasSubstr("shared by several trainers"));
  EXPECT_THAT(job_refusal(R"({"per_device_train_batch_size": 4, "learning_rate": 2e-5,
                         "lr_scheduler_type": "cosine", "gradient_checkpointing": true})"),
              HasSubstr("shared by several trainers"));
  EXPECT_EQ(import_preset_text("learning_rate = 1e-4\nnetwork_module = \"networks.lora\"", "x")
                .preset.optimizer.learning_rate,
            1e-4);
}

TEST(ImportJobs, KohyasTextualInversionIsImported) {
  const ImportResult ti = import_preset_text(
      "[model]\npretrained_model_name_or_path = \"b\"\n[ti]\ntoken_string = \"zorb\"\n"
      "init_word = \"a cat\"\nnum_vectors_per_token = 4\nuse_style_template = true\n"
      "learning_rate = 1e-3\nmax_train_steps = 500\n",
      "ti.toml");
  EXPECT_EQ(ti.preset.training.method, TrainingMethod::adapter);
  EXPECT_EQ(ti.preset.training.parts, std::vector<Part>{kEmbeddings});
  EXPECT_EQ(ti.preset.embedding.tokens, (std::vector<EmbeddingToken>{{"zorb", 4, "a cat"}}));
  EXPECT_EQ(ti.preset.optimizer.learning_rate, 1e-3);
  EXPECT_EQ(row(ti, "ti.token_string").fate, ImportFate::mapped);
  EXPECT_EQ(row(ti, "ti.num_vectors_per_token").targets,
            std::vector<std::string>{"embedding.tokens"});
  EXPECT_EQ(row(ti, "ti.use_style_template").fate, ImportFate::ignored);
  const ImportResult usual = import_preset_text(
      R"({"pretrained_model_name_or_path": "b", "sdxl": false, "token_string": "zorb"})",
      "ti.json");
  EXPECT_EQ(usual.preset.embedding.tokens, (std::vector<EmbeddingToken>{{"zorb", 1}}));
  EXPECT_EQ(usual.preset.optimizer.learning_rate, 2e-6);
}

TEST(ImportJobs, OneTrainersEmbeddingsAreImported) {
  const ImportResult alone = import_preset_text(
      R"({"training_method": "EMBEDDING", "model_type": "STABLE_DIFFUSION_15",
          "learning_rate": 1e-4, "embedding_learning_rate": 2e-3,
          "embedding": {"placeholder": "<zorb>", "token_count": 3,
                        "initial_embedding_text": "a cat"}})",
      "x.json");
  EXPECT_EQ(alone.preset.training.parts, std::vector<Part>{kEmbeddings});
  EXPECT_EQ(alone.preset.embedding.tokens, (std::vector<EmbeddingToken>{{"zorb", 3, "a cat"}}));
  EXPECT_EQ(alone.preset.optimizer.learning_rate, 2e-3);
  EXPECT_EQ(row(alone, "embedding.placeholder").fate, ImportFate::changed);
  const ImportResult beside = import_preset_text(
      R"({"training_method": "LORA", "model_type": "STABLE_DIFFUSION_XL_10_BASE",
          "learning_rate": 1e-4, "embedding_learning_rate": 2e-3,
          "text_encoder": {"train": false}, "text_encoder_2": {"train": false},
          "unet": {"train": true},
          "additional_embeddings": [{"placeholder": "zorb", "token_count": 2,
                                     "initial_embedding_text": "*", "train": true},
                                    {"placeholder": "blob", "train": false}]})",
      "x.json");
  EXPECT_EQ(beside.preset.training.parts, (std::vector<Part>{kDenoiser, kEmbeddings}));
  EXPECT_EQ(beside.preset.embedding.tokens, (std::vector<EmbeddingToken>{{"zorb", 2}}));
  ASSERT_EQ(beside.preset.optimizer.groups.size(), 1u);
  EXPECT_EQ(beside.preset.optimizer.groups[0].part, kEmbeddings);
  EXPECT_EQ(beside.preset.optimizer.groups[0].learning_rate, 2e-3);
  EXPECT_TRUE(beside.preset.output.bundle_embeddings) << "OneTrainer's default";
  EXPECT_FALSE(alone.preset.output.bundle_embeddings);
  const ImportResult apart = import_preset_text(
      R"({"training_method": "LORA", "model_type": "FLUX_DEV_1",
          "bundle_additional_embeddings": false, "transformer": {"train": true},
          "text_encoder": {"train": false}, "text_encoder_2": {"train": false},
          "additional_embeddings": [{"placeholder": "zorb", "train": true}]})",
      "x.json");
  EXPECT_EQ(apart.preset.training.parts, (std::vector<Part>{kDenoiser, kEmbeddings}));
  EXPECT_FALSE(apart.preset.output.bundle_embeddings);
  EXPECT_EQ(row(apart, "bundle_additional_embeddings").fate, ImportFate::mapped);
  const ImportResult t5 = import_preset_text(
      R"({"training_method": "EMBEDDING", "model_type": "CHROMA_1",
          "embedding": {"placeholder": "zorb", "is_output_embedding": true}})",
      "x.json");
  EXPECT_EQ(t5.preset.embedding.tokens, (std::vector<EmbeddingToken>{{"zorb", 1}}));
  EXPECT_EQ(row(t5, "embedding.is_output_embedding").fate, ImportFate::changed);
}

TEST(ImportJobs, ScriptsWithoutANetworkTrainTheModelItself) {
  const ImportResult dreambooth = import_preset_text(
      R"({"pretrained_model_name_or_path": "b", "sdxl": true, "learning_rate": 1e-5,
          "learning_rate_te1": 1e-6, "learning_rate_te2": 1e-6, "max_train_steps": 500,
          "optimizer": "Adafactor", "mixed_precision": "bf16", "full_bf16": true,
          "stop_text_encoder_training": 0, "max_resolution": "1024,1024"})",
      "db.json");
  EXPECT_EQ(dreambooth.preset.training.method, TrainingMethod::full);
  EXPECT_EQ(row(dreambooth, "network_module").fate, ImportFate::assumed);
  EXPECT_EQ(dreambooth.preset.training.parts, (std::vector<Part>{kDenoiser, kTe1, kTe2}));
  EXPECT_EQ(dreambooth.preset.optimizer.learning_rate, 1e-5);
  ASSERT_EQ(dreambooth.preset.optimizer.groups.size(), 2u);
  EXPECT_EQ(dreambooth.preset.optimizer.groups[0].learning_rate, 1e-6);
  EXPECT_EQ(dreambooth.preset.model.family, ModelFamily("sdxl"));
  const ImportResult tuned = import_preset_text(
      "[model]\npretrained_model_name_or_path = \"b\"\n[data]\nin_json = \"m.json\"\n"
      "[training]\nlearning_rate = 1e-5\nmax_train_epochs = 3\nmax_train_steps = 9999\n",
      "ft.toml");
  EXPECT_EQ(tuned.preset.training.method, TrainingMethod::full);
  EXPECT_EQ(tuned.preset.training.parts, std::vector<Part>{kDenoiser});
  EXPECT_EQ(tuned.preset.training.epochs, 3);
  const ImportResult of_sd15 = import_preset_text(
      R"({"pretrained_model_name_or_path": "b", "sdxl": false, "learning_rate": 1e-5,
          "learning_rate_te": 2e-6, "max_train_steps": 500})",
      "db15.json");
  EXPECT_EQ(of_sd15.preset.training.parts, (std::vector<Part>{kDenoiser, kTe1}));
  EXPECT_EQ(of_sd15.preset.optimizer.groups[0].learning_rate, 2e-6);
  // A data-set file, and one with a network, are what they were.
  EXPECT_EQ(testing_support::read_sample("kohya_dataset.toml").preset.training.method,
            TrainingMethod::adapter);
  EXPECT_EQ(import_preset_text("network_dim = 4\npretrained_model_name_or_path = \"b\"", "x")
                .preset.training.method,
            TrainingMethod::adapter);
  // Conditioning images of a masked loss are masks.
  EXPECT_EQ(
      import_preset_text("network_dim = 4\nmasked_loss = true\nconditioning_data_dir = \"m\"", "x")
          .preset.data.masks,
      MaskMode::files);
  EXPECT_EQ(import_preset_text(R"({"training_method": "FINE_TUNE", "model_type": "Z_IMAGE"})", "x")
                .preset.training.method,
            TrainingMethod::full);
}

}  // namespace
}  // namespace mantissa
