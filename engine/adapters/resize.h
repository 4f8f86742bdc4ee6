#pragma once

#include <span>
#include <string>

#include "engine/adapters/delta.h"

namespace mantissa {

/// The LoRA nearest to a weight's change `delta` [out, in·kh·kw], of rank at most `rank`, and no
/// more than hold the share `energy` of ‖delta‖² (1: all of `rank`). alpha = rank.
PlainLora low_rank_module(const std::string& path, const Shape& weight,
                          std::span<const float> delta, int rank, double energy = 1);

/// The same of a module that is low rank already, or of a dense one, from its factors alone: the
/// singular values of up·down by way of two QR decompositions, so that no full matrix is made. A
/// DoRA keeps its magnitudes: they are of the same weight, changed by what is left. `error` is
/// ‖old - new‖ / ‖old‖ of the low-rank part.
PlainLora resized(const LoraModule& module, int rank, double energy = 1);

}  // namespace mantissa
