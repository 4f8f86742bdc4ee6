// What holds for every program's settings.
#include "engine/preset/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/preset/import_source.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/preset_library.h"
#include "tests/engine/preset/import_samples.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using testing::HasSubstr;
using testing_support::expect_safe;
using testing_support::read_sample;
using testing_support::row;
using testing_support::sample;

TEST(Import, BucketsFollowTheirProgramsRule) {
  const ImportResult r = read_sample("kohya_sdxl.toml");
  EXPECT_EQ(r.preset.data.bucket_rule, BucketRule::kohya);
  EXPECT_EQ(r.preset.data.bucket_min, 512);
  EXPECT_EQ(r.preset.data.bucket_max, 2048);
  const ImportResult more = import_preset_text(
      "network_dim = 8\nenable_bucket = true\nbucket_reso_steps = 32\nbucket_no_upscale = true\n",
      "x.toml");
  EXPECT_EQ(more.preset.data.bucket_max, 1024) << "sd-scripts' default, not ours";
  EXPECT_EQ(row(more, "max_bucket_reso").fate, ImportFate::assumed);
  EXPECT_THAT(row(more, "bucket_reso_steps").note.text(), HasSubstr("Not offered"));
  EXPECT_THAT(row(more, "bucket_no_upscale").note.text(), HasSubstr("Not offered"));
  EXPECT_EQ(more.count(ImportFate::unknown), 0u);
  const ImportResult off =
      import_preset_text("network_dim = 8\nenable_bucket = false\nmax_bucket_reso = 512\n", "y");
  EXPECT_EQ(off.preset.data.bucket_rule, BucketRule::equal_area);
  EXPECT_FALSE(off.preset.data.buckets);
  EXPECT_EQ(read_sample("onetrainer.json").preset.data.bucket_rule, BucketRule::onetrainer);
}

TEST(Import, AdaptersMetadata) {
  Preset own;
  own.adapter.rank = 5;
  EXPECT_TRUE(
      import_preset_metadata({{std::string(kPresetMetadataKey), to_json(own)}}, "a").preset == own);
  const ImportResult theirs =
      import_preset_metadata({{"ot_config", sample("onetrainer.json")}, {"x", "y"}}, "b");
  EXPECT_EQ(theirs.preset.adapter.rank, 24);
  const ImportResult kohya = import_preset_metadata(
      {{"ss_network_module", "networks.lora"},
       {"ss_network_dim", "64"},
       {"ss_network_alpha", "32.0"},
       {"ss_network_args", R"({"conv_dim": "4", "conv_alpha": "32"})"},
       {"ss_base_model_version", "sdxl_base_v1-0"},
       {"ss_optimizer", "bitsandbytes.optim.adamw.AdamW8bit(weight_decay=0.1,betas=(0.9, 0.95))"},
       {"ss_learning_rate", "0.0001"},
       {"ss_unet_lr", "0.0002"},
       {"ss_text_encoder_lr", "None"},
       {"ss_mixed_precision", "bf16"},
       {"ss_resolution", "(1024, 1024)"},
       {"ss_batch_size_per_device", "4"},
       {"ss_gradient_checkpointing", "True"},
       {"ss_max_train_steps", "1500"},
       {"ss_sd_model_name", "C:/models/sdxl.safetensors"},
       {"ss_tag_frequency", std::string(100000, 'x')},
       {"modelspec.title", "not looked at"}},
      "c");
  EXPECT_EQ(kohya.format, ImportFormat::kohya_adapter);
  EXPECT_EQ(kohya.preset.model.family, ModelFamily("sdxl"));
  EXPECT_EQ(kohya.preset.adapter.rank, 64);
  EXPECT_EQ(kohya.preset.adapter.conv_rank, 4);
  EXPECT_EQ(kohya.preset.optimizer.type, OptimizerType::adamw8bit);
  EXPECT_EQ(kohya.preset.optimizer.weight_decay, 0.1);
  EXPECT_EQ(kohya.preset.optimizer.betas[1], 0.95);
  EXPECT_EQ(kohya.preset.optimizer.learning_rate, 2e-4);
  EXPECT_EQ(kohya.preset.data.batch_size, 4);
  EXPECT_TRUE(kohya.preset.training.gradient_checkpointing);
  EXPECT_EQ(kohya.count(ImportFate::unknown), 0u);
  expect_safe(kohya);
  EXPECT_THAT(test::message_of([] {
                import_preset_metadata({{"a", "b"}}, "d.safetensors");
              }),
              HasSubstr("d.safetensors carries no preset"));
}

