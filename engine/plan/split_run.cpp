#include "engine/plan/split_run.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/error.h"
#include "engine/optim/make_optimizer.h"
#include "engine/optim/optimizer.h"
#include "engine/plan/backend.h"
#include "engine/preset/names.h"
#include "engine/toolkit/installed.h"
#include "kernels/load.h"

namespace mantissa {
namespace {

long long megabytes(double bytes) {
  return std::llround(bytes / 1e6);
}

/// Before the steps, the encoders are on the first card, from host memory as needed.
void fit_encoders(PlannedRun& run, Kernels& kernels, const SplitCard& card) {
  const auto too_large = [&] { return card.bytes > 0 && run.phases.encode_bytes > card.bytes; };
  const std::vector<WeightSize> weights = run.phases.weights;
  for (std::size_t next = 0; too_large() && !kernels.host_memory() && next < weights.size();) {
    const std::uint64_t missing = run.phases.encode_bytes - card.bytes + 2 * weights[0].bytes;
    for (std::uint64_t freed = 0; freed < missing && next < weights.size(); ++next) {
      run.streamed.insert(weights[next].path);
      freed += weights[next].bytes;
    }
    run.phases =
        phase_needs(kernels, run.source, run.precision, run.text, run.shapes.work, run.streamed);
  }
  if (too_large()) {
    throw Error(ErrorKind::out_of_memory,
                message<"encoding the images and captions needs {need} MB of {card}, which has "
                        "{free} MB. Name a card with more memory first in --split-cards, or fill "
                        "the cache with a run on it">(
                    megabytes(static_cast<double>(run.phases.encode_bytes)), card.name,
                    megabytes(static_cast<double>(card.bytes))));
  }
}

}  // namespace

std::vector<SplitCard> cards_to_split_over(const std::string& device, std::uint64_t free_bytes) {
  std::vector<SplitCard> cards;
  for (const CudaDevice& card : cuda_report(cuda_library_folder()).devices) {
    const std::string name = "cuda:" + std::to_string(card.ordinal);
    if (card.problem.empty()) {
      cards.push_back(
          {name, name == device ? free_bytes : card.memory, card_by_device_name(card.name)});
    }
  }
  const auto own = std::ranges::find(cards, device, &SplitCard::name);
  if (own == cards.end()) {
    return {};
  }
  std::rotate(cards.begin(), own, own + 1);
  return cards;
}

Message stages_text(const CardSplit& split) {
  std::vector<Message> stages;
  for (const SplitStage& s : split.stages) {
    stages.push_back(message<"{card} {first} to {last}, {size} MB">(
        s.card, s.first, s.last, megabytes(static_cast<double>(s.bytes()))));
  }
  const Message layers = joined<"; ">(std::move(stages));
  const auto sent = megabytes(split.sent_bytes);
  return split.ms > 0
             ? message<"{layers}; {sent} MB from card to card and about {ms} ms in a step">(
                   layers, sent, std::llround(split.ms))
             : message<"{layers}; {sent} MB from card to card in a step">(layers, sent);
}

Message split_text(const CardSplit& split) {
  const Message alone =
      message<"one card would need {need} MB">(megabytes(static_cast<double>(split.alone_bytes)));
  if (split.stages.empty()) {
    return message<
        "{alone}, and no split of the layers over this machine's cards makes every part "
        "fit">(alone);
  }
  const auto copied = megabytes(split.copied_bytes);
  const Message streaming =
      !split.streaming_fits ? message<"weight streaming to one card is not enough">()
      : split.streaming_ms > 0
          ? message<
                "weight streaming to one card copies {copied} MB and takes about {ms} ms in a "
                "step">(copied, std::llround(split.streaming_ms))
          : message<"weight streaming to one card copies {copied} MB in a step">(copied);
  std::vector<std::string> cards;
  for (const SplitStage& stage : split.stages) {
    cards.push_back(stage.card);
  }
  return message<
      "{alone}. Split over cards, the layers would fit: {parts}. Train so with --split-cards "
      "{cards}; {streaming}">(alone, stages_text(split), device_of(cards), streaming);
}

void split_over(JobSpec& job, std::string cards) {
  for (std::size_t at = cards.find(",cuda:"); at != std::string::npos; at = cards.find(",cuda:")) {
    cards.erase(at + 1, std::string_view("cuda:").size());
  }
  job.split.clear();
  for (const std::string& name : devices_of(cards)) {
    job.split.push_back({.name = name});
  }
  job.device = job.split.front().name;
}

void require_splittable(const JobSpec& job) {
  if (job.split.empty()) {
    return;
  }
  const Preset& p = job.preset;
  std::set<std::string> cards;
  for (const SplitDevice& device : job.split) {
    if (device.name != "cpu" && !cards.insert(device.name).second) {
      throw Error(message<"--split-cards names card {card} twice">(device.name));
    }
  }
  if (job.split.size() < 2) {
    throw Error(message<"--split-cards names one card; name those that share the layers, as "
                        "cuda:0,1, or choose one with --device">());
  }
  if (p.optimizer.fused_back_pass) {
    throw Error(message<"a run whose layers are split over cards decides about each step from all "
                        "gradients. Set optimizer.fused_back_pass to false">());
  }
  for (const Part part : p.training.parts) {
    const OptimizerType type = optimizer_settings(p, part).type;
    if (optimizer_row(type).finds_rate()) {
      throw Error(message<"{optimizer} finds one rate from all weights, which a run whose layers "
                          "are split over cards has on several. Set optimizer.type to adamw">(
          enum_name(type)));
    }
  }
  if (p.precision.compute == ComputeType::fp8) {
    throw Error(message<"precision.compute fp8 keeps the history of its scales on one card, and "
                        "the layers are split over several. Set precision.compute to bf16">());
  }
  if (trains_vae(p)) {
    throw Error(message<"training.parts is [\"vae\"], and the layers of a VAE are not split over "
                        "cards. Leave --split-cards out">());
  }
  if (job.trace) {
    throw Error(message<"--trace writes the steps of one card. Leave it or --split-cards out">());
  }
}

void plan_split(PlannedRun& run, std::span<Kernels* const> devices) {
  std::vector<SplitCard> cards;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const SplitDevice& device = run.job.split[i];
    const RunMemory memory{free_memory(*devices[i]),
                           device.budget > 0 ? device.budget : run.job.memory_budget, false};
    cards.push_back(
        {device.name, memory.bytes(), card_by_device_name(device_facts(device.name).name)});
    all += memory.bytes();
  }
  run.memory = {cards.front().bytes, 0, false};
  const CardSplit split = split_over_all(run, *devices.front(), cards);
  if (split.stages.empty()) {
    throw Error(
        ErrorKind::out_of_memory,
        message<"the layers don't fit the cards of --split-cards: {shortage}. Turn on "
                "training.gradient_checkpointing, lower data.batch_size or data.resolution, store "
                "the weights in fewer bits (precision.weights), or add a card">(split.shortage));
  }
  fit_encoders(run, *devices.front(), cards.front());
  run.places = split.places;
  run.split = message<"the layers are split over {count} cards: {parts}">(split.stages.size(),
                                                                          stages_text(split));
  run.report.peak_bytes = run.report.arena_bytes = 0;
  run.report.weight_bytes = run.report.adapter_bytes = 0;
  for (const SplitStage& stage : split.stages) {
    run.report.arena_bytes += stage.arena_bytes;
    run.report.weight_bytes += stage.weight_bytes;
    run.report.adapter_bytes += stage.adapter_bytes;
    run.report.peak_bytes += stage.bytes();
  }
  run.report.free_bytes = all;
  run.report.step_seconds = 1e-3 * split.ms;
}

}  // namespace mantissa
