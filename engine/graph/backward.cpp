// Graph and Backward: the backward pass, recorded behind the ops of the forward pass.
#include <algorithm>
#include <set>
#include <utility>

#include "engine/core/error.h"
#include "engine/graph/graph.h"
#include "engine/graph/ops.h"

namespace mantissa {

int Graph::clone_node(int index, std::map<int, int>& replaced) {
  const Node source = nodes_[static_cast<std::size_t>(index)];
  std::vector<Value> inputs;
  for (int id : source.inputs) {
    const auto it = replaced.find(id);
    inputs.push_back(id < 0 ? Value{} : Value{this, it == replaced.end() ? id : it->second});
  }
  std::vector<OutputSpec> specs;
  for (int id : source.outputs) {
    const ValueInfo& info = values_[static_cast<std::size_t>(id)];
    specs.push_back({info.shape, info.dtype, info.row_stride});
  }
  path_ = values_[static_cast<std::size_t>(source.outputs.at(0))].path;
  const Phase phase = std::exchange(phase_, Phase::recompute);
  const std::vector<Value> outputs = record(source.op, inputs, specs);
  phase_ = phase;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    replaced[source.outputs[i]] = outputs[i].id();
    set_path(outputs[i], values_[static_cast<std::size_t>(source.outputs[i])].path);
  }
  return static_cast<int>(nodes_.size()) - 1;
}

/// What a segment recomputes is kept for a short time only.
bool Graph::repeats_cheaply(const Node& node) const {
  return repeats_cheap_ && node.op->cheap_to_repeat() && node.phase == Phase::forward &&
         node.segment < 0;
}

/// The recomputed value if its op is repeated, looking through reshapes and, with `cheap`, through
/// chains of cheap ops; else itself.
int Graph::repeated(int id, bool cheap) {
  const int producer = values_[static_cast<std::size_t>(id)].producer;
  if (producer < 0) {
    return id;
  }
  if (const auto known = repeats_.find(id); cheap && known != repeats_.end()) {
    return known->second;
  }
  const Node node = nodes_[static_cast<std::size_t>(producer)];
  const bool alias = node.op->is_alias(), cheaply = cheap && repeats_cheaply(node);
  std::map<int, int> replaced;
  for (const int input : node.inputs) {
    const bool follows = input >= 0 && (alias || cheaply);
    if (const int source = follows ? repeated(input, cheap) : input; source != input) {
      replaced[input] = source;
    }
  }
  if (alias ? replaced.empty() : !cheaply && !node.op->repeat_in_backward()) {
    return id;
  }
  const std::string path = path_;
  clone_node(producer, replaced);
  path_ = path;
  if (cheaply) {
    repeats_[id] = replaced.at(id);  // other ops read it too
  }
  return replaced.at(id);
}

