#pragma once
// The estimated cost of a training step on a card, from its plan: no card is needed.

#include <array>
#include <cstdint>

#include "engine/graph/cost.h"
#include "engine/plan/card_table.h"
#include "engine/plan/planned_run.h"

namespace mantissa {

/// Shares of the peak rates that kernels reach: those of SDXL's step on an H100 and an H200
/// (resources/docs/evidence/cards.md); for other cards they are assumed.
struct Efficiency {
  double gemm = 0.93, skinny_gemm = 0.60, convolution = 0.79, attention = 0.46;
  double copy = 0.80;      ///< of the memory's rate
  double launch_us = 0.6;  ///< between two nodes of a CUDA graph
  double gemm_us = 6;      ///< of the smallest GEMM
  /// GB/s of OpCost::coding_bytes by one processor: encoding takes more instructions than bytes.
  double coding_gb_per_s = 14;
};

struct RooflineKind {
  double ms = 0, flop = 0, bytes = 0;
  int nodes = 0;
};

struct Roofline {
  double ms = 0;        ///< of one optimizer step, including gradient accumulation
  double floor_ms = 0;  ///< all GEMMs at the matrix units' peak, nothing else
  double flop = 0, bytes = 0;
  int nodes = 0;                 ///< kernels of the recorded step
  std::uint64_t peak_bytes = 0;  ///< as planned on this machine
  double gradient_bytes = 0;     ///< of all trained values: what several cards exchange
  std::array<RooflineKind, kCostKinds> by_kind{};
  RooflineKind optimizer;
};

/// Milliseconds of one op on a card, by the same shares. `tf32`: FP32 GEMMs on matrix units.
double op_ms(const OpCost& cost, const CardSpec& card, const Efficiency& efficiency, bool tf32);
/// Milliseconds of the update of `parameters` trained values: norms, verdict and AdamW.
double update_ms(double parameters, const CardSpec& card, const Efficiency& efficiency);

/// The step of `job` at its preset's resolution and batch size. Throws Error as plan_training does,
/// and for a precision finding that refuses the job on this card.
Roofline roofline(const JobSpec& job, const CardSpec& card, const Efficiency& efficiency = {});

/// The largest step of a run whose memory is planned; without the time of streaming weights.
Roofline roofline(const PlannedRun& run, const CardSpec& card, const Efficiency& efficiency = {});

}  // namespace mantissa
