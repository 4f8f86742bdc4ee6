#include "engine/graph/stage_executor.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "engine/core/error.h"
#include "engine/graph/device_values.h"
#include "engine/graph/source_of.h"
#include "kernels/check.h"
#include "kernels/device_lost.h"

namespace mantissa {

StageExecutor::StageExecutor(const Graph& graph, const Plan& plan, Kernels& kernels, Arena& arena)
    : graph_(graph), plan_(plan), kernels_(kernels) {
  arena.reserve(plan.arena_bytes);
  base_ = arena.data();
  for (std::size_t step = 0; step < plan.order.size(); ++step) {
    const Node& node = graph.nodes()[static_cast<std::size_t>(plan.order[step])];
    if (batches_.size() < plan.stream.size() &&
        plan.stream[batches_.size()].step == static_cast<int>(step)) {
      bind_batch(plan.stream[batches_.size()]);
    }
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
  if (kernels.decodes_weights()) {
    hand_over_codes();
  }
  hand_over_encoding();
}

int StageExecutor::source_of(int id) const {
  return mantissa::source_of(graph_, id);
}

std::size_t StageExecutor::maker_of(int id) const {
  const int source = source_of(id);
  return static_cast<std::size_t>(std::ranges::find_if(calls_,
                                                       [source](const Call& call) {
                                                         return std::ranges::find(
                                                                    call.node->outputs, source) !=
                                                                call.node->outputs.end();
                                                       }) -
                                  calls_.begin());
}

std::size_t StageExecutor::first_reader_of(int id) const {
  return static_cast<std::size_t>(
      std::ranges::find_if(calls_,
                           [&](const Call& call) {
                             return std::ranges::any_of(call.node->inputs, [&](int input) {
                               return input >= 0 && source_of(input) == id;
                             });
                           }) -
      calls_.begin());
}

std::map<int, const Tensor*> StageExecutor::read_as_codes() const {
  std::map<int, const Tensor*> result;
  for (const Call& call : calls_) {
    const Tensor* tensor = call.op->decodes();
    // A streamed weight's slot can hold another weight by the time that GEMMs read it.
    if (tensor != nullptr && !tensor->streamed && is_read_in_pieces(tensor->dtype) &&
        call.out[0].dtype != DType::f64) {
      result.emplace(call.node->outputs[0], tensor);
    }
  }
  for (const auto& [name, id] : graph_.outputs()) {
    result.erase(source_of(id));
  }
  for (const Call& call : calls_) {
    for (std::size_t i = 0; i < call.in.size(); ++i) {
      const auto it = call.in[i] ? result.find(source_of(call.node->inputs[i])) : result.end();
      if (it != result.end() && !(call.op->takes_codes(static_cast<int>(i)) &&
                                  call.in[i].shape[0] == it->second->shape[0])) {
        result.erase(it);
      }
    }
  }
  return result;
}

void StageExecutor::hand_over_codes() {
  const std::map<int, const Tensor*> codes = read_as_codes();
  for (Call& call : calls_) {
    call.decoded_by_readers =
        call.op->decodes() != nullptr && codes.contains(call.node->outputs[0]);
    for (std::size_t i = 0; i < call.in.size(); ++i) {
      const auto it = call.in[i] ? codes.find(source_of(call.node->inputs[i])) : codes.end();
      if (it == codes.end()) {
        continue;
      }
      if (call.in_unwatched.empty()) {
        call.in_unwatched = call.in;
      }
      View& view = call.in_unwatched[i];
      view = View(it->second->data, it->second->dtype, view.shape);
      view.scale = it->second->scale;
    }
  }
}

void StageExecutor::hand_over_encoding() {
  std::map<const Node*, Call*> by_node;
  for (Call& call : calls_) {
    by_node[call.node] = &call;
  }
  const auto call_of = [&](int node) {
    return by_node.at(&graph_.nodes()[static_cast<std::size_t>(node)]);
  };
  for (const auto& [maker, reader] : plan_.encoders) {
    Call& encoder = *call_of(reader);
    if (encoder.in_unwatched.empty()) {
      encoder.in_unwatched = encoder.in;
    }
    encoder.in_unwatched[0] = View{};
    Call& unit = *call_of(maker);
    unit.encoder = encoder.op;
    unit.codes = View(encoder.out[1].data, encoder.out[1].dtype, unit.out[0].shape);
    unit.scale = encoder.out[2];
  }
}

View StageExecutor::view_of(int id) const {
  const ValueInfo& info = graph_.values()[static_cast<std::size_t>(id)];
  if (info.kind == ValueKind::tensor && info.tensor->streamed) {
    const auto place = placed_.find(info.tensor);
    return {place == placed_.end() ? nullptr : base_ + place->second, info.dtype, info.shape};
  }
  if (info.kind == ValueKind::tensor) {
    return info.tensor->view();
  }
  const std::int64_t offset = plan_.offset[static_cast<std::size_t>(id)];
  if (offset >= 0) {
    View view(base_ + offset, info.dtype, info.shape);
    view.row_stride = info.row_stride > 0 ? info.row_stride : view.row_stride;
    return view;
  }
  // A reshaped persistent tensor has no place in the arena: it is its source's memory.
  const Node& node = graph_.nodes()[static_cast<std::size_t>(info.producer)];
  View view = view_of(node.inputs[0]);
  const std::uint64_t constant_id = view.constant_id;
  const auto output = std::ranges::find(node.outputs, id) - node.outputs.begin();
  view = View(static_cast<std::byte*>(view.data) + node.op->alias_offset(static_cast<int>(output)),
              info.dtype, info.shape);
  view.row_stride = info.row_stride > 0 ? info.row_stride : view.row_stride;
  view.constant_id = constant_id;
  return view;
}

View StageExecutor::input(const std::string& name) const {
  const auto it = graph_.inputs().find(name);
  if (it == graph_.inputs().end()) {
    throw Error(Message::verbatim("the graph has no input '" + name + "'"));
  }
  return view_of(it->second);
}

void StageExecutor::feed_bytes(const std::string& name, const void* values, DType dtype,
                               std::size_t count) const {
  const View view = input(name);
  if (view.dtype != dtype || view.count() != static_cast<std::int64_t>(count)) {
    throw Error(Message::verbatim("the graph's input " + name + " takes " + view.shape.str() + " " +
                                  std::string(dtype_name(view.dtype)) + "; it was given " +
                                  std::to_string(count) + " values of " +
                                  std::string(dtype_name(dtype))));
  }
  kernels_.upload(values, view);
}

void StageExecutor::feed(const std::string& name, std::span<const float> values) const {
  feed_bytes(name, values.data(), DType::f32, values.size());
}

void StageExecutor::feed(const std::string& name, std::span<const std::int32_t> values) const {
  feed_bytes(name, values.data(), DType::i32, values.size());
}

std::vector<float> StageExecutor::read(const std::string& name) const {
  return host_values(kernels_, output(name));
}

bool StageExecutor::has_input(const std::string& name) const {
  return graph_.inputs().contains(name);
}

View StageExecutor::output(const std::string& name) const {
  const auto it = graph_.outputs().find(name);
  if (it == graph_.outputs().end()) {
    throw Error(Message::verbatim("the graph has no output '" + name + "'"));
  }
  return view_of(it->second);
}

void StageExecutor::bind_batch(const StreamBatch& planned) {
  Batch batch{calls_.size(), planned.weights, {}};
  placed_.clear();
  for (const StreamedWeight& w : planned.weights) {
    placed_[w.tensor] = w.offset;
    batch.transfers.push_back({w.tensor->host, base_ + w.offset, w.tensor->bytes()});
  }
  batches_.push_back(std::move(batch));
}

void StageExecutor::begin_stream() {
  next_batch_ = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, batches_.size()); ++i) {
    kernels_.prefetch(static_cast<int>(i), batches_[i].transfers);
  }
}

