#include "engine/plan/card_split.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <tuple>

#include "engine/core/error.h"
#include "engine/io/image.h"
#include "engine/plan/backend.h"
#include "engine/plan/job_precision.h"
#include "engine/plan/roofline.h"
#include "engine/plan/scaling.h"
#include "engine/plan/split_stages.h"
#include "kernels/load.h"

namespace mantissa {
namespace {

constexpr double kSendingLatencyMs = 0.015;  // of each of a micro-step's two ways across a cut
constexpr Efficiency kEfficiency{};

bool uses_tf32(const PlannedRun& run) {
  return run.job.preset.precision.compute == ComputeType::tf32;
}

/// What the libraries' workspaces may take, which no plan knows.
std::uint64_t without_reserve(std::uint64_t bytes) {
  constexpr std::uint64_t kLeast = 8 << 20, kMost = 512 << 20;
  return bytes - std::min(bytes, std::clamp(bytes / 8, kLeast, kMost));
}

/// Cuts so far, and how good they are: traffic first, then the fullest card.
struct Way {
  std::vector<int> ends;
  double bytes = 0, fullest = 0;
  bool operator<(const Way& other) const {
    return std::tie(bytes, fullest) < std::tie(other.bytes, other.fullest);
  }
};

/// The best way to divide the whole forward pass; nothing if some part never fits.
std::optional<Way> best_way(SplitStages& stages, std::span<const SplitCard> cards) {
  std::vector<int> ends = stages.candidates();
  ends.push_back(stages.split().places());
  std::map<int, Way> ways{{0, {}}};  // by the last end
  for (std::size_t card = 0; card < cards.size(); ++card) {
    const std::uint64_t bytes = cards[card].bytes;
    const double limit = bytes > 0 ? static_cast<double>(without_reserve(bytes))
                                   : std::numeric_limits<double>::infinity();
    const bool last = card + 1 == cards.size();
    std::map<int, Way> next;
    for (const auto& [from, way] : ways) {
      for (const int to : ends) {
        if (to <= from || last != (to == stages.split().places())) {
          continue;
        }
        const SplitStage& stage = stages.stage(from, to);
        const double share = static_cast<double>(stage.bytes()) / limit;
        if (share > 1) {
          break;  // longer ones need more
        }
        if (stage.weight_bytes + stage.adapter_bytes == 0) {
          continue;  // no layer
        }
        Way longer = way;
        longer.ends.push_back(to);
        longer.bytes += last ? 0 : stages.split().bytes_across(to);
        longer.fullest = std::max(way.fullest, share);
        const auto known = next.find(to);
        if (known == next.end() || longer < known->second) {
          next[to] = std::move(longer);
        }
      }
    }
    ways = std::move(next);
  }
  return ways.empty() ? std::nullopt : std::optional(ways.begin()->second);
}

double batch_bytes(const StreamBatch& batch) {
  double bytes = 0;
  for (const StreamedWeight& w : batch.weights) {
    bytes += static_cast<double>(w.tensor->bytes());
  }
  return bytes;
}

/// A step's compute and copies as they overlap: a batch is copied while the one before it is in
/// use, into the slot of the one before that.
double streamed_ms(const LargestStep& step, const CardSpec& card, bool tf32) {
  const Plan& plan = step.plan();
  const double rate = card.host_gb_per_s * 1e9 * kLinkEfficiency;
  double now = 0, copied = 0;
  std::size_t next = 0;
  double slots[2] = {0, 0};  // when each is no longer in use
  for (std::size_t i = 0; i < plan.order.size(); ++i) {
    if (next < plan.stream.size() && plan.stream[next].step == static_cast<int>(i)) {
      copied = std::max(copied, slots[next % 2]) + 1e3 * batch_bytes(plan.stream[next]) / rate;
      slots[(next + 1) % 2] = now;  // the batch before ends here
      now = std::max(now, copied);
      ++next;
    }
    now += step.ms_of_node(plan.order[i], card, tf32);
  }
  return now;
}

void add_streaming(const PlannedRun& run, Kernels& kernels, const SplitCard& card,
                   CardSplit& split) {
  const MemoryPlan plan = make_memory_plan(kernels, run.source, run.precision, run.text, run.shapes,
                                           {card.bytes, 0, true});
  split.streamed_bytes = plan.report.streamed_bytes;
  split.streaming_peak_bytes = plan.report.peak_bytes;
  split.streaming_fits = plan.report.fits();
  const LargestStep step(run, kernels, plan.streamed);
  const int times = run.job.preset.training.gradient_accumulation;
  double bytes = 0;
  for (const StreamBatch& batch : step.plan().stream) {
    bytes += batch_bytes(batch);
  }
  split.copied_bytes = times * bytes;
  if (card.model == nullptr) {
    return;
  }
  const double ms = streamed_ms(step, *card.model, uses_tf32(run));
  double trained = 0;
  for (const AdapterTensor& tensor : step.adapters().tensors()) {
    trained += static_cast<double>(tensor.tensor->shape.count());
  }
  split.streaming_ms = times * ms + update_ms(trained, *card.model, kEfficiency);
}

/// Fills in the times of the stages and of what is sent.
void add_times(const PlannedRun& run, const LargestStep& step, SplitStages& stages,
               const std::vector<int>& ends, const std::vector<SplitCard>& cards,
               CardSplit& split) {
  const int times = run.job.preset.training.gradient_accumulation;
  const bool known = std::ranges::none_of(cards, [](const SplitCard& c) { return !c.model; });
  for (std::size_t cut = 0; cut + 1 < ends.size(); ++cut) {
    const double bytes = times * stages.split().bytes_across(ends[cut]);
    split.sent_bytes += bytes;
    if (known) {
      const double rate =
          std::min(cards[cut].model->card_gb_per_s, cards[cut + 1].model->card_gb_per_s);
      split.sending_ms +=
          1e3 * bytes / (rate * 1e9 * kLinkEfficiency) + 2 * times * kSendingLatencyMs;
    }
  }
  if (!known) {
    return;
  }
  double update = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const int from = i > 0 ? ends[i - 1] : 0;
    for (const int node : step.plan().order) {
      const int place = stages.split().place_of_node(node);
      if (place >= from && place < ends[i]) {
        split.stages[i].ms += times * step.ms_of_node(node, *cards[i].model, uses_tf32(run));
      }
    }
    split.ms += split.stages[i].ms;
    update = std::max(update, update_ms(stages.trained() * stages.trained_share(from, ends[i]),
                                        *cards[i].model, kEfficiency));
  }
  split.ms += split.sending_ms + update;
}

Message shortage_of(SplitStages& stages, const std::vector<SplitCard>& cards) {
  std::vector<int> ends = stages.candidates();
  ends.push_back(stages.split().places());
  const auto megabytes = [](std::uint64_t bytes) {
    return std::llround(static_cast<double>(bytes) / 1e6);
  };
  int from = 0;
  for (const SplitCard& card : cards) {
    const bool last = &card == &cards.back();
    int to = last ? ends.back() : 0;
    for (const int end : ends) {
      const bool fits = end > from && (card.bytes == 0 || stages.stage(from, end).bytes() <=
                                                              without_reserve(card.bytes));
      to = !last && end < ends.back() && fits ? end : to;
    }
    const int least = to > from ? to : *std::ranges::upper_bound(ends, from);
    const SplitStage& stage = stages.stage(from, least);
    if (to <= from || last) {
      return message<"{card} would have {first} to {last}, which need {need} MB of its {free} MB">(
          card.name, stage.first, stage.last, megabytes(stage.bytes()),
          megabytes(without_reserve(card.bytes)));
    }
    from = to;
  }
  return {};
}

/// On at least `least` of the cards, and no more than it takes.
CardSplit make_split(const PlannedRun& run, Kernels& kernels, const std::vector<SplitCard>& cards,
                     std::size_t least) {
  const MemoryPlan whole =
      make_memory_plan(kernels, run.source, run.precision, run.text, run.shapes, {});
  CardSplit split;
  split.alone_bytes = whole.report.peak_bytes;
  const LargestStep step(run, kernels, {});
  SplitStages stages(run, whole, step);
  std::optional<Way> way;
  for (std::size_t used = least; !way && used <= cards.size(); ++used) {
    way = best_way(stages, std::span(cards).first(used));
  }
  if (!way) {
    split.shortage = shortage_of(stages, cards);
    return split;
  }
  for (std::size_t i = 0; i < way->ends.size(); ++i) {
    split.stages.push_back(stages.stage(i > 0 ? way->ends[i - 1] : 0, way->ends[i]));
    split.stages.back().card = cards[i].name;
  }
  split.places = stages.places(way->ends);
  add_times(run, step, stages, way->ends, cards, split);
  return split;
}

}  // namespace

