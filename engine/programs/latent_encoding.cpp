#include "engine/programs/latent_encoding.h"

#include <algorithm>
#include <cmath>

#include "engine/programs/between.h"

namespace mantissa {

LatentMoments LatentEncoder::encode(const Image& image) {
  Program& program = programs_.of({image.height, image.width}, [&](Graph& graph) {
    const Value x = graph.input("image", DType::f32, {1, image.height, image.width, 3});
    graph.output("moments", model_.vae().encode(graph, x));
  });
  Executor& executor = program.executor();
  executor.feed("image", to_float(image));
  executor.set_watch(watch_between(between_));
  executor.run({});
  const std::vector<float> moments = executor.read("moments");
  const Shape wide = executor.output("moments").shape;  // [1, h, w, 2·channels]
  const std::int64_t channels = wide[3] / 2;
  const Shape shape{wide[1], wide[2], channels};
  LatentMoments latent{{shape, {}}, {shape, {}}};
  for (std::int64_t position = 0; position < shape.rows(); ++position) {
    const float* row = moments.data() + position * 2 * channels;
    for (std::int64_t c = 0; c < channels; ++c) {
      latent.mean.data.push_back(row[c]);
      // NaN passes through; its exp stays NaN and the cache refuses it.
      const float log_variance =
          std::clamp(row[channels + c], static_cast<float>(kLeastLogVariance),
                     static_cast<float>(kMostLogVariance));
      latent.std.data.push_back(std::exp(0.5F * log_variance));
    }
  }
  return latent;
}

}  // namespace mantissa
