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
#include "engine/graph/scratch_needs.h"
#include "engine/graph/stages.h"
#include "engine/io/image.h"
#include "engine/plan/backend.h"
#include "engine/plan/job_precision.h"
#include "engine/plan/roofline.h"
#include "engine/plan/scaling.h"
#include "engine/programs/step_program.h"
#include "kernels/load.h"

namespace mantissa {
namespace {

constexpr int kCandidates = 16;
constexpr double kSendingLatencyMs = 0.015;  // of each of a micro-step's two ways across a cut
constexpr Efficiency kEfficiency{};

/// The largest step of a run, recorded with any choice of weights in host memory.
class LargestStep {
 public:
  LargestStep(const PlannedRun& run, Kernels& kernels, const std::set<std::string>& streamed)
      : adapters_(AdapterSet::planning(run.job.preset, run.source.family())),
        model_(DiffusionModel::open_planning(run.source, &adapters_, run.precision.rules)),
        arena_(kernels) {
    model_->set_text_options(run.text);
    model_->weights().stream(streamed);
    model_->bind(model_->training_parts(run.job.preset));
    const StepShape shape = *std::ranges::max_element(
        run.shapes.shapes, {}, [](const StepShape& s) { return s.batch * s.height * s.width; });
    program_ = std::make_unique<StepProgram>(kernels, arena_, *model_, shape,
                                             StepOptions::of(run.job.preset));
  }
  LargestStep(const LargestStep&) = delete;
  LargestStep& operator=(const LargestStep&) = delete;

  const Graph& graph() const { return program_->graph(); }
  const Plan& plan() const { return program_->plan(); }
  const AdapterSet& adapters() const { return adapters_; }

  double ms_of_node(int index, const CardSpec& card, bool tf32) const {
    const auto cost = op_cost(graph(), plan(), graph().nodes()[static_cast<std::size_t>(index)]);
    return cost ? op_ms(*cost, card, kEfficiency, tf32) : 0;
  }

 private:
  AdapterSet adapters_;
  std::unique_ptr<DiffusionModel> model_;
  Arena arena_;
  std::unique_ptr<StepProgram> program_;
};

bool uses_tf32(const PlannedRun& run) {
  return run.job.preset.precision.compute == ComputeType::tf32;
}

/// What the libraries' workspaces may take, which no plan knows.
std::uint64_t without_reserve(std::uint64_t bytes) {
  constexpr std::uint64_t kLeast = 8 << 20, kMost = 512 << 20;
  return bytes - std::min(bytes, std::clamp(bytes / 8, kLeast, kMost));
}

/// Parts of a step, measured once each.
class Stages {
 public:
  Stages(const PlannedRun& run, const MemoryPlan& whole, const LargestStep& step)
      : run_(run), whole_(whole), step_(step), split_(step.graph(), step.plan()) {
    find_trained();
    std::set<const Tensor*> frozen;
    for (const ValueInfo& v : step.graph().values()) {
      if (v.kind == ValueKind::tensor && !is_trained(*v.tensor)) {
        frozen.insert(v.tensor);
      }
    }
    for (const Tensor* tensor : frozen) {
      frozen_bytes_ += static_cast<double>(tensor->bytes());
    }
  }

  const GraphStages& split() const { return split_; }

  /// The best cut of each of several ranges of the forward pass with about the same work.
  std::vector<int> candidates() const {
    const int places = split_.places();
    std::vector<int> list;
    for (int i = 0; i < kCandidates; ++i) {
      const int from = std::max(1, places * i / kCandidates);
      const int to = places * (i + 1) / kCandidates;
      int best = from;
      for (int place = from; place < to; ++place) {
        best = split_.bytes_across(place) < split_.bytes_across(best) ? place : best;
      }
      if (from < to) {
        list.push_back(best);
      }
    }
    return list;
  }

  const SplitStage& stage(int from, int to) {
    const auto known = stages_.find({from, to});
    return known != stages_.end()
               ? known->second
               : stages_.emplace(std::pair(from, to), make(from, to)).first->second;
  }

  double trained_share(int from, int to) const {
    const double all = std::accumulate(trained_.begin(), trained_.end(), 0.0);
    return all > 0 ? std::accumulate(trained_.begin() + from, trained_.begin() + to, 0.0) / all : 0;
  }
  double trained() const { return std::accumulate(trained_.begin(), trained_.end(), 0.0); }

