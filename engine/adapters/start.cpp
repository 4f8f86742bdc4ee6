#include "engine/adapters/start.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/adapters/low_rank.h"
#include "engine/adapters/resize.h"
#include "engine/adapters/trained_set.h"
#include "engine/core/error.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// Why the adapter can't start from this module of the file; empty if it can.
Message refusal(const std::string& file, const Adapter& adapter, const AdapterModule& module) {
  const Shape& weight = adapter.shape;
  Shape other = module.down_shape;
  other[0] = module.up_shape[0];
  if (weight.count() != other.count() || weight[0] != other[0]) {
    return message<
        "{file}: {module} is for a weight {given}, but the base model's is {wanted}. Was it made "
        "for another base model?">(file, module.path, other.str(), weight.str());
  }
  if (adapter.product && (!module.product || module.product->type != adapter.product->type)) {
    return message<
        "{file}: {module} is no {form} and can't be continued as one. Set adapter.type to what it "
        "was trained as">(file, module.path, adapter_title(adapter.product->type));
  }
  if (module.dora_axis && adapter.product && !adapter.dora) {
    return message<
        "{file}: {module} has magnitudes, and adapter.decompose is off. Turn it on, or write the "
        "file as plain LoRA first (`mantissa convert --format plain_lora`)">(file, module.path);
  }
  if (module.dora_axis && !adapter.dora) {
    return message<
        "{file}: {module} is a DoRA, but adapter.type is lora. Set adapter.type to dora, or write "
        "it as plain LoRA first (`mantissa convert --format plain_lora`)">(file, module.path);
  }
  if (module.dora_axis && *module.dora_axis != adapter.dora->axis) {
    return message<
        "{file}: {module} has its magnitudes per {given}, but adapter.dora_axis is {wanted}. Set "
        "it to {given}">(file, module.path, enum_name(*module.dora_axis),
                         enum_name(adapter.dora->axis));
  }
  return {};
}

void require_factors(const std::string& file, const AdapterModule& module, const Adapter& adapter) {
  const auto& members = module.product->members;
  for (const ProductAdapter::Member& own : adapter.product->members) {
    const auto given = std::ranges::find(members, own.role, &ProductModule::Member::role);
    if (given == members.end() || given->shape.count() != own.tensor.shape.count()) {
      throw Error(message<"{file}: {module} has factors of other shapes than are trained here. Set "
                          "adapter.rank, adapter.conv_rank, adapter.ranks and adapter.factor as "
                          "they were for it">(file, module.path));
    }
  }
}

/// The values of a LoHa or LoKr of the same shapes, the first factor at the adapter's scale.
void place_product(const AdapterModule& module, const Adapter& adapter,
                   std::map<std::string, std::vector<float>>& state) {
  const ProductModule& product = *module.product;
  const double ratio = product.alpha / product.rank / static_cast<double>(adapter.scale);
  for (const ProductAdapter::Member& own : adapter.product->members) {
    const auto given = std::ranges::find(product.members, own.role, &ProductModule::Member::role);
    std::vector<float>& values = state.at(own.tensor.name);
    values = given->values;
    if (&own == &adapter.product->members.front()) {
      for (float& x : values) {
        x = static_cast<float>(ratio * static_cast<double>(x));
      }
    }
  }
}

/// Values of the module's factors in an adapter of `rank`, whose fresh ones `down` and `up` hold:
/// first those of the module, then fresh rows of A with zero columns of B; so too for directions
/// that the module has no change in, whose squares are at most `rounding` of the largest.
void place(const AdapterModule& module, int rank, double scale, double rounding,
           std::vector<float>& down, std::vector<float>& up) {
  const std::vector<float> fresh = down;
  const auto had = static_cast<std::size_t>(module.rank), now = static_cast<std::size_t>(rank);
  const std::size_t rows = module.up.size() / had;
  std::copy(module.down.begin(), module.down.end(), down.begin());
  std::fill(up.begin(), up.end(), 0.0F);
  const auto factor = static_cast<float>(module.alpha / module.rank / scale);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < had; ++j) {
      up[i * now + j] = factor * module.up[i * had + j];
    }
  }
  revive_dead(down, up, rank, fresh, rounding);
}

