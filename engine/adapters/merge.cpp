#include "engine/adapters/merge.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <map>

#include "engine/adapters/adapter.h"
#include "engine/adapters/adapter_file.h"
#include "engine/adapters/delta.h"
#include "engine/adapters/export.h"
#include "engine/adapters/finite_change.h"
#include "engine/adapters/module_weight.h"
#include "engine/adapters/parallel_modules.h"
#include "engine/adapters/resize.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/model_titles.h"
#include "engine/io/module_path.h"
#include "engine/precision/run_findings.h"

namespace mantissa {
namespace {

std::vector<float> values_of(const WeightSource& source, Part part, const std::string& name) {
  std::vector<float> values(static_cast<std::size_t>(source.shape(part, name).count()));
  source.read_f32(part, name, values);
  return values;
}

/// Several adapters together may go where none of them goes.
void require_finite_sum(std::span<const float> sum, const std::string& weight) {
  if (!std::ranges::all_of(sum, [](float x) { return std::isfinite(x); })) {
    throw Error(message<"{weight}: with the adapters added it is beyond what FP32 holds and would "
                        "be written as Inf/NaN. Merge them at smaller weights, or leave out the "
                        "one that is damaged">(weight));
  }
}

DType dtype_in(const ModelContents& model, Part part, std::string_view name) {
  const auto found = model.parts.find(part);
  if (found != model.parts.end()) {
    for (const ModelTensor& tensor : found->second) {
      if (tensor.name == name) {
        return tensor.dtype;
      }
    }
  }
  return DType::f32;
}

}  // namespace

void merge_adapters(ModelContents& model, const WeightSource& source,
                    std::span<const WeightedAdapter> adapters) {
  std::map<std::string, std::vector<std::pair<const AdapterModule*, double>>> by_path;
  const auto base_weight = [&source](std::string_view path) {
    const auto [part, name] = weight_of_module(path);
    return values_of(source, part, name);
  };
  for (const WeightedAdapter& file : adapters) {
    require_finite_changes(*file.modules, file.file, base_weight, file.weight);
    for (const AdapterModule& module : *file.modules) {
      by_path[module.path].emplace_back(&module, file.weight);
    }
  }
  for (const auto& [path, changes] : by_path) {
    const auto [part, name] = weight_of_module(path);
    if (!source.contains(part, name)) {
      throw Error(message<"{path}: the LoRA adapts this module, but the base model has none of "
                          "that name. Was it made for another base model?">(path));
    }
    if (const DType kept = dtype_in(model, part, name); dtype_size(kept) == 1) {
      throw finding_error(ErrorKind::precision, merge_into_fp8(path_to_utf8(source.path()), kept));
    }
    replace_values(model, part, name, [&source, part = part, name = name, changes = changes] {
      const std::vector<float> base = values_of(source, part, name);
      std::vector<float> sum = base;
      for (const auto& [module, strength] : changes) {
        const std::vector<float> delta = weight_delta(*module, base);
        for (std::size_t i = 0; i < sum.size(); ++i) {
          sum[i] += static_cast<float>(strength) * delta[i];
        }
      }
      require_finite_sum(sum, name);
      return sum;
    });
  }
}

namespace {

using SummedChanges = std::map<std::pair<Part, std::string>, std::vector<float>>;

/// Σ strength·change of each weight.
SummedChanges summed(std::span<const WeightedChanges> files) {
  SummedChanges sums;
  for (const WeightedChanges& file : files) {
    for (const WeightChange& change : *file.changes) {
      std::vector<float>& sum = sums[part_and_weight(change.path)];
      sum.resize(change.values.size(), 0.0F);
      for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] += static_cast<float>(file.weight) * change.values[i];
      }
    }
  }
  return sums;
}

std::vector<float> plus(std::vector<float> values, const std::vector<float>& change) {
  std::transform(values.begin(), values.end(), change.begin(), values.begin(), std::plus<>());
  return values;
}

}  // namespace

void merge_changes(ModelContents& model, const WeightSource& source,
                   std::span<const WeightedChanges> files) {
  for (auto& [key, change] : summed(files)) {
    replace_values(model, key.first, key.second, [&source, key = key, change = change] {
      std::vector<float> sum = plus(values_of(source, key.first, key.second), change);
      require_finite_sum(sum, key.second);
      return sum;
    });
  }
}

