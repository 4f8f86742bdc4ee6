#include "engine/graph/graph.h"

#include <algorithm>
#include <utility>

#include "engine/core/error.h"

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
  if (const auto known = inputs_.find(name); known != inputs_.end()) {
    const ValueInfo& first = values_[static_cast<std::size_t>(known->second)];
    if (first.dtype != dtype || first.shape != shape || first.needs_grad != needs_grad) {
      throw Error(Message::verbatim("graph input '" + name + "' is declared twice, differently"));
    }
    return {this, known->second};
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

}  // namespace mantissa