void Graph::backward(Value loss, bool checkpointing, Value seed_gradient) {
  if (loss.shape().count() != 1) {
    throw Error(
        Message::verbatim("backward needs a scalar loss; it has shape " + loss.shape().str()));
  }
  const int forward_nodes = static_cast<int>(nodes_.size());
  phase_ = Phase::backward;
  std::map<int, int> grads;
  std::map<int, int> replaced;
  grads[loss.id()] =
      seed_gradient ? seed_gradient.id() : constant(*this, loss.dtype(), loss.shape(), 1.0F).id();
  std::vector<std::vector<int>> segments(static_cast<std::size_t>(segment_count_));
  for (int i = 0; i < forward_nodes; ++i) {
    if (nodes_[static_cast<std::size_t>(i)].segment >= 0) {
      segments[static_cast<std::size_t>(nodes_[static_cast<std::size_t>(i)].segment)].push_back(i);
    }
  }
  // A tensor's gradient is complete once the backward pass has passed the first op that reads it.
  std::vector<std::vector<int>> first_reader(static_cast<std::size_t>(forward_nodes));
  std::set<int> seen;
  for (int i = 0; i < forward_nodes; ++i) {
    for (int id : nodes_[static_cast<std::size_t>(i)].inputs) {
      if (id >= 0 && values_[static_cast<std::size_t>(id)].kind == ValueKind::tensor &&
          seen.insert(id).second) {
        first_reader[static_cast<std::size_t>(i)].push_back(id);
      }
    }
  }
  const auto accumulate = [&](int id) {
    Tensor* tensor = values_[static_cast<std::size_t>(id)].tensor;
    if (const auto it = grads.find(id); tensor->trainable && it != grads.end()) {
      path_ = tensor->name;
      accumulate_gradient({this, it->second}, *tensor);
    }
  };
  std::vector<bool> recomputed(segments.size(), false);
  segment_ = -1;
  const auto reaches = [&](const std::vector<int>& ids) {
    return std::any_of(ids.begin(), ids.end(), [&](int id) { return grads.contains(id); });
  };
  const auto emit = [&](int i, const Node& node) {
    if (checkpointing && node.segment >= 0 && !recomputed[static_cast<std::size_t>(node.segment)]) {
      recomputed[static_cast<std::size_t>(node.segment)] = true;
      for (int member : segments[static_cast<std::size_t>(node.segment)]) {
        clone_node(member, replaced);
      }
    }
    path_ = node.outputs.empty() ? "" : values_[static_cast<std::size_t>(node.outputs[0])].path;
    Backward context(*this, i, replaced, grads);
    node.op->backward(context);
    for (int id : node.outputs) {
      // An intermediate gradient is final once its producer has read it.
      if (auto it = grads.find(id); it != grads.end()) {
        gradients_[id] = it->second;
      }
    }
  };
  for (int i = forward_nodes - 1; i >= 0; --i) {
    const Node node = nodes_[static_cast<std::size_t>(i)];
    const bool wanted = std::any_of(node.inputs.begin(), node.inputs.end(), [&](int id) {
      return id >= 0 && values_[static_cast<std::size_t>(id)].needs_grad;
    });
    if (wanted && reaches(node.outputs)) {
      emit(i, node);
    }
    for (int id : first_reader[static_cast<std::size_t>(i)]) {
      accumulate(id);
    }
  }
  for (const auto& [id, grad] : grads) {
    gradients_[id] = grad;
  }
}

Value Backward::mapped(int id, bool repeat_cheap) const {
  if (id < 0) {
    return {};
  }
  const auto it = replaced_.find(id);
  return {&graph_, graph_.repeated(it == replaced_.end() ? id : it->second, repeat_cheap)};
}

Value Backward::input(int i) const {
  return mapped(graph_.nodes_[static_cast<std::size_t>(node_)].inputs[static_cast<std::size_t>(i)],
                true);
}

Value Backward::output(int i) const {
  // Its own statistics are small: repeating the op for them would gain nothing.
  return mapped(graph_.nodes_[static_cast<std::size_t>(node_)].outputs[static_cast<std::size_t>(i)],
                false);
}

Value Backward::grad(int i) const {
  const int id =
      graph_.nodes_[static_cast<std::size_t>(node_)].outputs[static_cast<std::size_t>(i)];
  const auto it = grads_.find(id);
  return it == grads_.end() ? Value{} : Value{&graph_, it->second};
}

bool Backward::needs(int i) const {
  const int id = graph_.nodes_[static_cast<std::size_t>(node_)].inputs[static_cast<std::size_t>(i)];
  return id >= 0 && graph_.values_[static_cast<std::size_t>(id)].needs_grad;
}

Value Backward::take_partial(int i) {
  const int id = graph_.nodes_[static_cast<std::size_t>(node_)].inputs[static_cast<std::size_t>(i)];
  const auto it = grads_.find(id);
  if (it == grads_.end()) {
    return {};
  }
  const Value partial(&graph_, it->second);
  grads_.erase(it);
  return partial;
}

void Backward::add(int i, Value gradient) {
  const int id = graph_.nodes_[static_cast<std::size_t>(node_)].inputs[static_cast<std::size_t>(i)];
  const ValueInfo& info = graph_.values_[static_cast<std::size_t>(id)];
  if (!(gradient.shape() == info.shape)) {
    throw Error(Message::verbatim(std::string("[") +
                                  graph_.nodes_[static_cast<std::size_t>(node_)].op->name() +
                                  "] gradient of input " + std::to_string(i) + " has shape " +
                                  gradient.shape().str() + ", expected " + info.shape.str()));
  }
  const Value partial = take_partial(i);
  grads_[id] = (partial ? mantissa::add(partial, gradient) : gradient).id();
}

}  // namespace mantissa