/// What of a file's modules a set takes over, and how much it leaves out.
struct Takeover {
  std::size_t cut = 0;   ///< modules whose rank is above the one trained
  std::size_t used = 0;  ///< modules taken over
  double error = 0;      ///< the largest share of a cut module's change that is left out

  /// The module in at most the adapter's rank.
  AdapterModule take(const AdapterModule& module, const Adapter& adapter) {
    ++used;
    if (adapter.product || (module.rank > 0 && module.rank <= adapter.rank)) {
      return module;
    }
    PlainLora smaller = resized(module, adapter.rank);
    error = std::max(error, smaller.error);
    ++cut;
    return std::move(smaller.module);
  }

  std::vector<Message> notices(const TrainedSet& set, const std::string& file) const {
    std::vector<Message> all;
    if (cut > 0) {
      all.push_back(
          message<
              "{file}: {count} modules were cut to the rank trained here by their singular values; "
              "at most {share}% of a module's change is left out. A higher adapter.rank keeps it">(
              file, cut, fmt::format("{:.2g}", 100 * error)));
    }
    if (used < set.adapters().size()) {
      all.push_back(
          message<"{file}: {missing} of {all} trained modules aren't in it and start fresh">(
              file, set.adapters().size() - used, set.adapters().size()));
    }
    return all;
  }
};

}  // namespace

void require_start(const TrainedSet& set, const std::vector<AdapterModule>& modules,
                   const std::string& file) {
  if (set.starts_from_pissa()) {
    throw Error(
        message<"{file}: adapter.init pissa takes its start from the base weights and changes "
                "them; set adapter.init to standard to continue from an adapter">(file));
  }
  for (const AdapterModule& module : modules) {
    const Adapter* adapter = set.adapter(module.path);
    if (adapter == nullptr) {
      throw Error(
          message<"{file}: {module} is adapted there, but not trained here. Widen adapter.targets "
                  "(or add the part to training.parts) so that nothing of the adapter is lost">(
              file, module.path));
    }
    if (const Message why = refusal(file, *adapter, module); !why.empty()) {
      throw Error(why);
    }
    if (adapter->product) {
      require_factors(file, module, *adapter);
    }
  }
}

std::vector<Message> start_from(TrainedSet& set, const std::vector<AdapterModule>& modules,
                                const std::string& file) {
  require_start(set, modules, file);
  std::map<std::string, std::vector<float>> state;
  for (const AdapterTensor& entry : set.tensors()) {
    state[entry.name] = set.values(*entry.tensor);
  }
  std::vector<std::string> plain;  // modules with new magnitudes
  Takeover takeover;
  for (const AdapterModule& module : modules) {
    const Adapter* adapter = set.adapter(module.path);
    const AdapterModule start = takeover.take(module, *adapter);
    if (adapter->product) {
      place_product(module, *adapter, state);
    } else {
      const bool cut = module.rank == 0 || module.rank > adapter->rank;
      place(start, adapter->rank, static_cast<double>(adapter->scale), cut ? kRounding : 0,
            state.at(adapter->down.name), state.at(adapter->up.name));
    }
    if (module.dora_axis) {
      state[adapter->dora->magnitude.name] = module.magnitude;
    } else if (adapter->dora) {
      plain.push_back(module.path);
    }
  }
  set.load(state);
  for (const std::string& path : plain) {
    set.renew_magnitudes(path);
  }
  return takeover.notices(set, file);
}

std::vector<Message> start_notices(const TrainedSet& set, const std::vector<AdapterModule>& modules,
                                   const std::string& file) {
  require_start(set, modules, file);
  Takeover takeover;
  for (const AdapterModule& module : modules) {
    takeover.take(module, *set.adapter(module.path));
  }
  return takeover.notices(set, file);
}

}  // namespace mantissa