 private:
  /// Adapter tensors, whole buffers of them, and trained weights: counted with the adapters.
  bool is_trained(const Tensor& tensor) const {
    return tensor.trainable || tensor.buffer != nullptr || buffers_.contains(&tensor);
  }

  void find_trained() {
    trained_.assign(static_cast<std::size_t>(split_.places()), 0);
    std::map<std::string, int> places;
    for (int place = split_.places() - 1; place >= 0; --place) {
      places[split_.path(place)] = place;
    }
    for (const AdapterTensor& tensor : step_.adapters().tensors()) {
      if (tensor.tensor->buffer != nullptr) {
        buffers_.insert(&tensor.tensor->buffer->whole);
      }
      std::string path = tensor.tensor->name;
      auto at = places.end();
      for (std::size_t dot = path.rfind('.'); at == places.end() && dot != std::string::npos;
           dot = path.rfind('.')) {
        path.resize(dot);
        at = places.find(path);
      }
      trained_[at != places.end() ? static_cast<std::size_t>(at->second) : 0] +=
          static_cast<double>(tensor.tensor->shape.count());
    }
  }

  /// The first place from `at` on, forwards or backwards, that a module has recorded.
  int recorded(int at, int step) const {
    const auto has_module = [this](int place) {
      return split_.path(place).find('.') != std::string::npos;
    };
    while (at >= 0 && at < split_.places() && !has_module(at)) {
      at += step;
    }
    return at;
  }

  /// The outermost module that is on one side of a cut alone, next to it: seen from place `at` away
  /// from the cut, `step` being the direction.
  std::string module_beside(int at, int step) const {
    const int here = recorded(at, step), there = recorded(at - step, -step);
    if (here < 0 || here >= split_.places()) {
      return {};
    }
    const std::string& path = split_.path(here);
    if (there < 0 || there >= split_.places()) {
      return path;
    }
    const std::string other = split_.path(there) + ".";
    std::size_t end = path.find('.');
    while (end < path.size() && other.starts_with(path.substr(0, end) + ".")) {
      end = std::min(path.find('.', end + 1), path.size());
    }
    return path.substr(0, end);
  }

  SplitStage make(int from, int to) const {
    SplitStage stage;
    stage.first = module_beside(from, 1);
    stage.last = module_beside(to - 1, -1);
    const std::unique_ptr<Graph> part = split_.stage(from, to);
    const Plan plan = make_plan(*part);
    double frozen = 0;
    std::set<const Tensor*> counted;
    for (const ValueInfo& v : part->values()) {
      if (v.kind == ValueKind::tensor && !is_trained(*v.tensor) &&
          counted.insert(v.tensor).second) {
        frozen += static_cast<double>(v.tensor->bytes());
      }
    }
    const bool last = to == split_.places();
    const std::size_t samples = whole_.phases.sample_arena;
    const std::uint64_t vae = samples > 0 ? whole_.phases.vae_bytes : 0;
    const PlanReport& report = whole_.report;
    // Packed copies and modules outside the step are shared out as the step's weights are.
    const double share = frozen_bytes_ > 0 ? frozen / frozen_bytes_ : 0;
    stage.weight_bytes =
        static_cast<std::uint64_t>(share * static_cast<double>(report.weight_bytes - vae)) +
        (last ? vae : 0);
    stage.adapter_bytes = static_cast<std::uint64_t>(trained_share(from, to) *
                                                     static_cast<double>(report.adapter_bytes));
    // Its samples go the same way; their images are decoded by the last card.
    stage.arena_bytes =
        std::max(plan.arena_bytes, last ? samples : std::size_t{0}) +
        (report.arena_bytes > whole_.arena_bytes ? planned_scratch(*part, plan).bytes() : 0);
    return stage;
  }

