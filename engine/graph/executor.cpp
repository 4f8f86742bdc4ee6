#include "engine/graph/executor.h"

#include <chrono>
#include <stdexcept>

#include "engine/core/error.h"
#include "engine/graph/device_values.h"

namespace mantissa {

Arena::~Arena() {
  if (data_ != nullptr) {
    kernels_.release(data_);
  }
}

void Arena::reserve(std::size_t bytes) {
  if (bytes <= bytes_) {
    return;
  }
  if (data_ != nullptr) {
    kernels_.release(data_);
    data_ = nullptr;
    bytes_ = 0;
  }
  data_ = static_cast<std::byte*>(kernels_.allocate(bytes));
  bytes_ = bytes;
}

Executor::Executor(const Graph& graph, const Plan& plan, Kernels& kernels, Arena& arena)
    : graph_(graph), plan_(plan), kernels_(kernels) {
  arena.reserve(plan.arena_bytes);
  base_ = arena.data();
  for (int index : plan.order) {
    const Node& node = graph.nodes()[static_cast<std::size_t>(index)];
    if (node.op->is_alias()) {
      continue;
    }
    static const std::string kNoPath;
    Call call{node.op.get(), &node, {}, {}, &kNoPath};
    for (int id : node.inputs) {
      call.in.push_back(id < 0 ? View{} : view_of(id));
    }
    for (int id : node.outputs) {
      call.out.push_back(view_of(id));
    }
    if (!node.outputs.empty()) {
      call.path = &graph.values()[static_cast<std::size_t>(node.outputs[0])].path;
    }
    calls_.push_back(std::move(call));
  }
}

View Executor::view_of(int id) const {
  const ValueInfo& info = graph_.values()[static_cast<std::size_t>(id)];
  if (info.kind == ValueKind::tensor) {
    return info.tensor->view();
  }
  const std::int64_t offset = plan_.offset[static_cast<std::size_t>(id)];
  if (offset >= 0) {
    return {base_ + offset, info.dtype, info.shape};
  }
  // A reshaped persistent tensor has no place in the arena: it is its source's memory.
  const Node& node = graph_.nodes()[static_cast<std::size_t>(info.producer)];
  View view = view_of(node.inputs[0]);
  const std::uint64_t constant_id = view.constant_id;
  view = View(view.data, info.dtype, info.shape);
  view.constant_id = constant_id;
  return view;
}

View Executor::input(const std::string& name) const {
  const auto it = graph_.inputs().find(name);
  if (it == graph_.inputs().end()) {
    throw Error("the graph has no input '" + name + "'");
  }
  return view_of(it->second);
}

void Executor::feed_bytes(const std::string& name, const void* values, DType dtype,
                          std::size_t count) const {
  const View view = input(name);
  if (view.dtype != dtype || view.count() != static_cast<std::int64_t>(count)) {
    throw Error("the graph's input " + name + " takes " + view.shape.str() + " " +
                std::string(dtype_name(view.dtype)) + "; it was given " + std::to_string(count) +
                " values of " + std::string(dtype_name(dtype)));
  }
  kernels_.upload(values, view);
}

void Executor::feed(const std::string& name, std::span<const float> values) const {
  feed_bytes(name, values.data(), DType::f32, values.size());
}

void Executor::feed(const std::string& name, std::span<const std::int32_t> values) const {
  feed_bytes(name, values.data(), DType::i32, values.size());
}

std::vector<float> Executor::read(const std::string& name) const {
  return host_values(kernels_, output(name));
}

bool Executor::has_input(const std::string& name) const {
  return graph_.inputs().contains(name);
}

View Executor::output(const std::string& name) const {
  const auto it = graph_.outputs().find(name);
  if (it == graph_.outputs().end()) {
    throw Error("the graph has no output '" + name + "'");
  }
  return view_of(it->second);
}

void Executor::run_calls(const RunContext& context) const {
  for (const Call& call : calls_) {
    call.op->run(kernels_, call.in, call.out, context);
  }
}

bool Executor::record(const RunContext& context) {
  if (!refusal_.empty()) {
    return false;
  }
  for (const Call& call : calls_) {
    if (call.op->calls_host()) {
      refusal_ = *call.path + ": " + call.op->name() + " calls the host";
      return false;
    }
  }
  try {
    recording_ = kernels_.record([&] { run_calls(context); });
    if (!recording_) {
      refusal_ = kernels_.name() + " runs every call at once";
    }
  } catch (const std::runtime_error& e) {
    refusal_ = e.what();
  }
  return recording_ != nullptr;
}

void Executor::run(const RunContext& context) {
  constexpr int kPlainRuns = 2;  // scratch gets its size and libraries choose their algorithms
  kernels_.begin_run(context.seed, context.step);
  replayed_ = false;
  if (!timer_ && !watch_) {
    if (recording_ && recording_->replay()) {
      replayed_ = true;
    } else if (plain_runs_ >= kPlainRuns && record(context) && recording_->replay()) {
      replayed_ = true;
    } else {
      run_calls(context);
      ++plain_runs_;
    }
    return;
  }
  for (const Call& call : calls_) {
    const auto start = std::chrono::steady_clock::now();
    call.op->run(kernels_, call.in, call.out, context);
    kernels_.synchronize();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (timer_) {
      timer_(call.op->name(), *call.path, took.count());
    }
    if (watch_ && !watch_({*call.node, *call.path, call.in, call.out})) {
      return;
    }
  }
}

}  // namespace mantissa
