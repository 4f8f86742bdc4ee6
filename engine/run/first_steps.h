#pragma once
// The trace that every run keeps of its first steps, which `mantissa verify` replays.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/preset/names.h"
#include "engine/run/run_identity.h"

namespace mantissa {

/// Steps in a trace; fewer of a shorter run.
inline constexpr std::int64_t kTracedSteps = 3;
/// The largest trace, in bytes.
inline constexpr std::size_t kLargestTrace = 5'000'000;

/// One optimizer step and the trained tensors after it. Numbers that aren't finite are NaN.
struct TracedStep {
  double loss = 0;
  double grad_norm = 0;  ///< global, before clipping
  double loss_scale = 1;
  bool skipped = false;
  double seconds = 0;
  std::vector<std::string> hashes;  ///< by tensor: 16 hex digits of its values' SHA-256
  std::vector<double> norms;        ///< by tensor: L2
};

/// A run's first steps, and what they were computed with.
struct FirstSteps {
  std::string version;           ///< of the program, with its commit
  std::string device;            ///< processor or card, with the kernels in use
  bool repeatable = true;        ///< whether the same device gives the same bits
  std::string compute;           ///< precision.compute, after the plan's adjustments
  std::uint64_t peak_bytes = 0;  ///< device memory, as planned
  RunIdentity identity;
  std::vector<std::string> tensors;  ///< trained ones, by their PEFT names
  std::vector<TracedStep> steps;
};

/// The trace's file in a run's folder.
std::filesystem::path trace_file(const std::filesystem::path& run);

/// Its text, at most kLargestTrace bytes, with a checksum. Where single images don't fit, each set
/// of them has one hash. Throws Error if even that is too long.
std::string to_text(const FirstSteps& trace);

/// Throws Error naming `label` and the field that is missing or of another type, or reporting a
/// checksum mismatch.
FirstSteps parse_first_steps(const std::string& text, const std::string& label);

/// Throws Error naming what differs between the inputs of the trace and those of now.
void require_traced_inputs(const RunIdentity& traced, const RunIdentity& now);

}  // namespace mantissa
