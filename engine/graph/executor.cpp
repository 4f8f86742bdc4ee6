#include "engine/graph/executor.h"

#include "engine/graph/split_executor.h"

namespace mantissa {

Executor::Executor(const Graph& graph, const Plan& plan, Kernels& kernels, Arena& arena)
    : graph_(graph) {
  if (arena.devices() != nullptr) {
    split_ = std::make_unique<SplitExecutor>(graph, plan, arena);
  } else {
    one_ = std::make_unique<StageExecutor>(graph, plan, kernels, arena);
  }
}

Executor::~Executor() = default;

void Executor::feed(const std::string& name, std::span<const float> values) const {
  if (one_) {
    one_->feed(name, values);
  } else {
    split_->each_with(name, [&](const StageExecutor& stage) { stage.feed(name, values); });
  }
}

void Executor::feed(const std::string& name, std::span<const std::int32_t> values) const {
  if (one_) {
    one_->feed(name, values);
  } else {
    split_->each_with(name, [&](const StageExecutor& stage) { stage.feed(name, values); });
  }
}

std::vector<float> Executor::read(const std::string& name) const {
  return (one_ ? *one_ : split_->with_output(name)).read(name);
}

View Executor::input(const std::string& name) const {
  return one_ ? one_->input(name) : split_->input(name);
}

View Executor::output(const std::string& name) const {
  return (one_ ? *one_ : split_->with_output(name)).output(name);
}

bool Executor::has_input(const std::string& name) const {
  return graph_.inputs().contains(name);
}

void Executor::run(const RunContext& context, const Tail& tail) {
  replayed_ = false;  // if the run fails
  if (one_) {
    one_->run(context, tail);
    replayed_ = one_->replayed();
  } else {
    replayed_ = split_->run(context, tail);
  }
}

void Executor::warm_up(const RunContext& context) {
  one_ ? one_->warm_up(context) : split_->warm_up(context);
}

void Executor::record_ahead(const RunContext& context, const Tail& tail) {
  one_ ? one_->record_ahead(context, tail) : split_->record_ahead(context);
}

const Message& Executor::why_not_recorded() const {
  return one_ ? one_->why_not_recorded() : split_->why_not_recorded();
}

int Executor::recordings() const {
  return one_ ? one_->recordings() : split_->recordings();
}

void Executor::set_timer(OpTimer timer) {
  if (one_) {
    one_->set_timer(std::move(timer));
  } else {
    split_->each([&](StageExecutor& stage) { stage.set_timer(timer); });
  }
}

void Executor::set_watch(OpWatch watch) {
  if (one_) {
    one_->set_watch(std::move(watch));
  } else {
    split_->each([&](StageExecutor& stage) { stage.set_watch(watch); });
  }
}

}  // namespace mantissa
