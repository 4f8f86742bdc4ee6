#include "engine/graph/plan.h"

#include <algorithm>
#include <numeric>

namespace mantissa {
namespace {

std::size_t padded_bytes(const ValueInfo& v) {
  const std::size_t bytes = stored_bytes(v.dtype, v.shape.count());
  const std::size_t used = std::max<std::size_t>(bytes, 1);
  return (used + Plan::kAlignment - 1) / Plan::kAlignment * Plan::kAlignment;
}

/// Nodes that an output or a side effect depends on, in recorded order.
std::vector<int> live_nodes(const Graph& graph) {
  const auto& nodes = graph.nodes();
  std::vector<bool> wanted(graph.values().size(), false);
  for (const auto& [name, id] : graph.outputs()) {
    wanted[static_cast<std::size_t>(id)] = true;
  }
  std::vector<int> order;
  for (int i = static_cast<int>(nodes.size()) - 1; i >= 0; --i) {
    const Node& node = nodes[static_cast<std::size_t>(i)];
    const bool live = node.op->has_side_effect() ||
                      std::any_of(node.outputs.begin(), node.outputs.end(),
                                  [&](int id) { return wanted[static_cast<std::size_t>(id)]; });
    if (live) {
      order.push_back(i);
      for (int id : node.inputs) {
        if (id >= 0) {
          wanted[static_cast<std::size_t>(id)] = true;
        }
      }
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

/// A range of bytes in the arena and the steps during which it is live.
struct Block {
  std::size_t bytes = 0;
  int first = 0, last = -1;
  std::int64_t offset = -1;
};

class Planner {
 public:
  Planner(const Graph& graph, const PlanOptions& options)
      : graph_(graph), options_(options), block_of_(graph.values().size(), -1) {}

  Plan make() {
    plan_.order = live_nodes(graph_);
    find_last_uses();
    find_encoders();
    assign_blocks();
    place_blocks();
    plan_.offset.assign(block_of_.size(), -1);
    for (std::size_t v = 0; v < block_of_.size(); ++v) {
      if (block_of_[v] >= 0) {
        plan_.offset[v] = blocks_[static_cast<std::size_t>(block_of_[v])].offset + begin_[v];
      }
    }
    plan_stream();
    return std::move(plan_);
  }

 private:
  const ValueInfo& info(int id) const { return graph_.values()[static_cast<std::size_t>(id)]; }
  int steps() const { return static_cast<int>(plan_.order.size()); }
  const Node& node_at(int step) const {
    return graph_.nodes()[static_cast<std::size_t>(plan_.order[static_cast<std::size_t>(step)])];
  }

  /// last_use_ counts uses of the memory: a use of a reshaped value is a use of its source.
  void find_last_uses() {
    source_.resize(block_of_.size());
    std::iota(source_.begin(), source_.end(), 0);
    begin_.assign(block_of_.size(), 0);
    last_use_.assign(block_of_.size(), -1);
    reads_.assign(block_of_.size(), 0);
    for (int step = 0; step < steps(); ++step) {
      const Node& node = node_at(step);
      if (node.op->is_alias()) {
        for (std::size_t o = 0; o < node.outputs.size(); ++o) {
          const auto output = static_cast<std::size_t>(node.outputs[o]);
          source_[output] = source_[static_cast<std::size_t>(node.inputs[0])];
          begin_[output] = begin_[static_cast<std::size_t>(node.inputs[0])] +
                           node.op->alias_offset(static_cast<int>(o));
        }
        continue;
      }
      for (int id : node.inputs) {
        if (id >= 0) {
          const auto source = static_cast<std::size_t>(source_[static_cast<std::size_t>(id)]);
          last_use_[source] = step;
          ++reads_[source];
        }
      }
    }
    for (const auto& [name, id] : graph_.outputs()) {
      last_use_[static_cast<std::size_t>(source_[static_cast<std::size_t>(id)])] = steps();
    }
  }

  /// Whether `value`, read by a node that encodes it, is the whole result of a node that can give
  /// codes, and nothing else reads it.
  bool is_only_encoded(int value) const {
    const int source = source_[static_cast<std::size_t>(value)];
    const ValueInfo &v = info(value), &made = info(source);
    if (made.kind != ValueKind::activation || v.row_stride > 0 || made.row_stride > 0 ||
        v.shape.count() != made.shape.count() || v.shape.cols() != made.shape.cols()) {
      return false;
    }
    const Node& maker = graph_.nodes()[static_cast<std::size_t>(made.producer)];
    return maker.op->gives_codes() && maker.outputs.size() == 1 &&
           reads_[static_cast<std::size_t>(source)] == 1 &&
           last_use_[static_cast<std::size_t>(source)] < steps();
  }

  void find_encoders() {
    for (int step = 0; step < steps(); ++step) {
      const Node& node = node_at(step);
      if (node.op->encodes() && is_only_encoded(node.inputs[0])) {
        const int source = source_[static_cast<std::size_t>(node.inputs[0])];
        plan_.encoders[info(source).producer] = plan_.order[static_cast<std::size_t>(step)];
      }
    }
  }

  /// Codes and scales that `node` may write for its reader.
  void assign_codes_of_reader(int node, int step) {
    if (const auto reader = plan_.encoders.find(node); reader != plan_.encoders.end()) {
      const Node& encoder = graph_.nodes()[static_cast<std::size_t>(reader->second)];
      for (const std::size_t o : {1, 2}) {
        const int id = encoder.outputs[o];
        block_of_[static_cast<std::size_t>(id)] = new_block(id, step);
      }
    }
  }

  int new_block(int value, int first) {
    blocks_.push_back({padded_bytes(info(value)), first,
                       std::max(last_use_[static_cast<std::size_t>(value)], first), -1});
    return static_cast<int>(blocks_.size()) - 1;
  }

  void assign_blocks() {
    for (const auto& [name, id] : graph_.inputs()) {
      // Fed before the first step, so alive from the start.
      block_of_[static_cast<std::size_t>(id)] = new_block(id, 0);
    }
    for (int step = 0; step < steps(); ++step) {
      const Node& node = node_at(step);
      if (node.op->is_alias()) {
        for (const int id : node.outputs) {
          block_of_[static_cast<std::size_t>(id)] =
              block_of_[static_cast<std::size_t>(node.inputs[0])];
        }
        continue;
      }
      for (std::size_t o = 0; o < node.outputs.size(); ++o) {
        const int id = node.outputs[o];
        const int reused = o == 0 ? overwritable_block(node, id, step) : -1;
        if (const int early = block_of_[static_cast<std::size_t>(id)]; early >= 0) {
          Block& block = blocks_[static_cast<std::size_t>(early)];
          block.last = std::max(block.last, step);
        } else if (reused >= 0) {
          Block& block = blocks_[static_cast<std::size_t>(reused)];
          block.last = std::max(block.last, last_use_[static_cast<std::size_t>(id)]);
          block_of_[static_cast<std::size_t>(id)] = reused;
        } else {
          block_of_[static_cast<std::size_t>(id)] = new_block(id, step);
        }
      }
      assign_codes_of_reader(plan_.order[static_cast<std::size_t>(step)], step);
    }
  }

  /// The block of an input that dies at this step and whose bytes output 0 may reuse.
  int overwritable_block(const Node& node, int output, int step) const {
    if (!options_.reuse) {
      return -1;
    }
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const int id = node.inputs[i];
      if (id < 0 || !node.op->may_overwrite(static_cast<int>(i))) {
        continue;
      }
      const int source = source_[static_cast<std::size_t>(id)];
      const int block = block_of_[static_cast<std::size_t>(id)];
      const bool part = begin_[static_cast<std::size_t>(id)] != 0 || info(id).row_stride > 0;
      if (part || read_elsewhere(node, block)) {
        continue;
      }
      if (block >= 0 && info(source).kind == ValueKind::activation &&
          blocks_[static_cast<std::size_t>(block)].last == step &&
          blocks_[static_cast<std::size_t>(block)].bytes == padded_bytes(info(output))) {
        return block;
      }
    }
    return -1;
  }

  /// True if some input of `node` is in `block` and must not be overwritten.
  bool read_elsewhere(const Node& node, int block) const {
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i] >= 0 && block_of_[static_cast<std::size_t>(node.inputs[i])] == block &&
          !node.op->may_overwrite(static_cast<int>(i))) {
        return true;
      }
    }
    return false;
  }

