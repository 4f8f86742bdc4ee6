#include "engine/graph/split_executor.h"

#include <algorithm>
#include <stdexcept>

#include "engine/core/error.h"

namespace mantissa {

SplitExecutor::SplitExecutor(const Graph& graph, const Plan& plan, Arena& arena)
    : graph_(graph), plan_(plan) {
  make_stages(arena);
  find_parts();
}

void SplitExecutor::make_stages(Arena& arena) {
  if (!plan_.stream.empty()) {
    throw std::logic_error("weights are streamed to a device that has only a part of the layers");
  }
  const Devices& devices = *arena.devices();
  const GraphStages split(graph_, plan_);
  int from = 0, device = 0;
  for (const int end : split.ends_by_device(devices.count())) {
    if (from < end) {
      Stage& stage = *stages_.emplace_back(std::make_unique<Stage>());
      stage.graph = split.stage(from, end, &stage.origins);
      stage.plan = mantissa::make_plan(*stage.graph);
      stage.kernels = &devices.kernels(device);
      stage.executor = std::make_unique<StageExecutor>(*stage.graph, stage.plan, *stage.kernels,
                                                       arena.part(device));
      for (StageExecutor::Call& call : stage.executor->calls_) {
        // Watches know the nodes of the whole graph.
        const auto at = static_cast<std::size_t>(call.node - stage.graph->nodes().data());
        call.whole = &graph_.nodes()[static_cast<std::size_t>(stage.origins[at])];
        require_tensors(*stage.graph, *call.node, device);
      }
    }
    from = end;
    ++device;
  }
}

/// A device can't read another's memory.
void SplitExecutor::require_tensors(const Graph& graph, const Node& node, int device) {
  const auto require = [&](const Tensor* tensor) {
    if (tensor != nullptr && tensor->device != device) {
      throw std::logic_error(tensor->name + ": used on a device that doesn't have it");
    }
  };
  require(node.op->adds_to());
  for (const int id : node.inputs) {
    if (id >= 0) {
      require(graph.values()[static_cast<std::size_t>(id)].tensor);
    }
  }
}

std::vector<SplitExecutor::Crossing> SplitExecutor::find_crossings() const {
  std::vector<Crossing> crossings;
  for (std::size_t to = 0; to < stages_.size(); ++to) {
    for (const auto& [name, input] : stages_[to]->graph->inputs()) {
      for (std::size_t from = 0; from < stages_.size(); ++from) {
        const auto made = stages_[from]->graph->outputs().find(name);
        if (from == to || made == stages_[from]->graph->outputs().end()) {
          continue;
        }
        crossings.push_back({name, from, to, stages_[from]->executor->maker_of(made->second),
                             stages_[to]->executor->first_reader_of(input), false});
      }
    }
  }
  return crossings;
}

void SplitExecutor::find_parts() {
  std::vector<Crossing> crossings = find_crossings();
  std::vector<std::size_t> at(stages_.size(), 0);  // the next call
  const auto end_of = [&](std::size_t stage) { return stages_[stage]->executor->calls_.size(); };
  bool moved = true;
  while (moved) {
    moved = false;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      std::size_t stop = end_of(s);
      for (const Crossing& c : crossings) {
        stop = c.to == s && !c.sent ? std::min(stop, c.read_at) : stop;
      }
      if (stop <= at[s]) {
        continue;
      }
      Part& part = parts_.emplace_back();
      part.stage = s;
      part.calls = {at[s], stop};
      for (Crossing& c : crossings) {
        if (c.from == s && !c.sent && c.made_at < stop) {
          c.sent = true;
          part.sends.push_back(c);
        }
      }
      at[s] = stop;
      moved = true;
    }
  }
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    if (at[s] != end_of(s)) {
      throw std::logic_error("two devices wait for each other's values");
    }
  }
}

void SplitExecutor::send(const Crossing& crossing) {
  const Stage& from = *stages_[crossing.from];
  const Stage& to = *stages_[crossing.to];
  link_.send(*from.kernels, from.executor->output(crossing.name), *to.kernels,
             to.executor->input(crossing.name));
}

void SplitExecutor::begin_run(const RunContext& context) const {
  for (const auto& stage : stages_) {
    stage->kernels->begin_run(context.seed, context.step);
  }
}

void SplitExecutor::warm_up(const RunContext& context) {
  for (const auto& stage : stages_) {
    stage->executor->feed_zeros();
  }
  begin_run(context);
  for (const Part& part : parts_) {
    stages_[part.stage]->executor->run_calls(part.calls, context);
    for (const Crossing& crossing : part.sends) {
      send(crossing);
    }
  }
}

void SplitExecutor::record_ahead(const RunContext& context) {
  begin_run(context);
  for (Part& part : parts_) {
    stages_[part.stage]->executor->record(part.calls, part.repeat, context, {});
  }
}

bool SplitExecutor::run(const RunContext& context, const Tail& tail) {
  begin_run(context);
  bool replayed = true;
  for (Part& part : parts_) {
    StageExecutor& executor = *stages_[part.stage]->executor;
    if (!executor.run_part(part.calls, part.repeat, context, {})) {
      return false;
    }
    replayed = replayed && executor.replayed();
    for (const Crossing& crossing : part.sends) {
      send(crossing);
    }
  }
  if (tail) {
    tail();
  }
  return replayed;
}

int SplitExecutor::recordings() const {
  int sum = 0;
  for (const auto& stage : stages_) {
    sum += stage->executor->recordings();
  }
  return sum;
}

const Message& SplitExecutor::why_not_recorded() const {
  const auto refused = std::ranges::find_if(stages_, [](const std::unique_ptr<Stage>& stage) {
    return !stage->executor->why_not_recorded().empty();
  });
  return refused != stages_.end() ? (*refused)->executor->why_not_recorded() : refusal_;
}

void SplitExecutor::require_input(const std::string& name) const {
  if (!graph_.inputs().contains(name)) {
    throw Error(Message::verbatim("the graph has no input '" + name + "'"));
  }
}

View SplitExecutor::input(const std::string& name) const {
  require_input(name);
  for (const auto& stage : stages_) {
    if (stage->executor->has_input(name)) {
      return stage->executor->input(name);
    }
  }
  return {};  // nothing reads it
}

const StageExecutor& SplitExecutor::with_output(const std::string& name) const {
  for (const auto& stage : stages_) {
    if (stage->graph->outputs().contains(name)) {
      return *stage->executor;
    }
  }
  throw Error(Message::verbatim("the graph has no output '" + name + "'"));
}

}  // namespace mantissa
