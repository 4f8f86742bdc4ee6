#include "engine/models/z_image/z_image_model.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/graph/ops.h"
#include "engine/models/qwen3/chat_template.h"
#include "engine/models/qwen3/qwen3_inputs.h"

namespace mantissa {
namespace {

constexpr std::int64_t kMostTokens = 512;
constexpr int kNativePixels = 1024;
/// The pipeline's timesteps count noise from 0 to this.
constexpr float kTimesteps = 1000.0F;

}  // namespace

ZImageModel::ZImageModel(WeightStore weights, const WeightSource& source, AdapterSet* adapters,
                         Kernels* kernels, const PrecisionRules& rules)
    : DiffusionModel(std::move(weights), source, adapters, kernels, rules),
      config_(z_image_config(source)) {
  if (has(kTe1)) {
    text_config_ = qwen3_config(source, kTe1);
    if (text_config_.hidden != config_.caption_channels) {
      throw Error(message<"{path}: the text encoder gives {given} values a token, but the "
                          "transformer takes {wanted}; are they parts of one model?">(
          path_to_utf8(source.path()), text_config_.hidden, config_.caption_channels));
    }
  }
  if (has(kVae) && latent_channels() != config_.in_channels) {
    throw Error(message<"{path}: the transformer takes {wanted} channels, the vae makes latents of "
                        "{given}; the two parts belong to different models">(
        path_to_utf8(source.path()), config_.in_channels, latent_channels()));
  }
}

ZImageModel::ZImageModel(Kernels& kernels, const WeightSource& source, AdapterSet* adapters,
                         const PrecisionRules& rules)
    : ZImageModel(WeightStore(kernels, source), source, adapters, &kernels, rules) {}

ZImageModel ZImageModel::planning(const WeightSource& source, AdapterSet* adapters,
                                  const PrecisionRules& rules) {
  return {WeightStore::planning(source), source, adapters, nullptr, rules};
}

ZImageTransformer& ZImageModel::transformer() {
  if (!transformer_) {
    transformer_ = std::make_unique<ZImageTransformer>(config_, scope(kDenoiser));
  }
  return *transformer_;
}

Qwen3Text& ZImageModel::te1() {
  if (!te1_) {
    require(kTe1);
    // hidden_states[-2]: the last layer isn't loaded.
    te1_ = std::make_unique<Qwen3Text>(text_config_, scope(kTe1),
                                       std::vector{text_config_.layers - 1});
  }
  return *te1_;
}

void ZImageModel::bind_part(Part part) {
  if (part == kDenoiser) {
    transformer();
  } else {
    te1();
  }
}

void ZImageModel::drop_part(Part part) {
  if (part == kDenoiser) {
    transformer_.reset();
  } else if (part == kTe1) {
    te1_.reset();
  }
}

int ZImageModel::native_side() const {
  return kNativePixels / latent_factor();
}

std::int64_t ZImageModel::text_tokens() const {
  return std::min<std::int64_t>(kMostTokens, config_.most_text_tokens());
}

TokenIds ZImageModel::tokenize(const std::string& caption) {
  if (!tokenizer_) {
    const auto folder = source().tokenizer_folder(kTe1);
    tokenizer_ = BpeTokenizer::from_folder(folder ? *folder : source().path() / "tokenizer");
    if (tokenizer_->vocab_size() > text_config_.vocab) {
      throw Error(message<"the tokenizer knows {known} pieces but the text encoder has {count} "
                          "embeddings. Put the model's own tokenizer folder beside its weights">(
          tokenizer_->vocab_size(), text_config_.vocab));
    }
  }
  const PromptTokens prompt = prompt_tokens(*tokenizer_, qwen3_chat(caption, Thinking::allowed),
                                            static_cast<int>(text_tokens()));
  TokenIds tokens;
  tokens.ids["te1_length"] = {static_cast<std::int32_t>(prompt.ids.size())};
  std::vector<std::int32_t>& ids = tokens.ids["te1_ids"];
  ids = prompt.ids;
  ids.resize(static_cast<std::size_t>(text_tokens()), 0);  // never attended to, whatever they are
  return tokens;
}

std::map<std::string, Shape> ZImageModel::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, config_.caption_channels}}, {"layout", {tokens, 2}}};
}

TextValues ZImageModel::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  const Value hidden =
      te1().forward(graph, qwen3_inputs(graph, "te1", text_config_, batch, tokens));
  return {
      {"context", zero_padding(hidden, graph.input("te1_real", hidden.dtype(), {batch, tokens}))},
      {"layout", graph.input("layout", DType::f32, {batch, tokens, 2})}};
}

void ZImageModel::feed_tokens(Executor& executor, std::span<const TokenIds> batch) const {
  const std::int64_t tokens = executor.input("te1_ids").shape[1];
  std::vector<std::uint8_t> real;
  std::vector<float> layout;
  for (const TokenIds& prompt : batch) {
    const std::int64_t length = prompt.of("te1_length").at(0);
    for (std::int64_t i = 0; i < tokens; ++i) {
      real.push_back(i < length ? 1 : 0);
    }
    const std::vector<float> own = z_image_layout(length, tokens);
    layout.insert(layout.end(), own.begin(), own.end());
  }
  feed_qwen3(executor, "te1", text_config_, joined_ids(batch, "te1_ids"), real);
  executor.feed("layout", layout);
}

Value ZImageModel::predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) {
  const Shape s = noised.shape();
  ZImageInputs inputs;
  inputs.text = text.at("context");
  inputs.layout = text.at("layout");
  const std::int64_t tokens = inputs.text.shape()[1];
  const std::int64_t n =
      z_image_sequence((s[1] / config_.patch_size) * (s[2] / config_.patch_size)) + tokens;
  inputs.order = graph.input("token_order", DType::f32, {2, n});
  inputs.grid = graph.input("token_grid", DType::f32, {s[0], n, 2});
  inputs.frequencies = graph.input("token_frequencies", DType::f32, {3, config_.head_dim() / 2});
  const Value ones = constant(graph, timesteps.dtype(), timesteps.shape(), 1.0F);
  inputs.times = add(ones, scale(timesteps, -1.0F / kTimesteps));
  return scale(transformer().forward(graph, noised, inputs), -1.0F);
}

void ZImageModel::feed_sizes(Executor& executor, std::span<const float> time_ids,
                             std::int64_t height, std::int64_t width) const {
  const std::int64_t n = executor.input("token_order").shape[1];
  const std::int64_t patches =
      z_image_sequence((height / config_.patch_size) * (width / config_.patch_size));
  const ZImagePositions positions = z_image_positions(height, width, n - patches, config_);
  executor.feed("token_order", positions.order);
  executor.feed("token_frequencies", positions.frequencies);
  std::vector<float> grid;
  for (std::size_t b = 0; b * 6 < time_ids.size(); ++b) {
    grid.insert(grid.end(), positions.grid.begin(), positions.grid.end());
  }
  executor.feed("token_grid", grid);
}

}  // namespace mantissa
