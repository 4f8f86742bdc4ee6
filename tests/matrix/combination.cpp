#include "tests/matrix/combination.h"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

#include "engine/precision/dtypes.h"
#include "engine/preset/names.h"

namespace mantissa::testing {
namespace {

using F = Combination;

/// splitmix64: a fixed sequence, so that the set is the same everywhere.
class Sequence {
 public:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }

 private:
  std::uint64_t state_ = 20;
};

/// Three settings with a value each.
using Triple = std::array<int, 6>;

template <typename Visit>
void for_triples(Visit&& visit) {
  for (int a = 0; a < F::kFactors; ++a) {
    for (int b = a + 1; b < F::kFactors; ++b) {
      for (int c = b + 1; c < F::kFactors; ++c) {
        visit(a, b, c);
      }
    }
  }
}

/// Steps in which each rule makes progress. Prodigy's own rate begins at 1e-6, and grows more
/// slowly where it follows an average.
std::int64_t steps_of(OptimizerType type) {
  return type == OptimizerType::prodigy_schedule_free ? 80 : 20;
}

/// A rate at which each rule makes progress in these steps.
double rate_of(OptimizerType type, AdapterType form) {
  const OptimizerRow& row = optimizer_row(type);
  if (row.finds_rate()) {
    return 1.0;
  }
  const double rate = !row.normalises                                              ? 0.1
                      : type == OptimizerType::muon                                ? 6e-3
                      : type == OptimizerType::lion || type == OptimizerType::came ? 1e-3
                                                                                   : 2e-3;
  // A product of LoKr's factors moves less than they do.
  return form == AdapterType::lokr ? 3 * rate : rate;
}

/// Everything in fp32.
Preset without_precision(const Combination& c) {
  const auto at = [&](F::Factor f) { return c.level[f]; };
  Preset p;
  p.output.name = "matrix";
  p.data.resolution = 64;
  p.adapter.rank = 4;
  p.adapter.alpha = 4;
  constexpr std::array kTypes{AdapterType::lora, AdapterType::dora, AdapterType::dora,
                              AdapterType::loha, AdapterType::lokr};
  p.adapter.type = kTypes[static_cast<std::size_t>(at(F::form))];
  p.adapter.dora_axis = at(F::form) == 2 ? DoraAxis::input : DoraAxis::output;
  p.optimizer.type = static_cast<OptimizerType>(at(F::optimizer));
  p.optimizer.learning_rate = rate_of(p.optimizer.type, p.adapter.type);
  p.training.steps = steps_of(p.optimizer.type);
  p.training.gradient_checkpointing = at(F::checkpointing) == 1;
  p.training.gradient_accumulation = at(F::accumulation) == 1 ? 2 : 1;
  p.training.max_grad_norm = at(F::clipping) == 1 ? 0.5 : 0.0;
  if (at(F::groups) == 1) {
    p.training.parts = {kDenoiser, kTe1, kTe2};
    for (const Part part : {kTe1, kTe2}) {
      OptimizerGroup group;
      group.part = part;
      group.weight_decay = 0.0;
      p.optimizer.groups.push_back(group);
    }
  }
  return p;
}

}  // namespace

std::string Combination::text() const {
  const auto name = [&](Factor f, std::span<const std::string_view> names) {
    return std::string(names[static_cast<std::size_t>(level[f])]);
  };
  constexpr std::array<std::string_view, 5> kForms{"lora", "dora-output", "dora-input", "loha",
                                                   "lokr"};
  const auto number = [&](Factor f, const char* first, const char* second) {
    return std::string(level[f] == 0 ? first : second);
  };
  return "weights=" + name(weights, enum_names<StorageType>()) +
         " compute=" + name(compute, enum_names<ComputeType>()) +
         " adapter=" + name(adapter, enum_names<MasterType>()) +
         " gradients=" + name(gradients, enum_names<MasterType>()) +
         " state=" + name(state, enum_names<StateType>()) + " form=" + name(form, kForms) +
         " optimizer=" + name(optimizer, enum_names<OptimizerType>()) +
         " checkpointing=" + number(checkpointing, "off", "on") +
         " groups=" + number(groups, "1", "3") + " accumulation=" + number(accumulation, "1", "2") +
         " clipping=" + number(clipping, "off", "on");
}

std::int64_t combination_count() {
  std::int64_t count = 1;
  for (int levels : F::kLevels) {
    count *= levels;
  }
  return count;
}

Combination combination(std::int64_t number) {
  Combination c;
  for (int f = 0; f < F::kFactors; ++f) {
    const int levels = F::kLevels[static_cast<std::size_t>(f)];
    c.level[static_cast<std::size_t>(f)] = static_cast<int>(number % levels);
    number /= levels;
  }
  return c;
}

