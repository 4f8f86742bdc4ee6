#include "engine/models/chroma/chroma_approximator.h"

#include <cmath>

#include "engine/graph/ops.h"

namespace mantissa {
namespace {

/// As in the authors' code, for norms too; diffusers leaves it to the type of the activations.
constexpr double kChromaNormEps = 1e-6;
/// Numbers are multiplied by this, like timesteps in [0, 1].
constexpr float kChromaNumberUnit = 1000.0F;

/// cos and sin of `t`, `width` channels in all. The angles of the last numbers are far beyond what
/// fp32 holds exactly: they are rounded where the model's code rounds, so that they are those of
/// its training.
void add_sinusoids(std::vector<float>& row, float t, int width) {
  std::vector<double> angles;
  const auto half = static_cast<float>(width / 2);
  for (int i = 0; i < width / 2; ++i) {
    const float exponent = static_cast<float>(-std::log(10000.0)) * static_cast<float>(i) / half;
    const auto frequency = static_cast<float>(std::exp(static_cast<double>(exponent)));
    angles.push_back(static_cast<double>(t * frequency));
  }
  for (const double angle : angles) {
    row.push_back(static_cast<float>(std::cos(angle)));
  }
  for (const double angle : angles) {
    row.push_back(static_cast<float>(std::sin(angle)));
  }
}

}  // namespace

ChromaApproximator::ChromaApproximator(const ChromaConfig& c, const Scope& scope)
    : path_(scope.path()),
      activations_(scope.activations()),
      channels_(c.approximator_channels),
      entry_(scope / "in_proj", c.approximator_channels, c.approximator_width),
      exit_(scope / "out_proj", c.approximator_width, c.width()) {
  for (int i = 0; i < c.approximator_layers; ++i) {
    layers_.push_back(
        {RmsNorm(scope / "norms" / i, c.approximator_width, kChromaNormEps),
         TimestepMlp(scope / "layers" / i, c.approximator_width, c.approximator_width)});
  }
}

Value ChromaApproximator::operator()(Value timesteps, Value numbers) const {
  Graph& graph = numbers.graph();
  graph.set_path(path_);
  const std::int64_t batch = numbers.shape()[0], own = channels_ / 4;
  const Value time = concat_channels(timestep_embedding(timesteps, own, activations_),
                                     constant(graph, activations_, {batch, channels_ - own}, 0.0F));
  Value x = entry_(add_per_sample(cast(numbers, activations_), time));
  for (const Layer& layer : layers_) {
    const Value change = layer.mlp(layer.norm(x));
    graph.set_path(path_);
    x = add(x, change);
  }
  return exit_(x);
}

std::vector<float> chroma_numbers(const ChromaConfig& c) {
  const int quarter = c.approximator_channels / 4;
  std::vector<float> rows;
  for (int number = 0; number < c.modulations(); ++number) {
    rows.insert(rows.end(), static_cast<std::size_t>(quarter), 0.0F);
    add_sinusoids(rows, 0.0F, quarter);
    add_sinusoids(rows, static_cast<float>(number) * kChromaNumberUnit, 2 * quarter);
  }
  return rows;
}

}  // namespace mantissa