void StageExecutor::stream_to(std::size_t index) {
  if (next_batch_ == batches_.size() || batches_[next_batch_].call != index) {
    return;
  }
  const std::size_t now = next_batch_++;
  kernels_.await_prefetch(static_cast<int>(now % 2));
  if (now > 0 && next_batch_ < batches_.size()) {
    // The previous batch is in use: its slot is free after that work.
    kernels_.prefetch(static_cast<int>(next_batch_ % 2), batches_[next_batch_].transfers);
  }
  for (const StreamedWeight& w : batches_[now].weights) {
    w.tensor->data = base_ + w.offset;
    if (w.tensor->has_scale()) {
      w.tensor->scale = reinterpret_cast<float*>(base_ + w.offset + w.tensor->scale_offset());
    }
  }
}

void StageExecutor::end_stream() {
  for (const Batch& batch : batches_) {
    for (const StreamedWeight& w : batch.weights) {
      w.tensor->data = nullptr;
      w.tensor->scale = nullptr;
    }
  }
}

void StageExecutor::run_call(const Call& call, const RunContext& context) const {
  if (call.decoded_by_readers) {
    return;
  }
  const std::vector<View>& in = call.in_unwatched.empty() ? call.in : call.in_unwatched;
  if (call.encoder != nullptr) {
    call.op->run_to_codes(kernels_, in, call.encoder->encoding_factor(), call.codes, call.scale);
  } else {
    call.op->run(kernels_, in, call.out, context);
  }
}