std::map<std::pair<Part, std::string>, std::vector<float>> changed_values(
    const WeightSource& source, std::span<const WeightedChanges> files) {
  SummedChanges sums = summed(files);
  for (auto& [key, values] : sums) {
    values = plus(values_of(source, key.first, key.second), values);
  }
  return sums;
}

namespace {

/// Those of `modules` whose weights differ, with the shapes of their factors alone.
std::vector<AdapterModule> changed_modules(
    const WeightSource& base, const WeightSource& tuned, const std::vector<std::string>& modules,
    const std::function<void(std::int64_t, std::size_t)>& tell) {
  std::atomic<std::int64_t> done = 0;
  std::vector<char> differs(modules.size());
  for_each_module(modules.size(), [&](std::size_t i) {
    tell(done++, modules.size());
    const auto [part, name] = weight_of_module(modules[i]);
    differs[i] =
        tuned.has_part(part) && values_of(tuned, part, name) != values_of(base, part, name) ? 1 : 0;
  });
  std::vector<AdapterModule> changed;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    if (differs[i] != 0) {
      const auto [part, name] = weight_of_module(modules[i]);
      AdapterModule& module = changed.emplace_back(AdapterModule{.path = modules[i]});
      module.down_shape = down_shape(base.shape(part, name), 0);
      module.up_shape = up_shape(base.shape(part, name), 0);
    }
  }
  return changed;
}

/// Throws Error if one of two denoisers has a layer that the other lacks, as FLUX.1 dev has one for
/// its guidance scale: an adapter adds none.
void require_one_network(const WeightSource& base, const WeightSource& tuned, Part part) {
  if (part != kDenoiser) {
    return;
  }
  for (const auto& [one, other] : {std::pair{&base, &tuned}, std::pair{&tuned, &base}}) {
    for (const std::string& name : one->names(part)) {
      if (!other->contains(part, name)) {
        throw Error(message<"{path} ({model}) has the {part} weight '{weight}', which {other} "
                            "({other_model}) lacks: they have different networks, and an adapter "
                            "can't hold that. Give the model that the tuned one was made from">(
            path_to_utf8(one->path()), full_title(*one), part.name(), name,
            path_to_utf8(other->path()), full_title(*other)));
      }
    }
  }
}

}  // namespace

ExtractResult extract_adapter(const WeightSource& base, const WeightSource& tuned, int rank,
                              double energy, const ExtractCheck& check,
                              const ExtractProgress& progress) {
  const auto tell = [&](std::int64_t done, std::size_t total) {
    if (progress) {
      progress(done, static_cast<std::int64_t>(total));
    }
  };
  ExtractResult result;
  const std::vector<std::string> modules = adaptable_modules(base);
  std::map<std::pair<Part, std::string>, bool> adaptable;
  for (const std::string& path : modules) {
    adaptable[weight_of_module(path)] = true;
  }
  for (const PartFiles& files : base.family().parts) {
    const Part part = files.part;
    if (part == kVae || !base.has_part(part) || !tuned.has_part(part)) {
      continue;
    }
    require_one_network(base, tuned, part);
    for (const std::string& name : base.names(part)) {
      if (!tuned.contains(part, name) || !(tuned.shape(part, name) == base.shape(part, name))) {
        throw Error(message<"{path} and {other} differ in the {part} weight '{weight}'; are they "
                            "of one architecture?">(path_to_utf8(tuned.path()),
                                                    path_to_utf8(base.path()), part.name(), name));
      }
      if (!adaptable.contains({part, name}) &&
          values_of(base, part, name) != values_of(tuned, part, name)) {
        result.left_out.push_back(module_path(part, name));
      }
    }
  }
  const std::vector<AdapterModule> changed = changed_modules(base, tuned, modules, tell);
  if (check) {
    check(changed);
  }
  std::vector<std::optional<PlainLora>> found(changed.size());
  std::atomic<std::int64_t> done = 0;
  for_each_module(changed.size(), [&](std::size_t i) {
    tell(done++, changed.size());
    const auto [part, name] = weight_of_module(changed[i].path);
    std::vector<float> delta = values_of(tuned, part, name);
    const std::vector<float> from = values_of(base, part, name);
    std::transform(delta.begin(), delta.end(), from.begin(), delta.begin(), std::minus<>());
    found[i] = low_rank_module(changed[i].path, base.shape(part, name), delta, rank, energy);
  });
  for (std::optional<PlainLora>& lora : found) {
    if (lora) {
      result.error = std::max(result.error, lora->error);
      result.modules.push_back(std::move(lora->module));
    }
  }
  return result;
}

}  // namespace mantissa
