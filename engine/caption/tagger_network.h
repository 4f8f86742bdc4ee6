#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/caption/tagger_config.h"
#include "engine/graph/graph.h"
#include "engine/graph/tensor.h"

namespace mantissa {

/// Records a tagger's network for one image: inputs "image" [1, side, side, 3] and, of EVA-02,
/// "cos" and "sin" [1, tokens, head / 2]; output "logits" [1, tags]. Throws Error naming a weight
/// that is missing or has another shape.
void record_tagger(Graph& graph, const TaggerConfig& config,
                   std::map<std::string, Tensor>& weights);

/// EVA-02's rotary tables: a head's first half of channels turns by the row, the second by the
/// column, as fractions of the grid times TaggerConfig::reference; tokens of the prefix stay.
void tagger_rotation(const TaggerConfig& config, std::vector<float>& cos, std::vector<float>& sin);

}  // namespace mantissa