void StageExecutor::run_calls(const Calls& calls, const RunContext& context) {
  begin_stream();
  for (std::size_t i = calls.first; i < calls.last; ++i) {
    stream_to(i);
    run_call(calls_[i], context);
    kernels_.call_done();
  }
  end_stream();
}

bool StageExecutor::record(const Calls& calls, Repeat& repeat, const RunContext& context,
                           const Tail& tail) {
  if (refused_) {
    return false;
  }
  refused_ = true;  // unless it succeeds
  for (std::size_t i = calls.first; i < calls.last; ++i) {
    const Call& call = calls_[i];
    if (call.op->calls_host()) {
      refusal_ = message<"{path}: {op} calls the host">(*call.path, call.op->name());
      return false;
    }
  }
  try {
    repeat.recording = kernels_.record([&] {
      run_calls(calls, context);
      if (tail) {
        tail();
      }
    });
    refused_ = repeat.recording == nullptr;
    refusal_ = refused_ ? message<"{device} runs every call at once">(kernels_.name()) : Message();
  } catch (const DeviceLost&) {
    throw;
  } catch (const OutOfDeviceMemory& e) {
    constexpr int kMostRuns = 256;
    refused_ = false;  // another program may give memory back
    refusal_ = message_of(e);
    repeat.plain_runs = 0;
    repeat.plain_runs_first = std::min(2 * repeat.plain_runs_first, kMostRuns);
  } catch (const std::runtime_error& e) {
    refusal_ = message_of(e);
  }
  recordings_ += repeat.recording != nullptr ? 1 : 0;
  return repeat.recording != nullptr;
}

void StageExecutor::run(const RunContext& context, const Tail& tail) {
  replayed_ = false;
  kernels_.begin_run(context.seed, context.step);
  run_part(all_calls(), tail ? with_tail_ : without_tail_, context, tail);
}

void StageExecutor::feed_zeros() const {
  for (const auto& [name, id] : graph_.inputs()) {
    const View view = view_of(id);
    const std::vector<std::byte> zeros(stored_bytes(view.dtype, view.count()));
    kernels_.upload(zeros.data(), view);
  }
}

void StageExecutor::warm_up(const RunContext& context) {
  feed_zeros();
  kernels_.begin_run(context.seed, context.step);
  if (watch_) {
    run_watched(all_calls(), context);
  } else {
    run_calls(all_calls(), context);
  }
}

void StageExecutor::record_ahead(const RunContext& context, const Tail& tail) {
  kernels_.begin_run(context.seed, context.step);
  record(all_calls(), tail ? with_tail_ : without_tail_, context, tail);
}

bool StageExecutor::run_part(const Calls& calls, Repeat& repeat, const RunContext& context,
                             const Tail& tail) {
  replayed_ = false;
  if (timer_ || watch_) {
    if (!run_watched(calls, context)) {
      return false;
    }
    if (tail) {
      tail();
    }
    return true;
  }
  replayed_ = (repeat.recording && repeat.recording->replay()) ||
              (repeat.plain_runs >= repeat.plain_runs_first &&
               record(calls, repeat, context, tail) && repeat.recording->replay());
  if (!replayed_) {
    run_calls(calls, context);
    if (tail) {
      tail();
    }
    ++repeat.plain_runs;
  }
  return true;
}

bool StageExecutor::run_watched(const Calls& calls, const RunContext& context) {
  begin_stream();
  for (std::size_t i = calls.first; i < calls.last; ++i) {
    const Call& call = calls_[i];
    stream_to(i);
    if (call.decoded_by_readers && !watch_) {
      continue;
    }
    const auto start = std::chrono::steady_clock::now();
    if (watch_) {
      call.op->run(kernels_, call.in, call.out, context);
    } else {
      run_call(call, context);
    }
    kernels_.synchronize();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (timer_) {
      timer_(call.op->name(), *call.path, took.count());
    }
    if (watch_ && !watch_({call.whole != nullptr ? *call.whole : *call.node, *call.path, call.in,
                           call.out, kernels_})) {
      kernels_.synchronize();  // transfers may be in flight
      end_stream();
      return false;
    }
  }
  end_stream();
  return true;
}

}  // namespace mantissa
