#pragma once
// The estimated times of kernels on a card.

#include "engine/graph/cost.h"
#include "engine/plan/card_table.h"

namespace mantissa {

/// A GEMM's share of the card's peak, and the part of the time for writing its results that its
/// products don't hide.
struct GemmRate {
  double share = 1, exposed = 0;
};

/// What one processor reads and writes at most, in GB/s, where the memory is faster (0: never), and
/// µs of a launch that moves nothing.
struct KernelRate {
  double gb_per_s = 0, us = 2.05;
};

/// What kernels reach of a card's rates: fitted to SDXL's step on an H200, by class
/// (resources/docs/evidence/roofline.md); for other cards assumed.
struct Efficiency {
  GemmRate half{0.99, 0.19}, fp8{0.86, 0.87}, int8{0.90, 1.13};
  double gemm_us = 3.2;  ///< of each GEMM beside its products
  /// Share of the peak that a skinny GEMM reaches where the peak bounds it; an H200 is never bound
  /// so.
  double skinny_gemm = 0.60;
  KernelRate skinny{28.4, 2.5};
  double skinny_depth_us = 1.5;  ///< for every 1,000 of its depth, if that takes longer
  double split_us = 3;           ///< to add up its parts, if the depth is split
  double convolution = 0.98, convolution_us = 25;
  double attention = 0.575, attention_us = 4;  ///< µs of each launch
  int attention_keys = 64;                     ///< of a tile: as many as are multiplied at least
  double memory = 0.875;                       ///< of its rate
  KernelRate copy;
  KernelRate row_norm{17.8}, row_norm_backward{22.5}, column_norm{19.6, 4};
  KernelRate channel_scaling{41}, channel_scaling_backward{25, 4.8}, weight_norm{5.5};
  KernelRate encoding{28.4}, gradient_encoding{18.2};
  KernelRate block_decoding{22.5}, turning{14.5};
  KernelRate int8_sums{43.5};
  double clear_us = 0.8;      ///< to clear a few bytes
  double launch_us = 0.45;    ///< between two nodes of a CUDA graph
  double clear_gap_us = 2.2;  ///< more, around one that clears

  const KernelRate& rate(Pace pace) const;
};

struct OpTime {
  double ms = 0;      ///< in kernels
  double gap_ms = 0;  ///< between them
  double all() const { return ms + gap_ms; }
};

/// FLOP per second of the card's units for those operands. `tf32`: FP32 GEMMs on matrix units.
double peak_flops(const CardSpec& card, DType operands, bool tf32);

OpTime op_time(const OpCost& cost, const CardSpec& card, const Efficiency& efficiency, bool tf32);

}  // namespace mantissa
