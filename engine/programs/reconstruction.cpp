#include "engine/programs/reconstruction.h"

#include <algorithm>
#include <cmath>

#include "engine/models/vae/vae_loss.h"

namespace mantissa {

void Reconstructor::record(Graph& graph, Autoencoder& vae, int height, int width) {
  const Value x = graph.input("image", DType::f32, {1, height, width, 3});
  graph.output("reconstruction", vae.decode(graph, posterior_mean(vae.encode(graph, x))));
}

Image Reconstructor::beside(const Image& image) {
  Program& program = programs_.of({image.height, image.width}, [&](Graph& graph) {
    record(graph, model_.vae(), image.height, image.width);
  });
  Executor& executor = program.executor();
  executor.feed("image", to_float(image));
  executor.run({});
  const std::vector<float> values = executor.read("reconstruction");
  Image both{2 * image.width, image.height, {}, {}};
  const std::ptrdiff_t row = std::ptrdiff_t{3} * image.width;
  for (int y = 0; y < image.height; ++y) {
    const auto given = image.pixels.begin() + y * row;
    both.pixels.insert(both.pixels.end(), given, given + row);
    std::transform(values.begin() + y * row, values.begin() + (y + 1) * row,
                   std::back_inserter(both.pixels), [](float x) {
                     const float level = (std::clamp(x, -1.0F, 1.0F) + 1.0F) * 127.5F;
                     return static_cast<std::uint8_t>(std::lround(level));
                   });
  }
  return both;
}

}  // namespace mantissa
