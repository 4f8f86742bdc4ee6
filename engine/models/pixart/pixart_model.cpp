#include "engine/models/pixart/pixart_model.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

constexpr std::int64_t kAlphaTokens = 120, kSigmaTokens = 300;

}  // namespace

PixartModel::PixartModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                         const PrecisionRules& rules)
    : DiffusionModel(kernels, source, adapters, rules), config_(pixart_config(source)) {
  if (has(kTe1)) {
    text_config_ = t5_config(source, kTe1);
    if (text_config_.hidden != config_.caption_channels) {
      refuse_text_width(text_config_.hidden, config_.caption_channels);
    }
  }
  require_latent_channels(config_.in_channels);
}

PixartTransformer& PixartModel::transformer() {
  if (!transformer_) {
    transformer_ = std::make_unique<PixartTransformer>(config_, scope(kDenoiser));
  }
  return *transformer_;
}

T5Encoder& PixartModel::te1() {
  if (!te1_) {
    require(kTe1);
    te1_ = std::make_unique<T5Encoder>(text_config_, scope(kTe1));
  }
  return *te1_;
}

void PixartModel::bind_part(Part part) {
  if (part == kDenoiser) {
    transformer();
  } else {
    te1();
  }
}

void PixartModel::drop_part(Part part) {
  if (part == kDenoiser) {
    transformer_.reset();
  } else if (part == kTe1) {
    te1_.reset();
  }
}

std::int64_t PixartModel::text_tokens() const {
  // No config says it. Alpha at 1024 is conditioned on sizes; below, it differs from Sigma by the
  // VAE: Sigma has SDXL's, with a scale of 0.13025 instead of alpha's 0.18215.
  constexpr double kBetweenScales = 0.15;
  const bool alpha =
      config_.additional_conditions || (has(kVae) && vae_config().scaling_factor > kBetweenScales);
  return alpha ? kAlphaTokens : kSigmaTokens;
}

const T5Tokenizer& PixartModel::own_tokenizer() {
  if (!tokenizer_) {
    const auto folder = source().tokenizer_folder(kTe1);
    tokenizer_ = T5Tokenizer::from_folder(folder ? *folder : source().path() / "tokenizer");
    if (tokenizer_->vocab_size() > text_config_.vocab) {
      throw Error(message<"the tokenizer knows {known} pieces but the text encoder has {count} "
                          "embeddings. Put the model's own tokenizer folder beside its weights">(
          tokenizer_->vocab_size(), text_config_.vocab));
    }
  }
  return *tokenizer_;
}

T5Tokenizer PixartModel::tokenizer() {
  return own_tokenizer().with_words(new_words(text_config_.vocab));
}

std::map<Part, std::vector<std::int32_t>> PixartModel::word_ids(const std::string& text) {
  return {{kTe1, own_tokenizer().encode(lower_trimmed(text))}};
}

std::vector<TextReach> PixartModel::text_reach(const std::string& caption) {
  if (!has(kTe1)) {
    return {};
  }
  // The last is the end of the text.
  return {{kTe1, std::ssize(tokenizer().encode(lower_trimmed(caption))), text_tokens() - 1}};
}

TokenIds PixartModel::tokenize(const std::string& caption) {
  TokenIds tokens;
  tokens.ids["te1_ids"] =
      tokenizer().encode_padded(lower_trimmed(caption), static_cast<int>(text_tokens()),
                                text_config_.pad_id, text_config_.eos_id);
  return tokens;
}

std::map<std::string, Shape> PixartModel::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, config_.caption_channels}}, {"mask", {tokens}}};
}

TextValues PixartModel::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const Value mask = graph.input("mask", DType::f32, {batch, tokens});
  return {
      {"context", te1().forward(graph, graph.input("te1_ids", DType::i32, {batch, tokens}), mask,
                                graph.input("te1_buckets", DType::i32, {tokens, tokens}))},
      {"mask", mask}};
}

void PixartModel::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  std::vector<float> mask;
  for (const TokenIds& tokens : batch) {
    const std::vector<float> row = text_mask(tokens.of("te1_ids"), text_config_.eos_id);
    mask.insert(mask.end(), row.begin(), row.end());
  }
  T5Encoder::feed_ids(executor, "te1_ids", joined_ids(batch, "te1_ids"), text_config_);
  executor.feed("mask", mask);
  executor.feed("te1_buckets",
                t5_relative_buckets(executor.input("te1_ids").shape[1], text_config_));
}

Value PixartModel::predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) {
  const Shape s = noised.shape();
  const std::int64_t patch = config_.patch_size;
  const Shape patches{(s[1] / patch) * (s[2] / patch)};
  PixartInputs inputs;
  inputs.timesteps = timesteps;
  inputs.text = text.at("context");
  inputs.text_mask = text.at("mask");
  if (config_.additional_conditions) {
    inputs.sizes = graph.input("sizes", DType::f32, {s[0], 3});
  }
  inputs.columns = graph.input("patch_columns", DType::f32, patches);
  inputs.rows = graph.input("patch_rows", DType::f32, patches);
  return slice_channels(transformer().forward(graph, noised, inputs), 0, config_.in_channels);
}

void PixartModel::feed_sizes(Executor& executor, std::span<const float> time_ids,
                             std::int64_t height, std::int64_t width) const {
  const auto grid = pixart_grid(height, width, config_);
  executor.feed("patch_columns", grid.first);
  executor.feed("patch_rows", grid.second);
  if (config_.additional_conditions) {
    std::vector<float> sizes;
    for (std::size_t b = 0; b * 6 < time_ids.size(); ++b) {
      // The cropped size, as in sampling, where there is no original.
      const float target_height = time_ids[b * 6 + 4], target_width = time_ids[b * 6 + 5];
      sizes.insert(sizes.end(), {target_height, target_width, target_height / target_width});
    }
    executor.feed("sizes", sizes);
  }
}

}  // namespace mantissa
