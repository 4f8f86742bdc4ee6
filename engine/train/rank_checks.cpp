#include "engine/train/rank_checks.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "engine/core/error.h"
#include "engine/graph/device_values.h"
#include "engine/io/file.h"
#include "engine/plan/backend.h"
#include "engine/preset/preset_io.h"
#include "engine/run/job_file.h"

namespace mantissa {

void require_shareable(Ranks& ranks, const JobSpec& job) {
  if (ranks.alone()) {
    return;
  }
  ranks.require_same(message<"the preset">(), to_json(job.preset, WriteMode::full));
  ranks.require_same(message<"the arguments">(), to_text({"", job}));
  if (job.trace) {
    throw Error(message<"--trace is for a run of one process on one card">());
  }
  if (!job.split.empty()) {
    throw Error(message<"--split-cards is for one process, whose cards share the layers: leave it "
                        "or mpirun out">());
  }
  const int count = job.preset.training.gradient_accumulation;
  if (count < ranks.size()) {
    throw Error(
        message<"{processes} share the micro-steps of a step, but training.gradient_accumulation "
                "is {count}. Set it to a multiple of {number}, or use fewer">(ranks.all(), count,
                                                                              ranks.size()));
  }
}

std::string device_of_rank(Ranks& ranks, const JobSpec& job) {
  if (ranks.alone()) {
    return job.device;
  }
  std::string device =
      device_of_process(job.device, {ranks.place_on_host(), ranks.processes_on_host()});
  const std::string id = card_id(device);
  const std::vector<std::string> cards =
      ranks.texts(id.empty() ? std::string() : ranks.host(ranks.rank()) + " " + id);
  for (std::size_t rank = 0; rank < cards.size(); ++rank) {
    const auto first = std::ranges::find(cards, cards[rank]);
    const auto other = static_cast<std::size_t>(first - cards.begin());
    if (!cards[rank].empty() && other < rank) {
      throw Error(
          message<"processes {first} and {second} on {host} would both use one card. Start "
                  "one process for each card">(other, rank, ranks.host(static_cast<int>(rank))));
    }
  }
  return device;
}

void require_same_cards(Ranks& ranks, const Kernels& kernels) {
  if (!ranks.alone() && !kernels.host_memory()) {
    // "cuda:1 (model, …)": processes on one machine have cards of different numbers.
    const std::string name = kernels.name();
    ranks.require_same(message<"the card">(), name.substr(name.find(' ') + 1));
  }
}

void tell_sharing(const Ranks& ranks, const Preset& preset, RunLog& log) {
  if (ranks.alone()) {
    return;
  }
  const int count = preset.training.gradient_accumulation;
  log.line(LogLevel::info,
           message<"{processes} share the {count} micro-steps of each step">(ranks.all(), count));
  if (!ranks.notices_silence()) {
    log.line(LogLevel::warning,
             message<"this MPI has no MPI_THREAD_MULTIPLE: a process that is stopped, or on a "
                     "machine that can't be reached, is noticed by the launcher only">());
  }
  if (count % ranks.size() != 0) {
    log.line(LogLevel::warning,
             message<"training.gradient_accumulation is no multiple of {count}: some of the "
                     "{processes} wait at the end of each step">(ranks.size(), ranks.all()));
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
    if (buffer.device != nullptr && !buffer.device->host_memory()) {
      hash.update(host_bytes(buffer));
      continue;
    }
    const std::size_t bytes =
        static_cast<std::size_t>(buffer.view.count()) * dtype_size(buffer.view.dtype);
    hash.update(std::span(buffer.view.as<const std::byte>(), bytes));
  }
  parts.ranks.require_same(message<"the weights at step {step}">(state.step), hash.hex());
}

}  // namespace mantissa
