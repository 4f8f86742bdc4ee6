#pragma once
// Paths of modules and weights. Inside the engine each has one: its part's name, then its place in
// the part. What other programs call them stands in dialects and writers.

#include <optional>
#include <string>
#include <string_view>

#include "engine/preset/part.h"

namespace mantissa {

/// The path of the module or weight at `below` in a part, "te1.text_model.final_layer_norm"; the
/// part's own path, "denoiser", where `below` is empty.
std::string module_path(Part part, std::string_view below = {});

/// A path, cut after its part.
struct PathInPart {
  Part part;
  std::string_view below;  ///< empty for a part's own path
};

/// The part at the head of a path, canonical or in an older spelling, and the rest. A head that is
/// nobody's is a text encoder's, as of a family that isn't here. Throws Error for a path without a
/// head, or with one too long for a part's name.
PathInPart split_path(std::string_view path);

/// The part that a path's head names: by its own name, or as files of older versions and diffusers
/// call it ("unet" and "transformer", "text_encoder", "text_encoder_2", a family's own folders).
/// Empty for any other head.
std::optional<Part> part_of_head(std::string_view head);

/// The path of what an older file or a preset calls `path`: "te1.x" for "text_encoder.x". Unchanged
/// if its head is no part's.
std::string canonical_path(std::string_view path);

/// The spelling that traces have: "unet.x" and "text_encoder.x", whatever the family.
std::string traced_path(std::string_view path);

/// Whether a pattern of the preset (adapter.targets, adapter.ranks, training.weights,
/// precision.pins) matches the module at `path`. Globs as in glob_match. A head written out may be
/// any name of its part; where wildcards reach into the head, it is matched as it is and as older
/// versions spelled it.
bool names_module(std::string_view pattern, std::string_view path);

}  // namespace mantissa