std::vector<Combination> covering_combinations() {
  std::set<Triple> open;
  for_triples([&](int a, int b, int c) {
    for (int i = 0; i < F::kLevels[static_cast<std::size_t>(a)]; ++i) {
      for (int j = 0; j < F::kLevels[static_cast<std::size_t>(b)]; ++j) {
        for (int k = 0; k < F::kLevels[static_cast<std::size_t>(c)]; ++k) {
          open.insert({a, i, b, j, c, k});
        }
      }
    }
  });
  const auto triple = [](const Combination& x, int a, int b, int c) {
    return Triple{a, x.level[static_cast<std::size_t>(a)], b, x.level[static_cast<std::size_t>(b)],
                  c, x.level[static_cast<std::size_t>(c)]};
  };
  const auto gain = [&](const Combination& x) {
    int n = 0;
    for_triples([&](int a, int b, int c) { n += open.contains(triple(x, a, b, c)) ? 1 : 0; });
    return n;
  };
  Sequence random;
  std::vector<Combination> chosen;
  while (!open.empty()) {
    // A row covering some open triple, the rest drawn and then improved one setting at a time.
    Combination best;
    int most = -1;
    for (int attempt = 0; attempt < 6; ++attempt) {
      auto it = open.begin();
      std::advance(it, random.below(static_cast<int>(open.size())));
      const Triple start = *it;
      Combination x;
      for (int f = 0; f < F::kFactors; ++f) {
        x.level[static_cast<std::size_t>(f)] =
            random.below(F::kLevels[static_cast<std::size_t>(f)]);
      }
      for (int t = 0; t < 6; t += 2) {
        x.level[static_cast<std::size_t>(start[static_cast<std::size_t>(t)])] =
            start[static_cast<std::size_t>(t + 1)];
      }
      for (int f = 0; f < F::kFactors; ++f) {
        if (f == start[0] || f == start[2] || f == start[4]) {
          continue;
        }
        int best_level = x.level[static_cast<std::size_t>(f)], best_gain = -1;
        for (int l = 0; l < F::kLevels[static_cast<std::size_t>(f)]; ++l) {
          x.level[static_cast<std::size_t>(f)] = l;
          if (const int g = gain(x); g > best_gain) {
            best_gain = g;
            best_level = l;
          }
        }
        x.level[static_cast<std::size_t>(f)] = best_level;
      }
      if (const int g = gain(x); g > most) {
        most = g;
        best = x;
      }
    }
    for_triples([&](int a, int b, int c) { open.erase(triple(best, a, b, c)); });
    chosen.push_back(best);
  }
  return chosen;
}

std::size_t pairs_covered(const std::vector<Combination>& set) {
  std::set<std::array<int, 4>> seen;
  std::size_t rows = 0;
  for (std::size_t row = 0; row < set.size(); ++row) {
    for (int a = 0; a < F::kFactors; ++a) {
      for (int b = a + 1; b < F::kFactors; ++b) {
        const auto level = [&](int f) { return set[row].level[static_cast<std::size_t>(f)]; };
        if (seen.insert({a, level(a), b, level(b)}).second) {
          rows = row + 1;
        }
      }
    }
  }
  return rows;
}

Preset preset_of(const Combination& c) {
  const auto at = [&](F::Factor f) { return c.level[f]; };
  Preset p = without_precision(c);
  p.precision.weights.denoiser = static_cast<StorageType>(at(F::weights));
  // The matrix's GGUF file holds the denoiser alone.
  const bool gguf = p.precision.weights.denoiser == StorageType::gguf;
  p.precision.weights.text_encoders = gguf ? StorageType::bf16 : p.precision.weights.denoiser;
  p.precision.compute = static_cast<ComputeType>(at(F::compute));
  p.precision.adapter = static_cast<MasterType>(at(F::adapter));
  p.precision.gradients = static_cast<MasterType>(at(F::gradients));
  p.precision.optimizer_state = static_cast<StateType>(at(F::state));
  return p;
}

Preset reference_of(const Combination& c) {
  const Preset trained = preset_of(c);
  Preset p = without_precision(c);
  const auto kept = [](StorageType type) { return is_quantized(type) ? type : StorageType::fp32; };
  p.precision.weights.denoiser = kept(trained.precision.weights.denoiser);
  p.precision.weights.text_encoders = kept(trained.precision.weights.text_encoders);
  StorageType& denoiser = p.precision.weights.denoiser;
  const auto codes = multiplied_codes(trained.precision.compute);
  if (codes == DType::f8_e4m3) {
    denoiser = StorageType::fp8_e4m3;
  } else if (codes == DType::i8 && denoiser != StorageType::int8_convrot) {
    denoiser = StorageType::int8;
  }
  return p;
}

}  // namespace mantissa::testing
