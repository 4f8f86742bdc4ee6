// Fields of text encoders.
#include "engine/models/anima/anima_config.h"
#include "engine/models/clip/clip_config.h"
#include "engine/models/qwen3/qwen3_config.h"
#include "engine/models/t5/t5_config.h"
#include "tests/engine/models/config_keys.h"

namespace mantissa::config_keys {
namespace {

/// Fields that transformers writes for all models.
std::vector<Row> with_generic_fields(std::vector<Row> rows) {
  const std::vector<Row> generic = {
      {"transformers_version", "4.22.0", I},
      {"architectures", {"X"}, I},
      {"output_hidden_states", true, I},
      {"output_attentions", true, I},
      {"return_dict", false, I},
      {"dtype", "float16", I},
      {"torch_dtype", "float16", I},
      {"chunk_size_feed_forward", 4, I},
      {"id2label", {{"0", "A"}}, I},
      {"label2id", {{"A", 0}}, I},
      {"problem_type", "regression", I},
      {"model_type", "bert", R},
      {"is_decoder", true, R},
      {"add_cross_attention", true, R},
      {"pruned_heads", {{"0", {1}}}, R},
      {"quantization_config", {{"load_in_4bit", true}}, R},
  };
  rows.insert(rows.end(), generic.begin(), generic.end());
  return rows;
}

TEST(ConfigKeys, Clip) {
  const std::vector<Row> rows = {
      {"is_encoder_decoder", true, I},
      {"vocab_size", 1000, H},
      {"hidden_size", 768, H},
      {"intermediate_size", 3072, H},
      {"projection_dim", 768, H},
      {"num_hidden_layers", 24, H},
      {"num_attention_heads", 4, H},
      {"num_attention_heads", 7, R},
      {"max_position_embeddings", 64, H},
      {"hidden_act", "gelu", H},
      {"hidden_act", "gelu_new", R},
      {"layer_norm_eps", 1e-6, H},
      {"attention_dropout", 0.1, I},
      {"dropout", 0.1, I},
      {"initializer_range", 1.0, I},
      {"initializer_factor", 2.0, I},
      {"pad_token_id", 0, I},  // the tokenizer's counts
      {"bos_token_id", 0, I},
      {"eos_token_id", 2, H},
      {"eos_token_id", {1, 2}, R},
  };
  expect_outcomes("CLIPTextModel", keys_of("CLIPTextModel"), with_generic_fields(rows),
                  [](const json& object, const std::string& label) {
                    return clip_config_from_json(object, kTe2, label);
                  });
  const json whole = {{"model_type", "clip"}, {"text_config", {{"hidden_size", 768}}}};
  EXPECT_EQ(clip_config_from_json(whole, kTe1, "x").hidden, 768);
}

TEST(ConfigKeys, T5) {
  json base = keys_of("T5EncoderModel");
  base["feed_forward_proj"] = "gated-gelu";
  base["dense_act_fn"] = "gelu_new";
  base["is_gated_act"] = true;
  const std::vector<Row> rows = {
      {"is_encoder_decoder", false, I},
      {"vocab_size", 1000, H},
      {"d_model", 768, H},
      {"d_kv", 32, H},
      {"d_ff", 512, H},
      {"num_layers", 24, H},
      {"num_decoder_layers", 2, I},
      {"num_heads", 4, H},
      {"relative_attention_num_buckets", 64, H},
      {"relative_attention_max_distance", 256, H},
      {"dropout_rate", 0.0, I},
      {"layer_norm_epsilon", 1e-5, H},
      {"initializer_factor", 2.0, I},
      {"feed_forward_proj", "relu", R},
      {"feed_forward_proj", "gated-silu", R},
      {"use_cache", false, I},
      {"pad_token_id", 5, H},
      {"eos_token_id", 5, H},
      {"eos_token_id", {1, 2}, R},
      {"classifier_dropout", 0.1, I},
      {"dense_act_fn", "relu", R},
      {"is_gated_act", false, R},
      {"scale_decoder_outputs", false, I},
      {"tie_word_embeddings", false, I},
  };
  expect_outcomes("T5EncoderModel", base, with_generic_fields(rows), t5_config_from_json);
}

TEST(ConfigKeys, Qwen3) {
  const json base = keys_of("Qwen3Model");
  const std::vector<Row> rows = {
      {"is_encoder_decoder", true, I},
      {"vocab_size", 1000, H},
      {"hidden_size", 768, H},
      {"intermediate_size", 3072, H},
      {"num_hidden_layers", 24, R, "layer_types"},
      {"layer_types", nullptr, I},
      {"layer_types", {"full_attention", "sliding_attention"}, R},
      {"num_attention_heads", 64, H},
      {"num_attention_heads", 30, R, "num_key_value_heads"},
      {"num_key_value_heads", 8, H},
      {"num_key_value_heads", 7, R},
      {"num_key_value_heads", nullptr, I},  // as many as of queries
      {"head_dim", 64, H},
      {"head_dim", 65, R},
      {"hidden_act", "gelu", R},
      {"max_position_embeddings", 64, I},
      {"initializer_range", 1.0, I},
      {"rms_norm_eps", 1e-5, H},
      {"rms_norm_eps", 0, R},
      {"use_cache", false, I},
      {"tie_word_embeddings", true, I},
      {"rope_parameters", {{"rope_theta", 1e6}}, H},
      {"rope_parameters", {{"rope_type", "yarn"}, {"factor", 4.0}}, R, "rope_type"},
      {"rope_parameters", {{"factor", 4.0}}, R, "factor"},
      {"rope_theta", 1e6, I},  // rope_parameters has another
      {"rope_scaling", {{"type", "linear"}, {"factor", 4.0}}, R, "type"},
      {"rope_scaling", {{"mrope_section", {24, 20, 20}}, {"rope_type", "default"}}, I},
      {"attention_bias", true, R},
      {"use_sliding_window", true, R},
      {"sliding_window", 4096, I},
      {"max_window_layers", 2, I},
      {"attention_dropout", 0.1, I},
      {"pad_token_id", 0, I},
      {"bos_token_id", 0, I},
      {"eos_token_id", {1, 2}, I},
      {"num_experts", 8, R},
  };
  expect_outcomes("Qwen3Model", base, with_generic_fields(rows), qwen3_config_from_json);
  const json vision = {{"model_type", "qwen3_vl"},
                       {"vision_config", {{"depth", 24}}},
                       {"text_config",
                        {{"model_type", "qwen3_vl_text"},
                         {"hidden_size", 2560},
                         {"num_key_value_heads", 8},
                         {"rope_theta", 5e6},
                         {"rope_scaling",
                          {{"mrope_interleaved", true},
                           {"mrope_section", {24, 20, 20}},
                           {"rope_type", "default"}}}}}};
  EXPECT_EQ(qwen3_config_from_json(vision, "x").hidden, 2560);
  EXPECT_EQ(qwen3_config_from_json(vision, "x").rope_theta, kQwen3VlTheta);
}

TEST(ConfigKeys, AnimaTextConditioner) {
  const json base = keys_of("AnimaTextConditioner");
  const std::vector<Row> rows = {
      {"source_dim", 2048, H},       {"target_dim", 512, H},
      {"model_dim", 512, H},         {"model_dim", 1000, R, "num_attention_heads"},
      {"num_layers", 3, H},          {"num_attention_heads", 8, H},
      {"num_attention_heads", 3, R}, {"mlp_ratio", 2, H},
      {"target_vocab_size", 100, H}, {"use_self_attention", false, R},
      {"use_layer_norm", true, R},   {"min_sequence_length", 256, R},
  };
  expect_outcomes("AnimaTextConditioner", base, rows, anima_text_config_from_json);
  const AnimaTextConfig config = anima_text_config_from_json(base, "x");
  EXPECT_EQ(anima_text_config_from_json(to_json(config), "x"), config);
}

}  // namespace
}  // namespace mantissa::config_keys