  const PlannedRun& run_;
  const MemoryPlan& whole_;
  const LargestStep& step_;
  GraphStages split_;
  std::set<const Tensor*> buffers_;
  std::vector<double> trained_;  ///< values, by the place of their module
  double frozen_bytes_ = 0;
  std::map<std::pair<int, int>, SplitStage> stages_;
};

/// Cuts so far, and how good they are: traffic first, then the fullest card.
struct Way {
  std::vector<int> ends;
  double bytes = 0, fullest = 0;
  bool operator<(const Way& other) const {
    return std::tie(bytes, fullest) < std::tie(other.bytes, other.fullest);
  }
};

/// The best way to divide the whole forward pass; nothing if some part never fits.
std::optional<Way> best_way(Stages& stages, std::span<const SplitCard> cards) {
  std::vector<int> ends = stages.candidates();
  ends.push_back(stages.split().places());
  std::map<int, Way> ways{{0, {}}};  // by the last end
  for (std::size_t card = 0; card < cards.size(); ++card) {
    const auto limit = static_cast<double>(without_reserve(cards[card].bytes));
    const bool last = card + 1 == cards.size();
    std::map<int, Way> next;
    for (const auto& [from, way] : ways) {
      for (const int to : ends) {
        if (to <= from || last != (to == stages.split().places())) {
          continue;
        }
        const double share = static_cast<double>(stages.stage(from, to).bytes()) / limit;
        if (share > 1) {
          break;  // longer ones need more
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
void add_times(const PlannedRun& run, const LargestStep& step, Stages& stages,
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

}  // namespace

CardSplit split_over_cards(const PlannedRun& run, Kernels& kernels,
                           const std::vector<SplitCard>& cards) {
  const MemoryPlan whole =
      make_memory_plan(kernels, run.source, run.precision, run.text, run.shapes, {});
  CardSplit split;
  split.alone_bytes = whole.report.peak_bytes;
  const LargestStep step(run, kernels, {});
  Stages stages(run, whole, step);
  std::optional<Way> way;
  for (std::size_t used = 1; !way && used <= cards.size(); ++used) {  // no more than it takes
    way = best_way(stages, std::span(cards).first(used));
  }
  if (way) {
    for (std::size_t i = 0; i < way->ends.size(); ++i) {
      split.stages.push_back(stages.stage(i > 0 ? way->ends[i - 1] : 0, way->ends[i]));
      split.stages.back().card = cards[i].name;
    }
    add_times(run, step, stages, way->ends, cards, split);
  }
  add_streaming(run, kernels, cards.front(), split);
  return split;
}

std::vector<SplitCard> cards_to_split_over(const std::string& device, std::uint64_t free_bytes) {
  std::vector<SplitCard> cards;
  for (const CudaDevice& card : cuda_report().devices) {
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

Message split_text(const CardSplit& split) {
  const auto megabytes = [](double bytes) { return std::llround(bytes / 1e6); };
  const Message alone =
      message<"one card would need {need} MB">(megabytes(static_cast<double>(split.alone_bytes)));
  if (split.stages.empty()) {
    return message<
        "{alone}, and no split of the layers over this machine's cards makes every part "
        "fit">(alone);
  }
  std::vector<Message> stages;
  for (const SplitStage& s : split.stages) {
    stages.push_back(message<"{card} {first} to {last}, {size} MB">(
        s.card, s.first, s.last, megabytes(static_cast<double>(s.bytes()))));
  }
  const Message layers = joined<"; ">(std::move(stages));
  const auto sent = megabytes(split.sent_bytes), copied = megabytes(split.copied_bytes);
  const Message parts =
      split.ms > 0 ? message<"{layers}; {sent} MB from card to card and about {ms} ms in a step">(
                         layers, sent, std::llround(split.ms))
                   : message<"{layers}; {sent} MB from card to card in a step">(layers, sent);
  const Message streaming =
      !split.streaming_fits ? message<"weight streaming to one card is not enough">()
      : split.streaming_ms > 0
          ? message<
                "weight streaming to one card copies {copied} MB and takes about {ms} ms in a "
                "step">(copied, std::llround(split.streaming_ms))
          : message<"weight streaming to one card copies {copied} MB in a step">(copied);
  return message<
      "{alone}. Split over cards, the layers would fit: {parts}. Runs are not split yet; "
      "{streaming}">(alone, parts, streaming);
}

CardSplit split_over_cards(const JobSpec& job, const std::vector<const CardSpec*>& models) {
  const CardSpec& oldest =
      **std::ranges::min_element(models, {}, [](const CardSpec* card) { return card->capability; });
  PlannedRun run = open_run(job, {std::string(oldest.name), oldest.capability});
  refuse_conflicts(run.precision);
  const auto kernels = make_backend("cpu");
  PlanObserver silent;
  std::optional<ImageLibrary> library;
  if (!job.images.empty()) {
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
