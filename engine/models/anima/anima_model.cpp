#include "engine/models/anima/anima_model.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/graph/ops.h"
#include "engine/models/qwen3/chat_template.h"
#include "engine/models/qwen3/qwen3_inputs.h"
#include "engine/models/qwen3/qwen3_tokenizer.h"
#include "engine/models/vae/qwen_vae.h"

namespace mantissa {
namespace {

/// The pipeline's timesteps count noise from 0 to this, the transformer's to 1.
constexpr float kAnimaTimesteps = 1000.0F;
/// T5's: what ends a text, and what fills up the rest.
constexpr std::int32_t kT5End = 1, kT5Padding = 0;

void put_anima_tokens(TokenIds& tokens, const std::string& part, std::vector<std::int32_t> ids,
                      std::size_t length, std::int32_t padding) {
  tokens.ids[part + "_length"] = {static_cast<std::int32_t>(length)};
  ids.resize(kAnimaTokens, padding);
  tokens.ids[part + "_ids"] = std::move(ids);
}

}  // namespace

AnimaModel::AnimaModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                       const PrecisionRules& rules)
    : TransformerModel(kernels, source, adapters, rules, anima_config) {
  if (has(kTe2)) {
    conditioner_config_ = anima_text_config(source);
  }
  check_text();
  use_vae(qwen_model_vae(source, qwen_vae_config, plain_qwen_latents(config().in_channels)),
          config().in_channels);
}

void AnimaModel::check_text() const {
  if (has(kTe1) && has(kTe2) && text_config().hidden != conditioner_config_.source) {
    throw Error(message<"{path}: the text encoder gives {given} values a token, but the text "
                        "conditioner takes {wanted}; are they parts of one model?">(
        path_to_utf8(source().path()), text_config().hidden, conditioner_config_.source));
  }
  if (has(kTe2) && conditioner_config_.target != config().text_channels) {
    refuse_text_width(conditioner_config_.target, config().text_channels);
  }
}

AnimaTextConditioner& AnimaModel::te2() {
  if (!te2_) {
    require(kTe2);
    te2_ = std::make_unique<AnimaTextConditioner>(conditioner_config_, scope(kTe2));
  }
  return *te2_;
}

void AnimaModel::bind_part(Part part) {
  if (part == kTe2) {
    te2();
  } else {
    TransformerModel::bind_part(part);
  }
}

void AnimaModel::drop_part(Part part) {
  if (part == kTe2) {
    te2_.reset();
  } else {
    TransformerModel::drop_part(part);
  }
}

const T5Tokenizer& AnimaModel::own_t5_tokenizer() {
  if (!t5_tokenizer_) {
    const auto folder = source().tokenizer_folder(kTe2);
    if (!folder) {
      throw Error(
          message<"{path} names no tokenizer of T5, whose ids the text conditioner reads; "
                  "put the model's t5_tokenizer folder beside it">(path_to_utf8(source().path())));
    }
    t5_tokenizer_ = T5Tokenizer::from_folder(*folder);
    check_vocabulary(t5_tokenizer_->vocab_size(), conditioner_config_.vocab);
  }
  return *t5_tokenizer_;
}

T5Tokenizer AnimaModel::t5_tokenizer() {
  return own_t5_tokenizer().with_words(new_words(conditioner_config_.vocab));
}

std::map<Part, std::vector<std::int32_t>> AnimaModel::word_ids(const std::string& text) {
  auto ids = Qwen3Reader::word_ids(text);
  ids[kTe2] = own_t5_tokenizer().encode(text);
  return ids;
}

std::vector<TextReach> AnimaModel::text_reach(const std::string& caption) {
  std::vector<TextReach> reach;
  if (has(kTe1)) {
    reach.push_back({kTe1, std::ssize(tokenizer().encode(caption)), kAnimaTokens});
  }
  if (has(kTe2)) {  // the last is the end of the text
    reach.push_back({kTe2, std::ssize(t5_tokenizer().encode(caption)), kAnimaTokens - 1});
  }
  return reach;
}

TokenIds AnimaModel::tokenize(const std::string& caption) {
  TokenIds tokens;
  const PromptTokens prompt = prompt_tokens(tokenizer(), caption, kAnimaTokens);
  put_anima_tokens(tokens, "te1", prompt.ids,
                   static_cast<std::size_t>(std::count(prompt.real.begin(), prompt.real.end(), 1)),
                   0);
  std::vector<std::int32_t> ids = t5_tokenizer().encode(caption);
  ids.resize(std::min<std::size_t>(ids.size(), kAnimaTokens - 1));
  ids.push_back(kT5End);
  const std::size_t length = ids.size();
  put_anima_tokens(tokens, "te2", std::move(ids), length, kT5Padding);
  return tokens;
}

std::map<std::string, Shape> AnimaModel::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, config().text_channels}}};
}

TextValues AnimaModel::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const Shape text{batch, tokens};
  const Qwen3Inputs qwen = qwen3_inputs(graph, "te1", text_config(), batch, tokens);
  const Value hidden = te1().forward(graph, qwen);
  const Value real = graph.input("te1_real", hidden.dtype(), text);
  AnimaTextInputs in;
  in.source = zero_padding(hidden, real);
  in.source_keys = qwen.keys;
  in.ids = graph.input("te2_ids", DType::i32, text);
  in.keys = graph.input("te2_keys", DType::f32, text);
  in.real = graph.input("te2_real", DType::f32, text);
  const Shape table{1, tokens, te2().config().head_dim() / 2};
  in.rotation = {graph.input("te2_cos", DType::f32, table),
                 graph.input("te2_sin", DType::f32, table)};
  return {{"context", te2().forward(graph, in)}};
}

void AnimaModel::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  const std::int64_t tokens = executor.input("te1_ids").shape[1];
  feed_qwen3(executor, "te1", text_config(), joined_ids(batch, "te1_ids"),
             real_tokens(batch, "te1", tokens));
  const std::vector<std::uint8_t> real = real_tokens(batch, "te2", tokens);
  const RotaryTables tables = anima_text_positions(tokens, conditioner_config_);
  WordEmbedding::feed(executor, "te2_ids", joined_ids(batch, "te2_ids"), conditioner_config_.vocab);
  executor.feed("te2_keys", qwen3_key_mask(real));
  executor.feed("te2_real", std::vector<float>(real.begin(), real.end()));
  executor.feed("te2_cos", tables.cos);
  executor.feed("te2_sin", tables.sin);
}

Value AnimaModel::predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) {
  const Shape s = noised.shape();
  const std::int64_t p = config().patch_size;
  const Shape table{1, (s[1] / p) * (s[2] / p), config().head_dim / 2};
  return transformer().forward(graph, noised,
                               {.times = scale(timesteps, 1 / kAnimaTimesteps),
                                .text = text.at("context"),
                                .rotation = {graph.input("patch_cos", DType::f32, table),
                                             graph.input("patch_sin", DType::f32, table)}});
}

void AnimaModel::feed_sizes(Executor& executor, std::span<const float> /*time_ids*/,
                            std::int64_t height, std::int64_t width) const {
  const RotaryTables tables = anima_positions(height, width, config());
  executor.feed("patch_cos", tables.cos);
  executor.feed("patch_sin", tables.sin);
}

}  // namespace mantissa
