#pragma once

#include <span>
#include <string>

#include "engine/adapters/adapter_module.h"

namespace mantissa {

/// A module as plain LoRA, for programs without DoRA.
struct PlainLora {
  AdapterModule module;
  double error = 0;  ///< ‖W' - W - LoRA‖ / ‖W' - W‖ in the Frobenius norm
};

/// The LoRA nearest to a weight's change `delta` [out, in·kh·kw], of rank at most `rank`, and no
/// more than needed for the share `energy` of ‖delta‖² (1: all of `rank`). alpha = rank.
PlainLora low_rank_module(const std::string& path, const Shape& weight,
                          std::span<const float> delta, int rank, double energy = 1);

/// A low-rank or dense module at another rank, from its factors: the singular values of up·down
/// come from two QR decompositions, without a full matrix. A DoRA keeps its magnitudes. `error` is
/// ‖old - new‖ / ‖old‖ of the low-rank part.
PlainLora resized(const AdapterModule& module, int rank, double energy = 1);

/// The best plain LoRA of `rank`; 0: as needed for 99 % of ‖W' - W‖², at most twice the module's
/// rank. A module that is plain LoRA is returned unchanged.
PlainLora plain_lora(const AdapterModule& module, std::span<const float> weight, int rank = 0);

}  // namespace mantissa