TEST(Import, OwnPresetsAreImportedToo) {
  const ImportResult r =
      import_preset_text("\xEF\xBB\xBF{\"mantissa_preset\":1,\"adapter.rank\":3}", "p.json");
  EXPECT_EQ(r.format, ImportFormat::mantissa);
  EXPECT_EQ(r.preset.adapter.rank, 3);
  ASSERT_EQ(r.rows.size(), 1u);
  EXPECT_EQ(r.rows[0].fate, ImportFate::mapped);
  EXPECT_THAT(test::message_of([] {
                import_preset_text("{\"mantissa_preset\":1,\n\"adapter.rnak\":3}", "p.json");
              }),
              HasSubstr("p.json:2: adapter.rnak is not a setting; did you mean adapter.rank?"));
}

TEST(Import, ValuesBeyondARangeAreTheNearestOthersStayOut) {
  const ImportResult r = import_preset_text(
      "network_dim = 100000\nlearning_rate = nan\nseed = -3\ntrain_batch_size = \"many\"\n"
      "output_name = \"../../x\"\nmax_train_steps = 1e300\n",
      "x.toml");
  EXPECT_EQ(r.preset.adapter.rank, 1024);
  EXPECT_DOUBLE_EQ(r.preset.adapter.alpha, 0.01024) << "1 over 100000 there";
  EXPECT_EQ(r.preset.data.batch_size, 1);
  EXPECT_EQ(r.preset.output.name, "lora");
  EXPECT_GT(r.preset.training.steps, 1'000'000);
  EXPECT_THAT(row(r, "network_dim").note.text(), HasSubstr("100000; the nearest is 1024"));
  EXPECT_THAT(row(r, "train_batch_size").note.text(), HasSubstr("data.batch_size stays at 1"));
  for (const char* key :
       {"network_dim", "max_train_steps", "learning_rate", "train_batch_size", "output_name"}) {
    EXPECT_EQ(row(r, key).fate, ImportFate::changed) << key;
  }
  expect_safe(r);
}

TEST(Import, SecretsAreShownToNobody) {
  const ImportResult r = import_preset_text(
      "network_dim = 8\nwandb_api_key = \"k1\"\nproxy_password = \"k2\"\nclient_secret = \"k3\"\n"
      "huggingface_token = \"k4\"\nmax_token_length = 150\n",
      "x.toml");
  for (const char* key :
       {"wandb_api_key", "proxy_password", "client_secret", "huggingface_token"}) {
    EXPECT_EQ(row(r, key).value, "•••") << key;
  }
  EXPECT_EQ(row(r, "max_token_length").value, "150");
}

TEST(Import, NumbersWithATailAreNoNumbers) {
  const ImportResult r = import_preset_text(
      "network_dim = \"8 of 16\"\nlearning_rate = \"1e-3x\"\nseed = \"7\"\n", "x.toml");
  EXPECT_EQ(r.preset.adapter.rank, 4) << "the default of sd-scripts";
  EXPECT_EQ(row(r, "network_dim").fate, ImportFate::changed);
  EXPECT_NE(r.preset.optimizer.learning_rate, 1e-3);
  EXPECT_EQ(r.preset.training.seed, 7) << "a number in quotes is one";
}

// toml++ 3.3 calls this unreachable; a build with UBSan aborts here without the workaround.

TEST(Import, LettersBeyondAsciiWhereTomlHasNoneAreAnError) {
  for (const char* text : {"1\xD0\x9E]}", "a\xC3\xA9 = 1", "= \xE2\x82\xAC", "[\xD0\x9E]"}) {
    EXPECT_THROW(import_preset_text(text, "k.toml"), Error) << text;
  }
}

TEST(Import, ArgumentsAreSplitOutsideOfBracketsAndQuotes) {
  const auto pairs = split_arguments("betas=(0.9, 0.99) d_coef=2 name='a b' flag junk= =x");
  ASSERT_EQ(pairs.size(), 6u);
  EXPECT_EQ(pairs[0].second, nlohmann::json::array({0.9, 0.99}));
  EXPECT_EQ(pairs[1].second, 2);
  EXPECT_EQ(pairs[2].second, "a b");
  EXPECT_EQ(pairs[3].first, "");
  EXPECT_EQ(pairs[4].second, "");
  EXPECT_EQ(value_from_literal("True"), true);
  EXPECT_EQ(value_from_literal("None"), nullptr);
  EXPECT_EQ(value_from_literal("0.9,0.99"), nlohmann::json::array({0.9, 0.99}));
  EXPECT_EQ(value_from_literal("a,b"), "a,b");
}

}  // namespace
}  // namespace mantissa