  void place_blocks() {
    std::vector<std::int64_t> alive(static_cast<std::size_t>(steps()) + 2, 0);
    for (const Block& b : blocks_) {
      alive[static_cast<std::size_t>(b.first)] += static_cast<std::int64_t>(b.bytes);
      alive[static_cast<std::size_t>(b.last) + 1] -= static_cast<std::int64_t>(b.bytes);
    }
    std::int64_t now = 0;
    for (std::int64_t change : alive) {
      now += change;
      plan_.lower_bound_bytes = std::max(plan_.lower_bound_bytes, static_cast<std::size_t>(now));
    }
    std::vector<int> by_size(blocks_.size());
    std::iota(by_size.begin(), by_size.end(), 0);
    std::stable_sort(by_size.begin(), by_size.end(), [&](int a, int b) {
      return blocks_[static_cast<std::size_t>(a)].bytes >
             blocks_[static_cast<std::size_t>(b)].bytes;
    });
    std::vector<int> placed;  // by offset
    for (int index : by_size) {
      Block& block = blocks_[static_cast<std::size_t>(index)];
      std::int64_t offset = 0;
      for (int other_index : placed) {
        const Block& other = blocks_[static_cast<std::size_t>(other_index)];
        const bool together =
            !options_.reuse || (other.first <= block.last && block.first <= other.last);
        if (!together || other.offset + static_cast<std::int64_t>(other.bytes) <= offset) {
          continue;
        }
        if (other.offset >= offset + static_cast<std::int64_t>(block.bytes)) {
          break;
        }
        offset = other.offset + static_cast<std::int64_t>(other.bytes);
      }
      block.offset = offset;
      plan_.arena_bytes =
          std::max(plan_.arena_bytes, static_cast<std::size_t>(offset) + block.bytes);
      placed.insert(std::upper_bound(placed.begin(), placed.end(), index,
                                     [&](int a, int b) {
                                       return blocks_[static_cast<std::size_t>(a)].offset <
                                              blocks_[static_cast<std::size_t>(b)].offset;
                                     }),
                    index);
    }
  }

