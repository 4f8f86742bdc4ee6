#include "engine/graph/stages.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace mantissa {

GraphStages::GraphStages(const Graph& graph, const Plan& plan) : graph_(graph), plan_(plan) {
  find_places();
  find_sources();
  count_bytes();
}

/// A backward pass visits the forward nodes from last to first, each under its own path.
void GraphStages::find_places() {
  place_.assign(graph_.nodes().size(), -1);
  std::map<std::string, std::vector<int>> of_path;
  for (const int index : plan_.order) {
    if (node(index).phase == Phase::forward) {
      const Node& n = node(index);
      const std::string path = n.outputs.empty() ? std::string() : info(n.outputs[0]).path;
      place_[static_cast<std::size_t>(index)] = places();
      of_path[path].push_back(places());
      paths_.push_back(path);
    }
  }
  of_path.erase("");  // of nodes that no module recorded
  int at = places() - 1;
  for (const int index : plan_.order) {
    const Node& n = node(index);
    if (n.phase == Phase::forward) {
      continue;
    }
    std::string path = n.outputs.empty() ? std::string() : info(n.outputs[0]).path;
    auto known = of_path.find(path);
    const bool own = known != of_path.end();
    // A gradient is accumulated under its tensor's name: where its module is.
    while (known == of_path.end() && path.find('.') != std::string::npos) {
      path.resize(path.rfind('.'));
      known = of_path.find(path);
    }
    int& place = place_[static_cast<std::size_t>(index)];
    place = at;
    if (known != of_path.end()) {
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

int GraphStages::place_of(const std::string& path) const {
  for (std::size_t place = 0; place < paths_.size(); ++place) {
    const std::string& other = paths_[place];
    if (other.starts_with(path) && (other.size() == path.size() || other[path.size()] == '.')) {
      return static_cast<int>(place);
    }
  }
  return -1;
}

/// Records the nodes of one stage again.
class GraphStages::Copier {
 public:
  Copier(const GraphStages& split, int from, int to)
      : split_(split), from_(from), to_(to), copied_(split.graph_.values().size()) {}

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
  std::unique_ptr<Graph> graph_ = std::make_unique<Graph>();
  std::vector<Value> copied_;
};

std::unique_ptr<Graph> GraphStages::stage(int from, int to) const {
  return Copier(*this, from, to).copy();
}

}  // namespace mantissa
