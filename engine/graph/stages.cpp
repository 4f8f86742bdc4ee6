#include "engine/graph/stages.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

namespace mantissa {

GraphStages::GraphStages(const Graph& graph, const Plan& plan) : graph_(graph), plan_(plan) {
  find_places();
  find_sources();
  count_bytes();
  find_modules();
}

/// Its module's; of one that adds to a gradient, the tensor's module's.
std::string GraphStages::path_of_node(const Node& n) const {
  if (const Tensor* tensor = n.op->adds_to(); tensor != nullptr) {
    return (tensor->parts.empty() ? tensor : tensor->parts.front())->module_path();
  }
  return n.outputs.empty() ? std::string() : info(n.outputs[0]).path;
}

/// A backward pass visits the forward nodes from last to first, each under its own path.
void GraphStages::find_places() {
  place_.assign(graph_.nodes().size(), -1);
  for (const int index : plan_.order) {
    if (node(index).phase == Phase::forward) {
      const Node& n = node(index);
      const std::string path = n.outputs.empty() ? std::string() : info(n.outputs[0]).path;
      place_[static_cast<std::size_t>(index)] = places();
      of_path_[path].push_back(places());
      paths_.push_back(path);
      node_at_.push_back(index);
    }
  }
  of_path_.erase("");  // of nodes that no module recorded
  int at = places() - 1;
  for (const int index : plan_.order) {
    const Node& n = node(index);
    if (n.phase == Phase::forward) {
      continue;
    }
    std::string path = path_of_node(n);
    const bool own = of_path_.contains(path);
    const auto known = module_of(std::move(path));
    int& place = place_[static_cast<std::size_t>(index)];
    place = at;
    if (known != of_path_.end()) {
      const auto behind = std::ranges::upper_bound(known->second, at);
      place = behind != known->second.begin() ? *(behind - 1) : known->second.front();
      at = own && n.phase == Phase::backward ? std::min(at, place) : at;
    }
  }
}

void GraphStages::find_sources() {
  source_.resize(graph_.values().size());
  std::iota(source_.begin(), source_.end(), 0);
  local_.assign(graph_.values().size(), false);
  for (std::size_t id = 0; id < local_.size(); ++id) {
    local_[id] = graph_.values()[id].kind == ValueKind::tensor;
  }
  for (const int index : plan_.order) {
    const Node& n = node(index);
    const bool local =
        !n.op->has_side_effect() && std::ranges::any_of(n.inputs, [](int id) { return id >= 0; }) &&
        std::ranges::all_of(n.inputs,
                            [&](int id) { return id < 0 || local_[static_cast<std::size_t>(id)]; });
    for (const int id : n.outputs) {
      local_[static_cast<std::size_t>(id)] = local;
      if (n.op->is_alias()) {
        source_[static_cast<std::size_t>(id)] = source_[static_cast<std::size_t>(n.inputs[0])];
      }
    }
  }
}

bool GraphStages::travels(int value) const {
  return info(value).kind == ValueKind::activation && !local_[static_cast<std::size_t>(value)];
}

void GraphStages::count_bytes() {
  // Of each value that travels, the places of its producer and of its first and last reader.
  struct Range {
    int produced = -1, first = 0, last = 0;
  };
  std::vector<Range> ranges(graph_.values().size());
  for (const int index : plan_.order) {
    const int place = place_[static_cast<std::size_t>(index)];
    for (const int id : node(index).outputs) {
      if (!node(index).op->is_alias()) {
        ranges[static_cast<std::size_t>(id)] = {place, place, place};
      }
    }
    for (const int id : node(index).inputs) {
      if (id >= 0 && travels(id) && !node(index).op->is_alias()) {
        Range& range = ranges[static_cast<std::size_t>(source_[static_cast<std::size_t>(id)])];
        range.first = std::min(range.first, place);
        range.last = std::max(range.last, place);
      }
    }
  }
  std::vector<double> change(static_cast<std::size_t>(places()) + 2, 0);
  for (std::size_t id = 0; id < ranges.size(); ++id) {
    const Range& r = ranges[id];
    if (r.produced < 0 || !travels(static_cast<int>(id))) {
      continue;
    }
    // A cut before place c divides it from its producer if one of them is below c, the other not.
    const ValueInfo& v = graph_.values()[id];
    const auto bytes = static_cast<double>(stored_bytes(v.dtype, v.shape.count()));
    for (const auto& [from, to] : {std::pair(r.first, r.produced), {r.produced, r.last}}) {
      change[static_cast<std::size_t>(from) + 1] += bytes;
      change[static_cast<std::size_t>(to) + 1] -= bytes;
    }
  }
  across_.assign(static_cast<std::size_t>(places()) + 1, 0);
  std::partial_sum(change.begin(), change.end() - 1, across_.begin());
}

std::map<std::string, std::vector<int>>::const_iterator GraphStages::module_of(
    std::string path) const {
  auto known = of_path_.find(path);
  while (known == of_path_.end() && path.find('.') != std::string::npos) {
    path.resize(path.rfind('.'));
    known = of_path_.find(path);
  }
  return known;
}

std::pair<int, int> GraphStages::places_of(const Tensor& tensor) const {
  if (tensor.parts.empty()) {
    const auto known = module_of(tensor.module_path());
    return known != of_path_.end() ? std::pair(known->second.front(), known->second.back())
                                   : std::pair(0, 0);
  }
  std::pair<int, int> all{places(), 0};
  for (const Tensor* part : tensor.parts) {
    const auto [first, last] = places_of(*part);
    all = {std::min(all.first, first), std::max(all.second, last)};
  }
  return all;
}

void GraphStages::keep_together(int first, int last) {
  std::fill(inside_.begin() + first + 1, inside_.begin() + last + 1, true);
}

void GraphStages::find_modules() {
  inside_.assign(static_cast<std::size_t>(places()) + 1, false);
  // Of each value, the frozen tensors that it is, or from which alone it is derived.
  std::vector<std::vector<int>> roots(graph_.values().size());
  std::set<const Tensor*> buffers;  // of trained tensors all over the model
  for (const ValueInfo& v : graph_.values()) {
    if (v.kind == ValueKind::tensor && v.tensor->buffer != nullptr) {
      buffers.insert(&v.tensor->buffer->whole);
    }
  }
  for (std::size_t id = 0; id < roots.size(); ++id) {
    const ValueInfo& v = graph_.values()[id];
    if (v.kind == ValueKind::tensor && !v.tensor->trainable && !buffers.contains(v.tensor)) {
      roots[id] = {static_cast<int>(id)};
    }
  }
  std::map<int, std::pair<int, int>> read;  // first and last place, by tensor
  for (const int index : plan_.order) {
    const Node& n = node(index);
    const int place = place_of_node(index);
    std::vector<int> all;
    for (const int id : n.inputs) {
      const auto& of_input = roots[static_cast<std::size_t>(std::max(id, 0))];
      all.insert(all.end(), of_input.begin(), id >= 0 ? of_input.end() : of_input.begin());
    }
    for (const int root : all) {
      auto& [first, last] = read.emplace(root, std::pair(place, place)).first->second;
      first = std::min(first, place);
      last = std::max(last, place);
    }
    for (const int id : n.outputs) {
      if (local_[static_cast<std::size_t>(id)] || n.op->is_alias()) {
        roots[static_cast<std::size_t>(id)] = all;
      }
    }
  }
  for (const auto& [root, places] : read) {
    keep_together(places.first, places.second);
  }
  for (const int index : plan_.order) {
    if (const Tensor* tensor = node(index).op->adds_to(); tensor != nullptr) {
      const auto [first, last] = places_of(*tensor);
      keep_together(first, last);
    }
  }
}

int GraphStages::place_of(const std::string& path) const {
  for (std::size_t place = 0; place < paths_.size(); ++place) {
    const std::string& other = paths_[place];
    if (other.starts_with(path) && (other.size() == path.size() || other[path.size()] == '.')) {
      return static_cast<int>(place);
    }
  }
  return -1;
}

/// -1 if the node at `place` reads no tensor.
int GraphStages::device_of_place(int place) const {
  int device = -1;
  for (const int id : node(node_at_[static_cast<std::size_t>(place)]).inputs) {
    if (id >= 0) {
      const ValueInfo& source = info(source_[static_cast<std::size_t>(id)]);
      device = source.kind == ValueKind::tensor ? std::max(device, source.tensor->device) : device;
    }
  }
  return device;
}

std::vector<int> GraphStages::ends_by_device(int devices) const {
  std::vector<int> ends;
  int first = 0;  // the earliest end that leaves no tensor behind
  for (int device = 0; device + 1 < devices; ++device) {
    int last = places();  // the latest
    for (int place = places() - 1; place >= first; --place) {
      last = device_of_place(place) > device ? place : last;
    }
    for (int place = first; place < places(); ++place) {
      const int needs = device_of_place(place);
      if (needs >= 0 && needs <= device && place >= last) {
        throw std::logic_error(path(place) + ": a layer before it is on a later device");
      }
      first = needs >= 0 && needs <= device ? place + 1 : first;
    }
    int end = -1;
    for (int place = first; place <= last; ++place) {
      const bool better = end < 0 || bytes_across(place) < bytes_across(end);
      end = may_cut(place) && better ? place : end;
    }
    if (end < 0) {
      throw std::logic_error(path(first) + ": a module is on two devices");
    }
    ends.push_back(end);
    first = end;
  }
  ends.push_back(places());
  return ends;
}

/// Records the nodes of one stage again.
class GraphStages::Copier {
 public:
  Copier(const GraphStages& split, int from, int to, std::vector<int>* origins)
      : split_(split),
        from_(from),
        to_(to),
        origins_(origins),
        copied_(split.graph_.values().size()) {}