  /// The streamed weights that a step reads, each once.
  std::vector<Tensor*> streamed_at(int step) const {
    std::vector<Tensor*> list;
    const Node& node = node_at(step);
    for (int id : node.inputs) {
      if (node.op->is_alias() || id < 0) {
        continue;
      }
      const ValueInfo& source = info(source_[static_cast<std::size_t>(id)]);
      if (source.kind == ValueKind::tensor && source.tensor->streamed &&
          std::find(list.begin(), list.end(), source.tensor) == list.end()) {
        list.push_back(source.tensor);
      }
    }
    return list;
  }

  static std::size_t slot_bytes_of(const Tensor& tensor) {
    return (tensor.bytes() + Plan::kAlignment - 1) / Plan::kAlignment * Plan::kAlignment;
  }

  /// Batches of the streamed weights in the order of their use, none larger than the largest need
  /// of one step. A weight that is used again later is copied again.
  void plan_stream() {
    std::size_t slot = 0;
    for (int step = 0; step < steps(); ++step) {
      std::size_t need = 0;
      for (const Tensor* t : streamed_at(step)) {
        need += slot_bytes_of(*t);
      }
      slot = std::max(slot, need);
    }
    if (slot == 0) {
      return;
    }
    const std::size_t begin =
        (plan_.arena_bytes + Plan::kAlignment - 1) / Plan::kAlignment * Plan::kAlignment;
    std::size_t used = slot;  // so that the first one opens a batch
    for (int step = 0; step < steps(); ++step) {
      std::vector<Tensor*> missing = streamed_at(step);
      const std::vector<Tensor*> need = missing;
      if (!plan_.stream.empty()) {
        for (const StreamedWeight& w : plan_.stream.back().weights) {
          std::erase(missing, w.tensor);
        }
      }
      std::size_t more = 0;
      for (const Tensor* t : missing) {
        more += slot_bytes_of(*t);
      }
      if (more > 0 && used + more > slot) {
        plan_.stream.push_back({step, {}});
        used = 0;
        missing = need;
      }
      for (Tensor* t : missing) {
        const std::size_t place = begin + (plan_.stream.size() - 1) % 2 * slot + used;
        plan_.stream.back().weights.push_back({t, static_cast<std::int64_t>(place)});
        used += slot_bytes_of(*t);
      }
    }
    plan_.arena_bytes = begin + std::min<std::size_t>(2, plan_.stream.size()) * slot;
  }

  const Graph& graph_;
  PlanOptions options_;
  Plan plan_;
  std::vector<int> block_of_, source_, last_use_, reads_;  ///< the last two of sources
  std::vector<std::int64_t> begin_;                        ///< bytes from the source's start
  std::vector<Block> blocks_;
};

}  // namespace

Plan make_plan(const Graph& graph, const PlanOptions& options) {
  return Planner(graph, options).make();
}

}  // namespace mantissa
