#include "engine/plan/split_stages.h"

#include <algorithm>
#include <numeric>

#include "engine/adapters/trained_set.h"
#include "engine/graph/scratch_needs.h"
#include "engine/plan/scaling.h"
#include "engine/precision/dtypes.h"

namespace mantissa {
namespace {

constexpr int kCandidates = 16;

/// Calls `use` with a tensor, or with each that it is made of.
template <typename Use>
void each_tensor(const Tensor& tensor, const Use& use) {
  if (tensor.parts.empty()) {
    use(tensor);
  }
  for (const Tensor* part : tensor.parts) {
    each_tensor(*part, use);
  }
}

}  // namespace

LargestStep::LargestStep(const PlannedRun& run, Kernels& kernels,
                         const std::set<std::string>& streamed)
    : adapters_(TrainedSet::planning(run.job.preset, run.source.family())),
      model_(DiffusionModel::open_planning(run.source, &adapters_, run.precision.rules)),
      attention_engine_(kernels.has_attention_engine()),
      arena_(kernels) {
  adapters_.accompany(run.training_adapters);
  model_->set_text_options(run.text);
  model_->weights().stream(streamed);
  model_->bind(model_->training_parts(run.job.preset));
  const StepShape shape = *std::ranges::max_element(run.shapes.shapes, {}, &StepShape::positions);
  program_ = std::make_unique<StepProgram>(kernels, arena_, *model_, shape,
                                           StepOptions::of(run.job.preset));
}

double LargestStep::ms_of_node(int index, const CardSpec& card, bool tf32) const {
  double ms = 0;
  for (const OpCost& cost :
       op_costs(graph(), plan(), graph().nodes()[static_cast<std::size_t>(index)])) {
    ms += op_time(cost, card, Efficiency{}, tf32).all();
  }
  return ms;
}

SplitStages::SplitStages(const PlannedRun& run, const MemoryPlan& whole, const LargestStep& step)
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

std::vector<int> SplitStages::candidates() const {
  const int places = split_.places();
  std::vector<int> list;
  for (int i = 0; i < kCandidates; ++i) {
    int best = -1;
    for (int place = std::max(1, places * i / kCandidates); place < places * (i + 1) / kCandidates;
         ++place) {
      const bool better = best < 0 || split_.bytes_across(place) < split_.bytes_across(best);
      best = split_.may_cut(place) && better ? place : best;
    }
    if (best > 0) {
      list.push_back(best);
    }
  }
  return list;
}

const SplitStage& SplitStages::stage(int from, int to) {
  const auto known = stages_.find({from, to});
  return known != stages_.end()
             ? known->second
             : stages_.emplace(std::pair(from, to), make(from, to)).first->second;
}

double SplitStages::trained() const {
  return std::accumulate(trained_.begin(), trained_.end(), 0.0);
}

double SplitStages::trained_share(int from, int to) const {
  const double all = trained();
  return all > 0 ? std::accumulate(trained_.begin() + from, trained_.begin() + to, 0.0) / all : 0;
}

DevicePlaces SplitStages::places(const std::vector<int>& ends) const {
  DevicePlaces places;
  if (!trains_vae(run_.job.preset)) {
    places["vae"] = static_cast<int>(ends.size()) - 1;
  }
  // Adapters go with their modules.
  std::map<const Tensor*, std::string> names;
  step_.weights().each(
      [&](Part, std::string_view, const Tensor& tensor, bool) { names[&tensor] = tensor.name; });
  for (const TrainedWeight& weight : step_.adapters().weights()) {
    names[&weight.master] = weight.path;
  }
  for (const int index : step_.plan().order) {
    const int place = split_.place_of_node(index);
    const int device = static_cast<int>(std::ranges::upper_bound(ends, place) - ends.begin());
    for (const int id : step_.graph().nodes()[static_cast<std::size_t>(index)].inputs) {
      const Tensor* tensor =
          id < 0 ? nullptr : step_.graph().values()[static_cast<std::size_t>(id)].tensor;
      if (tensor == nullptr) {
        continue;
      }
      each_tensor(*tensor, [&](const Tensor& one) {
        if (const auto name = names.find(&one); name != names.end()) {
          places.emplace(name->second, device);
          places.emplace(name->second.substr(0, name->second.rfind('.')), device);
        }
      });
    }
  }
  return places;
}

/// Adapter tensors, whole buffers of them, and trained weights: counted with the adapters.
bool SplitStages::is_trained(const Tensor& tensor) const {
  return tensor.trainable || tensor.buffer != nullptr || buffers_.contains(&tensor);
}

void SplitStages::find_trained() {
  trained_.assign(static_cast<std::size_t>(split_.places()), 0);
  std::map<std::string, int> places;
  for (int place = split_.places() - 1; place >= 0; --place) {
    places[split_.path(place)] = place;
  }
  for (const AdapterTensor& tensor : step_.adapters().tensors()) {
    if (tensor.tensor->buffer != nullptr) {
      buffers_.insert(&tensor.tensor->buffer->whole);
    }
    std::string path = tensor.tensor->module_path() + '.';
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
int SplitStages::recorded(int at, int step) const {
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
std::string SplitStages::module_beside(int at, int step) const {
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

SplitStage SplitStages::make(int from, int to) const {
  SplitStage stage;
  stage.first = module_beside(from, 1);
  stage.last = module_beside(to - 1, -1);
  add_memory(from, to, stage);
  return stage;
}

void SplitStages::add_memory(int from, int to, SplitStage& stage) const {
  const std::unique_ptr<Graph> part = split_.stage(from, to);
  const Plan plan = make_plan(*part);
  double frozen = 0;
  std::set<const Tensor*> counted;
  for (const ValueInfo& v : part->values()) {
    if (v.kind == ValueKind::tensor && !is_trained(*v.tensor) && counted.insert(v.tensor).second) {
      frozen += static_cast<double>(v.tensor->bytes());
    }
  }
  const bool last = to == split_.places();
  const std::size_t samples = whole_.phases.sample_arena;
  const std::uint64_t vae = samples > 0 ? whole_.phases.vae_bytes : 0;
  const PlanReport& report = whole_.report;
  // Packed copies are shared out as the step's weights are; encoders of captions that are read
  // during training are on the first card.
  const double share = frozen_bytes_ > 0 ? frozen / frozen_bytes_ : 0;
  const auto in_step = static_cast<double>(step_.weights().bytes());
  const double packed =
      std::max(0.0, std::min(static_cast<double>(report.weight_bytes - vae) - in_step,
                             static_cast<double>(step_.weights().packed_bytes())));
  const double beside =
      std::max(0.0, static_cast<double>(report.weight_bytes - vae) - in_step - packed);
  stage.weight_bytes =
      static_cast<std::uint64_t>(share * (in_step + packed) + (from == 0 ? beside : 0)) +
      (last ? vae : 0);
  stage.adapter_bytes = static_cast<std::uint64_t>(trained_share(from, to) *
                                                   static_cast<double>(report.adapter_bytes));
  // Its samples go the same way; their images are decoded by the last card, which also decides
  // about all gradients.
  const double gathered =
      last && from > 0
          ? trained() *
                static_cast<double>(dtype_size(dtype_of(run_.job.preset.precision.gradients)))
          : 0;
  stage.arena_bytes = std::max(plan.arena_bytes, last ? samples : std::size_t{0}) +
                      static_cast<std::uint64_t>(gathered) +
                      (report.arena_bytes > whole_.arena_bytes
                           ? planned_scratch(*part, plan, step_.attention_engine()).bytes()
                           : 0);
}

}  // namespace mantissa
