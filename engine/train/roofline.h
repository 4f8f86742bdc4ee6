#pragma once
// The estimated cost of a training step on a card, from its plan: no card is needed.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/graph/cost.h"
#include "engine/train/run.h"

namespace mantissa {

/// Peak rates of a card. Rates of matrix units are dense, with FP32 accumulation.
struct CardSpec {
  std::string_view id;     ///< "4090"
  std::string_view name;   ///< "RTX 4090"
  int capability = 0;      ///< 89
  int processors = 0;      ///< streaming multiprocessors
  double half_tflops = 0;  ///< FP16 and BF16
  double fp8_tflops = 0;   ///< 0: none
  double tf32_tflops = 0, fp32_tflops = 0;
  double copy_gb_per_s = 0;  ///< of its memory
  double memory_gb = 0;
};

/// Data centre cards by measured rates, GeForce cards by processors × clock × 512 half-precision
/// FLOP per clock, from NVIDIA's architecture papers.
std::span<const CardSpec> roofline_cards();
/// Throws Error listing the known cards.
const CardSpec& roofline_card(std::string_view id);

/// Shares of the peak rates that kernels reach. Assumed, not measured.
struct Efficiency {
  double gemm = 0.70, skinny_gemm = 0.60, convolution = 0.68, attention = 0.47;
  double copy = 0.85;      ///< of the memory's rate
  double launch_us = 1.3;  ///< between two nodes of a CUDA graph
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
  std::array<RooflineKind, kCostKinds> by_kind{};
  RooflineKind optimizer;
};

/// The step of `job` at its preset's resolution and batch size. Throws Error as plan_training does,
/// and for a precision finding that refuses the job on this card.
Roofline roofline(const JobSpec& job, const CardSpec& card, const Efficiency& efficiency = {});

}  // namespace mantissa
