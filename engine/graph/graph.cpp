#include "engine/graph/graph.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/core/error.h"
#include "engine/graph/ops.h"

namespace mantissa {

const Shape& Value::shape() const {
  return graph_->values()[static_cast<std::size_t>(id_)].shape;
}
DType Value::dtype() const {
  return graph_->values()[static_cast<std::size_t>(id_)].dtype;
}
bool Value::needs_grad() const {
  return graph_->values()[static_cast<std::size_t>(id_)].needs_grad;
}

Value Graph::input(const std::string& name, DType dtype, const Shape& shape, bool needs_grad) {
  if (inputs_.contains(name)) {
    throw Error(Message::verbatim("graph input '" + name + "' is declared twice"));
  }
  const int id = static_cast<int>(values_.size());
  values_.push_back({ValueKind::input, dtype, shape, needs_grad, -1, nullptr, name});
  inputs_[name] = id;
  return {this, id};
}

Value Graph::use(Tensor& tensor) {
  if (auto it = tensors_.find(&tensor); it != tensors_.end()) {
    return {this, it->second};
  }
  const int id = static_cast<int>(values_.size());
  values_.push_back(
      {ValueKind::tensor, tensor.dtype, tensor.shape, tensor.trainable, -1, &tensor, tensor.name});
  tensors_[&tensor] = id;
  return {this, id};
}

Value Graph::once(const Tensor& tensor, const std::function<Value()>& make) {
  return once_all(tensor, [&] { return std::vector{make()}; })[0];
}

std::vector<Value> Graph::once_all(const Tensor& tensor,
                                   const std::function<std::vector<Value>()>& make) {
  auto it = once_.find(&tensor);
  if (it == once_.end()) {
    const OutsideSegment kept(*this);
    const std::string path = std::exchange(path_, "");
    std::vector<int> ids;
    for (const Value& value : make()) {
      ids.push_back(value.id());
    }
    it = once_.emplace(&tensor, std::move(ids)).first;
    path_ = path;
  }
  std::vector<Value> values;
  for (const int id : it->second) {
    values.push_back(id < 0 ? Value{} : Value{this, id});
  }
  return values;
}

void Graph::output(const std::string& name, Value value) {
  outputs_[name] = value.id();
}

std::vector<Value> Graph::record(std::shared_ptr<const Op> op, const std::vector<Value>& inputs,
                                 const std::vector<OutputSpec>& outputs) {
  Node node;
  bool needs_grad = false;
  for (const Value& v : inputs) {
    const int place = static_cast<int>(node.inputs.size());
    if (v && values_[static_cast<std::size_t>(v.id())].row_stride > 0 && !op->takes_slice(place)) {
      throw Error(Message::verbatim(std::string("[") + op->name() + "] input " +
                                    std::to_string(place) + " is a slice of channels; " + path_));
    }
    node.inputs.push_back(v ? v.id() : -1);
    needs_grad = needs_grad || (v && v.needs_grad());
  }
  std::vector<Value> result;
  const int index = static_cast<int>(nodes_.size());
  for (const OutputSpec& spec : outputs) {
    const int id = static_cast<int>(values_.size());
    values_.push_back({ValueKind::activation, spec.dtype, spec.shape, needs_grad, index, nullptr,
                       path_, spec.row_stride});
    node.outputs.push_back(id);
    result.emplace_back(this, id);
  }
  node.op = std::move(op);
  node.segment = segment_;
  node.phase = phase_;
  nodes_.push_back(std::move(node));
  return result;
}

void Graph::begin_segment(SegmentScope scope) {
  if (scope != segment_scope_) {
    return;
  }
  if (segment_ >= 0) {
    throw Error(Message::verbatim("checkpointing segments can't nest"));
  }
  segment_ = segment_count_++;
}

void Graph::end_segment(SegmentScope scope) {
  if (scope == segment_scope_) {
    segment_ = -1;
  }
}

int Graph::leave_segment() {
  return std::exchange(segment_, -1);
}

Value Graph::gradient(Value value) const {
  const auto it = gradients_.find(value.id());
  return it == gradients_.end() ? Value{} : Value{const_cast<Graph*>(this), it->second};
}

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
