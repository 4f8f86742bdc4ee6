#pragma once
// Images per second of several processes, estimated from the roofline of one.

#include <span>
#include <string_view>
#include <vector>

#include "engine/plan/roofline.h"

namespace mantissa {

/// What connects the processes of a run, one card each.
struct LinkSpec {
  std::string_view id;    ///< "100gb"
  std::string_view name;  ///< "100 Gb/s network"
  double gb_per_s = 0;    ///< of one card in each direction, both at once
  double latency_us = 0;  ///< of one exchange between two processes; assumed
};

/// Rates by NVIDIA's and the standards' data sheets. Cards that share a network adapter share its
/// rate.
std::span<const LinkSpec> link_table();

/// Share of a link's rate that an exchange reaches. Assumed, not measured.
inline constexpr double kLinkEfficiency = 0.8;

/// A step of `ranks` processes over one kind of link.
struct Scaling {
  int ranks = 1;
  int micro_steps = 1;  ///< of the step: the preset's accumulation, up to a multiple of the ranks
  double ms = 0;
  double exchange_ms = 0;  ///< of ms; nothing is computed meanwhile
  double images_per_second = 0;
  double efficiency = 1;  ///< images per second over `ranks` times those of one card alone
};

/// `step` on `ranks` processes, with the exchange of engine/train/gradient_exchange.h: after each
/// round of micro-steps a process sends every other one its part of the gradients, and after the
/// last round the sum of its own part.
Scaling scaling(const Roofline& step, const Preset& preset, const LinkSpec& link, int ranks);

/// 2, 4, 8, … up to `most`, and `most` itself.
std::vector<int> scaling_ranks(int most);

}  // namespace mantissa
