#include "engine/models/z_image/z_image_model.h"

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

/// Of a prompt in its chat template, as in the pipeline.
constexpr std::int64_t kMostTokens = 512;
constexpr int kNativePixels = 1024;
/// The pipeline's timesteps count noise from 0 to this.
constexpr float kTimesteps = 1000.0F;

}  // namespace

ZImageModel::ZImageModel(WeightStore weights, const WeightSource& source, AdapterSet* adapters,
                         Kernels* kernels, const PrecisionRules& rules)
    : DiffusionModel(std::move(weights), source, adapters, kernels, rules),
      config_(z_image_config(source)) {
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

void ZImageModel::bind_part(Part part) {
  if (part == kDenoiser) {
    transformer();
  }
}

void ZImageModel::drop_part(Part part) {
  if (part == kDenoiser) {
    transformer_.reset();
  }
}

int ZImageModel::native_side() const {
  return kNativePixels / latent_factor();
}

std::int64_t ZImageModel::text_tokens() const {
  return kMostTokens;
}

TokenIds ZImageModel::tokenize(const std::string& /*caption*/) {
  require(kTe1);
  return {};
}

std::map<std::string, Shape> ZImageModel::text_shapes(std::int64_t tokens) const {
  return {{"context", {tokens, config_.caption_channels}}, {"layout", {tokens, 2}}};
}

TextValues ZImageModel::encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) {
  return text_inputs(graph, batch, tokens);
}

void ZImageModel::feed_tokens(Executor& /*executor*/, std::span<const TokenIds> /*batch*/) const {}

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
