#include "engine/plan/fit_weights.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/adapters/dora.h"
#include "engine/core/amount_text.h"
#include "engine/core/error.h"
#include "engine/io/image.h"
#include "engine/io/module_path.h"
#include "engine/nn/weight_store.h"
#include "engine/plan/backend.h"
#include "engine/plan/job_precision.h"
#include "engine/precision/dtypes.h"
#include "engine/preset/names.h"
#include "engine/preset/preset_io.h"
#include "kernels/block_codes.h"

namespace mantissa {
namespace {

/// "denoiser.down_blocks.*.resnets.*.conv1" of "denoiser.down_blocks.1.resnets.0.conv1".
std::string pattern_of(const std::string& path) {
  std::string pattern;
  for (std::size_t i = 0; i < path.size();) {
    const std::size_t end = std::min(path.find('.', i), path.size());
    const bool number = std::all_of(path.begin() + static_cast<std::ptrdiff_t>(i),
                                    path.begin() + static_cast<std::ptrdiff_t>(end),
                                    [](unsigned char c) { return std::isdigit(c) != 0; });
    pattern += (i > 0 ? "." : "") + (number ? std::string("*") : path.substr(i, end - i));
    i = end + 1;
  }
  return pattern;
}

/// The types to choose from, the smallest first.
std::array<StorageType, 3> ladder(ComputeType compute) {
  const DType wide = activation_dtype(compute);
  return {StorageType::nf4, StorageType::int8,
          wide == DType::bf16  ? StorageType::bf16
          : wide == DType::f16 ? StorageType::fp16
                               : StorageType::fp32};
}
constexpr int kTypes = 3;

/// Layers that get one type.
struct Group {
  std::vector<std::string> paths;
  std::array<double, kTypes> noise{};  ///< sum of the layers' noise over their signal
  std::array<std::uint64_t, kTypes> bytes{};
  int type = 0;  ///< in the ladder
};
using Groups = std::map<std::string, Group>;

class Fitting {
 public:
  Fitting(const PlannedRun& run, Kernels& kernels, const PeakFunction& peak)
      : run_(run),
        kernels_(kernels),
        peak_(peak),
        types_(ladder(run.job.preset.precision.compute)) {
    collect();
  }

  WeightFit fit(std::uint64_t limit, const Progress& progress) {
    for (auto& [pattern, group] : groups_) {
      group.type = 0;
    }
    widened_.clear();
    WeightFit result;
    result.least_bytes = peak_(chosen());
    if (result.least_bytes > limit) {
      throw Error(
          ErrorKind::out_of_memory,
          message<"training needs {need} with the denoiser in NF4, more than the {free} "
                  "given; turn on training.gradient_checkpointing, or lower data.batch_size "
                  "or data.resolution">(bytes_text(result.least_bytes), bytes_text(limit)));
    }
    if (!measured_) {
      measure(progress);
      measured_ = true;
    }
    widen(limit, result.least_bytes);
    result.peak_bytes = peak_(chosen());
    while (result.peak_bytes > limit && !widened_.empty()) {
      // Buffers for a wider type's conversion can be larger too.
      const auto [pattern, before] = widened_.back();
      widened_.pop_back();
      groups_.at(pattern).type = before;
      result.peak_bytes = peak_(chosen());
    }
    report(result);
    return result;
  }

 private:
  /// The layers that are stored in NF4 where the preset says so: not those of built-in pins, or of
  /// the preset's.
  void collect() {
    const Preset preset = chosen();
    for (const PlannedModule& module :
         planned_modules(run_.source, PrecisionRules(preset, run_.source.family().id()))) {
      if (module.storage == dtype_name(DType::nf4) && split_path(module.path).part == kDenoiser) {
        groups_[pattern_of(module.path)].paths.push_back(module.path);
      }
    }
    separate();
  }

  /// A pattern that matches another group's layers too is replaced by its layers' own paths.
  void separate() {
    Groups apart;
    for (const auto& [pattern, group] : groups_) {
      const bool alone = std::ranges::all_of(groups_, [&](const auto& other) {
        return other.first == pattern ||
               std::ranges::none_of(other.second.paths, [&](const std::string& path) {
                 return names_module(pattern, path);
               });
      });
      for (const std::string& path : group.paths) {
        apart[alone ? pattern : path].paths.push_back(path);
      }
    }
    groups_ = std::move(apart);
  }

  /// Measures every layer in every type.
  void measure(const Progress& progress) {
    std::int64_t done = 0, total = 0;
    for (const auto& [pattern, group] : groups_) {
      total += std::ssize(group.paths);
    }
    for (auto& [pattern, group] : groups_) {
      for (const std::string& path : group.paths) {
        measure(path, group);
        if (progress) {
          progress(RunPhase::loading, ++done, total);
        }
      }
    }
  }

