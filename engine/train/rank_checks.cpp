#include "engine/train/rank_checks.h"

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/io/file.h"
#include "engine/preset/preset_io.h"
#include "engine/train/job_file.h"

namespace mantissa {

void require_shareable(Ranks& ranks, const JobSpec& job) {
  if (ranks.alone()) {
    return;
  }
  ranks.require_same(message<"the preset">(), to_json(job.preset, WriteMode::full));
  ranks.require_same(message<"the arguments">(), to_text({"", job}));
  if (job.device != "cpu") {
    throw Error(message<"several processes train on the CPU only (--device cpu): start one process "
                        "for {device}">(job.device));
  }
  if (job.trace) {
    throw Error(message<"a trace is written by one process: leave out --trace, or mpirun">());
  }
  const int count = job.preset.training.gradient_accumulation;
  if (count < ranks.size()) {
    throw Error(
        message<"{processes} processes share the micro-steps of a step, but "
                "training.gradient_accumulation is {count}. Set it to a multiple of {processes}, "
                "or start fewer processes">(ranks.size(), count));
  }
}

void tell_sharing(const Ranks& ranks, const Preset& preset, RunLog& log) {
  if (ranks.alone()) {
    return;
  }
  const int count = preset.training.gradient_accumulation;
  log.line(1, message<"{processes} processes share the {count} micro-steps of each step">(
                  ranks.size(), count));
  if (count % ranks.size() != 0) {
    log.line(2, message<"training.gradient_accumulation is no multiple of the {count} processes: "
                        "some of them wait at the end of each step">(ranks.size()));
  }
}

void require_same_inputs(Ranks& ranks, const PlannedRun& plan, RunStart& start) {
  if (ranks.alone()) {
    return;
  }
  RunIdentity contents = start.identity();
  for (Ingredient& file : contents) {
    file.path.clear();  // may differ from machine to machine
  }
  ranks.require_same(message<"the base model or the images">(), to_json(contents).dump());
  ranks.require_same(message<"the precision plan">(), plan.precision.json());
  ranks.require_same(message<"the images that can be used">(),
                     plan.data ? plan.data->images().dataset().fingerprint() : std::string());
}

void require_same_state(const RunParts& parts, TrainingState& state) {
  if (parts.ranks.alone()) {
    return;
  }
  Sha256 hash;
  for (const NamedBuffer& buffer : state.buffers()) {
    const std::size_t bytes =
        static_cast<std::size_t>(buffer.view.count()) * dtype_size(buffer.view.dtype);
    hash.update(std::span(buffer.view.as<const std::byte>(), bytes));
  }
  parts.ranks.require_same(message<"the weights at step {step}">(state.step), hash.hex());
}

}  // namespace mantissa