CardSplit split_over_cards(const PlannedRun& run, Kernels& kernels,
                           const std::vector<SplitCard>& cards) {
  CardSplit split = make_split(run, kernels, cards, 1);
  add_streaming(run, kernels, cards.front(), split);
  return split;
}

CardSplit split_over_all(const PlannedRun& run, Kernels& kernels,
                         const std::vector<SplitCard>& cards) {
  return make_split(run, kernels, cards, cards.size());
}

CardSplit split_over_cards(const JobSpec& job, const std::vector<const CardSpec*>& models) {
  const CardSpec& oldest =
      **std::ranges::min_element(models, {}, [](const CardSpec* card) { return card->capability; });
  PlannedRun run = open_run(job, {std::string(oldest.name), oldest.capability});
  refuse_conflicts(run.precision);
  const auto kernels = make_backend("cpu");
  PlanObserver silent;
  std::optional<ImageLibrary> library;
  if (!job.images.empty() || trains_own_images(job.preset)) {
    library.emplace();
    scan_images(run, silent);
  }
  plan_memory(run, *kernels, {}, EncodedDataset::Look::headers);
  std::vector<SplitCard> cards;
  for (const CardSpec* model : models) {
    cards.push_back(
        {std::string(model->name), static_cast<std::uint64_t>(1e9 * model->memory_gb), model});
  }
  return split_over_cards(run, *kernels, cards);
}

}  // namespace mantissa