  void measure(const std::string& path, Group& group) {
    const std::string weight = path + ".weight";
    const std::string name(split_path(weight).below);
    const Shape shape = run_.source.shape(kDenoiser, name);
    WeightStore store(kernels_, run_.source);
    const std::vector<float> exact = store.values(weight);
    for (int t = 0; t < kTypes; ++t) {
      const Tensor& tensor = store.frozen(weight, shape, dtype_of(types_[at(t)]));
      const std::vector<float> stored = frozen_values(kernels_, tensor);
      double signal = 0, noise = 0;
      for (std::size_t i = 0; i < exact.size(); ++i) {
        const double x = exact[i], error = x - static_cast<double>(stored[i]);
        signal += x * x;
        noise += error * error;
      }
      group.noise[at(t)] += signal > 0 ? noise / signal : 0;
      group.bytes[at(t)] += tensor.bytes();
    }
  }

  /// What type `t` takes beyond the group's present one. Negative for small layers, which NF4's map
  /// of scales makes larger than INT8.
  static std::int64_t added_bytes(const Group& group, int t) {
    return static_cast<std::int64_t>(group.bytes[at(t)]) -
           static_cast<std::int64_t>(group.bytes[at(group.type)]);
  }

  /// While there is room: the step that takes away most noise for its bytes.
  void widen(std::uint64_t limit, std::uint64_t least) {
    auto left = static_cast<std::int64_t>(limit - least);
    for (;;) {
      Group* best = nullptr;
      const std::string* best_pattern = nullptr;
      int best_type = 0;
      double most = 0;
      for (auto& [pattern, group] : groups_) {
        for (int t = group.type + 1; t < kTypes; ++t) {
          const std::int64_t more = added_bytes(group, t);
          const double gain = group.noise[at(group.type)] - group.noise[at(t)];
          const double rate = gain / static_cast<double>(std::max<std::int64_t>(more, 1));
          if (more <= left && rate > most) {
            best = &group;
            best_pattern = &pattern;
            best_type = t;
            most = rate;
          }
        }
      }
      if (best == nullptr) {
        return;
      }
      left -= added_bytes(*best, best_type);
      widened_.emplace_back(*best_pattern, best->type);
      best->type = best_type;
    }
  }

  /// The preset with the types chosen so far.
  Preset chosen() const {
    Preset preset = run_.job.preset;
    preset.precision.weights.denoiser = StorageType::nf4;
    for (const auto& [pattern, group] : groups_) {
      if (group.type > 0) {
        preset.precision.pins.emplace(pattern, types_[at(group.type)]);
      }
    }
    return preset;
  }

  void report(WeightFit& result) const {
    for (const auto& [pattern, group] : groups_) {
      const double noise = group.noise[at(group.type)] / static_cast<double>(group.paths.size());
      result.groups.push_back(
          {pattern, types_[at(group.type)], -10 * std::log10(noise), group.bytes[at(group.type)]});
    }
    nlohmann::json patch = nlohmann::json::object();
    for (const PresetChange& change : diff_presets(run_.job.preset, chosen())) {
      patch[change.key] = change.b;
    }
    result.patch_json = patch.dump();
  }

  static std::size_t at(int type) { return static_cast<std::size_t>(type); }

  const PlannedRun& run_;
  Kernels& kernels_;
  const PeakFunction& peak_;
  std::array<StorageType, kTypes> types_;
  Groups groups_;
  bool measured_ = false;
  std::vector<std::pair<std::string, int>> widened_;  ///< groups, with their types before
};

}  // namespace

WeightFit fit_weights(const PlannedRun& run, Kernels& kernels, std::uint64_t limit,
                      const PeakFunction& peak, const Progress& progress) {
  return fit_weights(run, kernels, {&limit, 1}, peak, progress).front();
}

std::vector<WeightFit> fit_weights(const PlannedRun& run, Kernels& kernels,
                                   std::span<const std::uint64_t> limits, const PeakFunction& peak,
                                   const Progress& progress) {
  const ComputeType compute = run.job.preset.precision.compute;
  if (multiplied_codes(compute)) {
    throw Error(
        message<"{setting} is {value}, which decides the type of weights; choose bf16, fp16 "
                "or fp32 to fit them to a memory limit">("precision.compute", enum_name(compute)));
  }
  Fitting fitting(run, kernels, peak);
  std::vector<WeightFit> fits;
  for (const std::uint64_t limit : limits) {
    fits.push_back(fitting.fit(limit, progress));
  }
  return fits;
}

WeightFit fit_job(const JobSpec& job, std::uint64_t limit, PlanObserver& observer) {
  const ImageLibrary images;
  PlannedRun run = open_run(job);
  refuse_conflicts(run.precision);
  const std::unique_ptr<Kernels> kernels = make_backend(job.device);
  scan_images(run, observer);
  plan_memory(run, *kernels, {}, EncodedDataset::Look::headers);
  return fit_weights(
      run, *kernels, limit, [&](const Preset& preset) { return peak_with(run, *kernels, preset); },
      observer.progress());
}

}  // namespace mantissa
