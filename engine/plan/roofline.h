#pragma once
// The estimated cost of a training step on a card, from its plan: no card is needed.

#include <array>
#include <cstdint>

#include "engine/plan/op_times.h"
#include "engine/plan/planned_run.h"

namespace mantissa {

struct RooflineKind {
  double ms = 0;  ///< in kernels
  double flop = 0, bytes = 0;
  int nodes = 0;
};

struct Roofline {
  double ms = 0;        ///< of one optimizer step, including gradient accumulation
  double floor_ms = 0;  ///< all GEMMs at the matrix units' peak, nothing else
  double gap_ms = 0;    ///< of `ms`, between kernels
  double flop = 0, bytes = 0;
  int nodes = 0;                 ///< kernels of the recorded step
  std::uint64_t peak_bytes = 0;  ///< as planned on this machine
  double gradient_bytes = 0;     ///< of all trained values: what several cards exchange
  std::array<RooflineKind, kCostKinds> by_kind{};
  RooflineKind optimizer;
};

/// Milliseconds of the update of `parameters` trained values: norms, verdict and AdamW.
double update_ms(double parameters, const CardSpec& card, const Efficiency& efficiency);

/// The step of `job` at its preset's resolution and batch size. Throws Error as plan_training does,
/// and for a precision finding that refuses the job on this card.
Roofline roofline(const JobSpec& job, const CardSpec& card, const Efficiency& efficiency = {});

/// The largest step of a run whose memory is planned; without the time of streaming weights.
Roofline roofline(const PlannedRun& run, const CardSpec& card, const Efficiency& efficiency = {});

}  // namespace mantissa
