#include "engine/models/chroma/chroma_model.h"

#include <algorithm>

#include "engine/graph/ops.h"
#include "engine/models/flux1/flux1_forward.h"
#include "engine/models/t5/t5_model_tokenizer.h"

namespace mantissa {
namespace {

constexpr std::int64_t kChromaTokens = 512;
constexpr int kChromaPixels = 1024;
/// What a caption takes beside its pieces: the end of the text, and padding that is read.
constexpr std::int64_t kChromaEnd = 1, kChromaPadding = 1;

}  // namespace

ChromaModel::ChromaModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters,
                         const PrecisionRules& rules)
    : DiffusionModel(kernels, source, adapters, rules), config_(chroma_config(source)) {
  if (has(kTe1)) {
    t5_config_ = mantissa::t5_config(source, kTe1);
    if (t5_config_.hidden != config_.context_channels) {
      refuse_text_width(t5_config_.hidden, config_.context_channels);
    }
  }
  use_kl_vae(config_.latent_channels());
}

ChromaTransformer& ChromaModel::transformer() {
  if (!transformer_) {
    transformer_ = std::make_unique<ChromaTransformer>(config_, scope(kDenoiser));
  }
  return *transformer_;
}

T5Encoder& ChromaModel::te1() {
  if (!te1_) {
    require(kTe1);
    te1_ = std::make_unique<T5Encoder>(t5_config_, scope(kTe1));
  }
  return *te1_;
}

void ChromaModel::bind_part(Part part) {
  if (part == kDenoiser) {
    transformer();
  } else {
    te1();
  }
}

void ChromaModel::drop_part(Part part) {
  if (part == kDenoiser) {
    transformer_.reset();
  } else if (part == kTe1) {
    te1_.reset();
  }
}

int ChromaModel::native_side() const {
  return kChromaPixels / latent_factor();
}

std::int64_t ChromaModel::text_tokens() const {
  return tokens_of_run(kChromaTokens);
}

std::int64_t ChromaModel::tokens_needed(const std::string& caption) {
  if (!has(kTe1) || !source().tokenizer_folder(kTe1)) {
    return 0;
  }
  return std::min(std::ssize(tokenizer().encode(caption)) + kChromaEnd + kChromaPadding,
                  kChromaTokens);
}

const T5Tokenizer& ChromaModel::own_tokenizer() {
  if (!tokenizer_) {
    tokenizer_ = t5_tokenizer(source(), kTe1, t5_config_.vocab);
  }
  return *tokenizer_;
}

T5Tokenizer ChromaModel::tokenizer() {
  return own_tokenizer().with_words(new_words(t5_config_.vocab));
}

std::map<Part, std::vector<std::int32_t>> ChromaModel::word_ids(const std::string& text) {
  return {{kTe1, own_tokenizer().encode(text)}};
}

std::vector<TextReach> ChromaModel::text_reach(const std::string& caption) {
  if (!has(kTe1)) {
    return {};
  }
  return {{kTe1, std::ssize(tokenizer().encode(caption)), kChromaTokens - kChromaEnd}};
}

TokenIds ChromaModel::tokenize(const std::string& caption) {
  TokenIds tokens;
  tokens.ids["te1_ids"] = tokenizer().encode_padded(caption, static_cast<int>(text_tokens()),
                                                    t5_config_.pad_id, t5_config_.eos_id);
  return tokens;
}

std::map<std::string, Shape> ChromaModel::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, config_.context_channels}}, {"mask", {tokens}}};
}

TextValues ChromaModel::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const Value context = te1().forward(graph, graph.input("te1_ids", DType::i32, {batch, tokens}),
                                      graph.input("te1_mask", DType::f32, {batch, tokens}),
                                      graph.input("te1_buckets", DType::i32, {tokens, tokens}));
  return {{"context", context}, {"mask", graph.input("mask", DType::f32, {batch, tokens})}};
}

void ChromaModel::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  std::vector<float> encoded, attended;
  for (const TokenIds& tokens : batch) {
    std::vector<float> row = text_mask(tokens.of("te1_ids"), t5_config_.eos_id);
    encoded.insert(encoded.end(), row.begin(), row.end());
    const auto padding = std::ranges::find_if(row, [](float value) { return value != 0; });
    std::fill(padding, padding + std::min(kChromaPadding, row.end() - padding), 0.0F);
    attended.insert(attended.end(), row.begin(), row.end());
  }
  T5Encoder::feed_ids(executor, "te1_ids", joined_ids(batch, "te1_ids"), t5_config_);
  executor.feed("te1_mask", encoded);
  executor.feed("te1_buckets", t5_relative_buckets(executor.input("te1_ids").shape[1], t5_config_));
  executor.feed("mask", attended);
}

Value ChromaModel::predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) {
  ChromaInputs inputs;
  inputs.timesteps = timesteps;
  inputs.text = text.at("context");
  inputs.keys = text.at("mask");
  const Flux1Attended at =
      flux1_position_inputs(graph, inputs.text.shape()[1], noised, config_.head_dim);
  inputs.cos = at.cos;
  inputs.sin = at.sin;
  inputs.numbers =
      graph.input("modulation_numbers", DType::f32,
                  {noised.shape()[0], config_.modulations(), config_.approximator_channels});
  return transformer().forward(graph, noised, inputs);
}

void ChromaModel::feed_sizes(Executor& executor, std::span<const float> /*time_ids*/,
                             std::int64_t height, std::int64_t width) const {
  feed_flux1_positions(executor, height, width, config_.axes_dims);
  const std::vector<float> one = chroma_numbers(config_);
  std::vector<float> all;
  for (std::int64_t b = executor.input("modulation_numbers").shape[0]; b > 0; --b) {
    all.insert(all.end(), one.begin(), one.end());
  }
  executor.feed("modulation_numbers", all);
}

}  // namespace mantissa
