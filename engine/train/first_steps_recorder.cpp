#include "engine/train/first_steps_recorder.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system.h"
#include "engine/io/file.h"
#include "engine/preset/names.h"
#include "engine/preset/preset_io.h"
#include "engine/run/job_file.h"
#include "engine/train/program_version.h"

namespace mantissa {
namespace {

/// "AMD EPYC 9654, avx512" or "NVIDIA H100, compute capability 9.0, cuBLASLt …": what decides about
/// rounding, without the number of threads or of the card.
std::string rounding_device(const Kernels& kernels) {
  const std::string name = kernels.name();  // "cpu (avx512, 2 threads)"
  const std::size_t open = name.find('(');
  std::string inside = name.substr(open + 1, name.rfind(')') - open - 1);
  if (kernels.host_memory()) {
    inside.resize(std::min(inside.rfind(','), inside.size()));
    const std::string processor = processor_name();
    return processor.empty() ? inside : processor + ", " + inside;
  }
  return inside;
}

std::string rounding_devices(const RunParts& parts) {
  std::string all = rounding_device(parts.kernels);
  for (int i = 1; parts.devices != nullptr && i < parts.devices->count(); ++i) {
    all += " + " + rounding_device(parts.devices->kernels(i));
  }
  return all;
}

/// Whether the settings in force are those that job.json has.
bool has_started_settings(const RunFolder& folder) {
  const JobSpec started = parse_job_file(folder.job_text(), path_to_utf8(folder.job_file())).job;
  return to_json(started.preset, WriteMode::full) ==
         to_json(folder.frozen_job().preset, WriteMode::full);
}

}  // namespace

FirstStepsRecorder::FirstStepsRecorder(const RunParts& parts, const TrainingState& state,
                                       const RunHome& home, RunStart& start)
    : parts_(parts), home_(home), start_(start) {
  traces_ = parts.ranks.writes() && state.step == 0 &&
            (!parts.plan.job.resume || has_started_settings(home.folder()));
}

bool FirstStepsRecorder::is_complete() const {
  return !trace_.steps.empty() &&
         std::ssize(trace_.steps) >= std::min(kTracedSteps, parts_.length().steps);
}

void FirstStepsRecorder::add(const StepRecord& record) {
  if (!traces_ || is_complete()) {
    return;
  }
  if (trace_.steps.empty()) {
    trace_.version = program_version();
    trace_.device = rounding_devices(parts_);
    trace_.repeatable = parts_.kernels.host_memory() || parts_.plan.job.deterministic;
    trace_.compute = enum_name(parts_.preset().precision.compute);
    trace_.peak_bytes = parts_.plan.report.peak_bytes;
    for (const AdapterTensor& t : parts_.adapters.tensors()) {
      trace_.tensors.push_back(t.name);
    }
  }
  constexpr std::size_t kDigits = 16;
  TracedStep step{
      record.loss, record.grad_norm, record.loss_scale, record.skipped, record.seconds, {}, {}};
  for (const AdapterTensor& t : parts_.adapters.tensors()) {
    const std::vector<float> values = parts_.adapters.values(*t.tensor);
    double squares = 0;
    for (const float v : values) {
      squares += static_cast<double>(v) * v;
    }
    step.norms.push_back(std::sqrt(squares));
    step.hashes.push_back(sha256_hex(std::as_bytes(std::span(values))).substr(0, kDigits));
  }
  trace_.steps.push_back(std::move(step));
}

void FirstStepsRecorder::keep_when_ready() {
  if (!kept_in_.empty() ? kept_in_ != home_.folder().path()
                        : is_complete() && start_.is_identified()) {
    keep();
  }
}

void FirstStepsRecorder::keep() {
  if (trace_.steps.empty() || kept_in_ == home_.folder().path()) {
    return;
  }
  kept_in_ = home_.folder().path();  // one that can't be written is not tried again
  try {
    if (text_.empty()) {
      trace_.identity = start_.identity();
      text_ = to_text(trace_);
    }
    atomic_write(trace_file(kept_in_), text_);
  } catch (const Error& e) {
    parts_.log.last_line(LogLevel::warning, e.message());
  }
}

}  // namespace mantissa
