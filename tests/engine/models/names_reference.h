#pragma once
// What the names of every transformer are tested for: weights of the released model in both
// namings, modules of adapters, configs.

#include <algorithm>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/adapters/trained_set.h"
#include "engine/io/json_file.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa::testing_support {

/// Weights by name, and their shapes.
using Weights = std::map<std::string, Shape>;

/// Every weight that a released transformer binds, by name below the part.
template <typename Transformer, typename Config>
Weights released_weights(const Config& config) {
  WeightStore store = WeightStore::planning();
  const Transformer model(config, Scope(store, nullptr, kDenoiser));
  Weights weights;
  for (const auto& [path, shape] : store.bound()) {
    weights.emplace(path.substr(path.find('.') + 1), shape);
  }
  return weights;
}

/// How many modules of a released transformer the adapters of this set of targets have.
template <typename Transformer, typename Config>
std::size_t adapted_modules(const char* set, const Family& family, const Config& config,
                            Part part = kDenoiser) {
  TrainedSet adapters = TrainedSet::planning(lora_preset({set}, 4, 4, 4, {part}), family);
  WeightStore store = WeightStore::planning();
  const Transformer model(config, Scope(store, &adapters, part));
  return adapters.adapters().size();
}

/// Whether this name is of a block of one of these stacks, but not of its first.
bool in_later_block(std::string_view name, std::initializer_list<std::string_view> stacks);
/// The names and shapes are those of tests/golden/keys/<table>, which has the first block of each
/// stack.
void expect_released(const Weights& weights, const std::string& table,
                     std::initializer_list<std::string_view> stacks, std::size_t tensors,
                     std::int64_t parameters);

/// Every name has an original one and comes back from it; returns the original ones.
template <typename ToOriginal, typename ToDiffusers>
std::set<std::string> original_names(const Weights& weights, ToOriginal&& to_original,
                                     ToDiffusers&& to_diffusers) {
  std::set<std::string> originals;
  for (const auto& [name, shape] : weights) {
    const auto original = to_original(name);
    const auto mapping = original ? to_diffusers(original->name) : std::nullopt;
    if (!mapping) {
      ADD_FAILURE() << name;
      continue;
    }
    originals.insert(original->name);
    EXPECT_EQ(mapping->part, kDenoiser);
    EXPECT_EQ(mapping->transform, original->transform);
    std::vector<std::string> shares;  // whose each is
    for (std::size_t i = 0; i < mapping->names.size(); ++i) {
      shares.insert(shares.end(), mapping->spans.empty() ? 1 : mapping->spans.at(i),
                    mapping->names[i]);
    }
    EXPECT_EQ(shares.size(), static_cast<std::size_t>(original->slices));
    EXPECT_EQ(std::ranges::count(shares, name), original->span);
    EXPECT_EQ(shares.at(static_cast<std::size_t>(original->slice)), name);
  }
  return originals;
}

/// `known` are among the original names, `unknown` are no names of the family.
template <typename ToDiffusers>
void expect_names(const std::set<std::string>& originals, ToDiffusers&& to_diffusers,
                  std::initializer_list<const char*> known,
                  std::initializer_list<const char*> unknown) {
  for (const char* name : known) {
    EXPECT_TRUE(originals.contains(name)) << name;
  }
  for (const char* name : unknown) {
    EXPECT_FALSE(to_diffusers(name)) << name;
  }
}

/// A module's name in an adapter, and which of a test's paths it means.
struct ModuleNameCase {
  const char* name;
  std::size_t path;
};
void expect_modules(const ModelNames& base, const std::vector<std::string>& paths,
                    const std::vector<ModuleNameCase>& cases);

/// A golden file that is read and written again has the same tensors.
void expect_written_as_read(const std::string& file);

/// A golden folder written into one file has `names` there, and is read with the same parts, names
/// and values.
void expect_all_parts_in_one_file(const std::string& model, const Family& family,
                                  std::initializer_list<const char*> names);

/// Reading the config of a part of this tiny folder fails if `field` has another value, and tells
/// `texts`.
template <typename Read>
void expect_refused(const char* model, const char* part, const char* field,
                    const nlohmann::json& other, std::initializer_list<std::string> texts,
                    Read&& read) {
  const test::TempFolder folder;
  std::filesystem::copy(golden_model(model), folder / "m",
                        std::filesystem::copy_options::recursive);
  const std::filesystem::path path = folder / "m" / part / "config.json";
  nlohmann::json config = read_json(path);
  config[field] = other;
  std::ofstream(path) << config;
  test::expect_error_with([&] { read(WeightSource::open(folder / "m")); }, texts);
}

}  // namespace mantissa::testing_support
