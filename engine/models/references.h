#pragma once
// Reference images of a denoiser that edits: inputs beside the noised latents, told from them by
// their positions.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"
#include "engine/graph/executor.h"
#include "engine/graph/graph.h"
#include "engine/io/family.h"
#include "engine/models/latent_size.h"

namespace mantissa {

class DiffusionModel;

/// How a model's pipelines size a reference image: a larger one is scaled down to an area, then
/// both sides are cut to multiples of a token's.
struct ReferenceRule {
  std::int64_t most_pixels = 0;  ///< 0: the model reads no references
  int multiple = 16;             ///< pixels
  /// The area of one that is alone, which is reflected up to multiples and not cut; 0: it is sized
  /// as several are.
  std::int64_t lone_pixels = 0;
  /// Sizes: a reference that doesn't show its image's view gets the nearest in shape; see Family.
  std::span<const ImageSize> sizes{};
  std::size_t most = 0;  ///< references of one image; 0: any number
  bool fills = false;    ///< each is stretched to the area; see Family::references_fill_area
  /// Each is stretched to the nearest multiples; see Family::references_stretched.
  bool stretches = false;
  std::int64_t seen_pixels = 0;  ///< see DiffusionModel::seen_pixels
};
ReferenceRule reference_rule(const DiffusionModel& model);

/// Why a model gets no reference images, an empty message if it does; `option` names where they
/// were given.
Message unread_references(const WeightSource& source, std::string_view option);
/// The newest of a family's models that edit, where others don't: "FLUX.1 Kontext dev".
std::string newest_edit(const Family& family);

/// The references of one place, of every sample of a batch.
struct ReferenceLatents {
  LatentSize size;
  std::vector<float> values;  ///< [batch, height, width, channels], scaled
};
std::vector<LatentSize> sizes_of(std::span<const ReferenceLatents> references);

/// "reference_1" for index 0.
std::string reference_name(std::size_t index);
/// Declares their fp32 inputs [batch, height, width, channels].
std::vector<Value> reference_inputs(Graph& graph, std::int64_t batch, std::int64_t channels,
                                    std::span<const LatentSize> sizes);
/// The sizes that were declared.
std::vector<LatentSize> reference_sizes(const Executor& executor);
void feed_references(Executor& executor, std::span<const ReferenceLatents> references);

}  // namespace mantissa