  std::unique_ptr<Graph> copy() {
    for (const int index : split_.plan_.order) {
      if (here(index) && !split_.node(index).op->is_alias()) {
        record(index);
      }
    }
    name_outputs();
    return std::move(graph_);
  }

 private:
  bool here(int index) const {
    const int place = split_.place_[static_cast<std::size_t>(index)];
    return place >= from_ && place < to_;
  }

  Value of(int id) {
    Value& value = copied_[static_cast<std::size_t>(id)];
    if (value) {
      return value;
    }
    const ValueInfo& v = split_.info(id);
    if (v.kind == ValueKind::tensor) {
      return value = graph_->use(*v.tensor);
    }
    if (v.kind == ValueKind::activation) {
      const Node& producer = split_.node(v.producer);
      if (producer.op->is_alias() || split_.local_[static_cast<std::size_t>(id)]) {
        record(v.producer);
        return copied_[static_cast<std::size_t>(id)];
      }
    }
    return value =
               graph_->input(v.kind == ValueKind::input ? v.path : name_of(id), v.dtype, v.shape);
  }

  void record(int index) {
    const Node& n = split_.node(index);
    if (!n.outputs.empty() && copied_[static_cast<std::size_t>(n.outputs[0])]) {
      return;  // what several stages compute, at its first reader
    }
    std::vector<Value> inputs;
    for (const int id : n.inputs) {
      inputs.push_back(id >= 0 ? of(id) : Value());
    }
    std::vector<OutputSpec> specs;
    for (const int id : n.outputs) {
      const ValueInfo& v = split_.info(id);
      specs.push_back({v.shape, v.dtype, v.row_stride});
    }
    graph_->set_path(n.outputs.empty() ? std::string() : split_.info(n.outputs[0]).path);
    const std::vector<Value> outputs = graph_->record(n.op, inputs, specs);
    if (origins_ != nullptr) {
      origins_->push_back(index);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      copied_[static_cast<std::size_t>(n.outputs[i])] = outputs[i];
    }
  }

  void name_outputs() {
    const auto name = [this](int id, const std::string& as) {
      const Value value = copied_[static_cast<std::size_t>(id)];
      if (value && split_.info(id).kind == ValueKind::activation &&
          here(split_.info(id).producer)) {
        graph_->output(as, value);
      }
    };
    for (const int index : split_.plan_.order) {
      const Node& n = split_.node(index);
      for (const int id : n.inputs) {
        if (id >= 0 && split_.travels(id) && !here(index) && !n.op->is_alias()) {
          const int source = split_.source_[static_cast<std::size_t>(id)];
          name(source, name_of(source));
        }
      }
    }
    for (const auto& [as, id] : split_.graph_.outputs()) {
      name(id, as);
    }
  }

  static std::string name_of(int id) { return "stage." + std::to_string(id); }

  const GraphStages& split_;
  int from_, to_;
  std::vector<int>* origins_;
  std::unique_ptr<Graph> graph_ = std::make_unique<Graph>();
  std::vector<Value> copied_;
};

std::unique_ptr<Graph> GraphStages::stage(int from, int to, std::vector<int>* origins) const {
  return Copier(*this, from, to, origins).copy();
}

}  // namespace mantissa
