#include "engine/io/generation.h"

#include <algorithm>

#include "engine/io/family.h"

namespace mantissa {

const FamilyGeneration* generation_of(const WeightSource& source) {
  const Family& family = source.family();
  const std::string key = family.generation == nullptr ? "" : family.generation(source);
  const auto found = std::ranges::find(family.row.generations, key, &FamilyGeneration::key);
  return found == family.row.generations.end() ? nullptr : &*found;
}

std::string generation_key(const WeightSource& source) {
  const FamilyGeneration* generation = generation_of(source);
  return std::string(generation != nullptr ? generation->key : source.family().id().name());
}

std::string_view architecture_of(const Family& family, const FamilyGeneration* generation,
                                 std::string_view prediction) {
  return generation == nullptr ? family.architecture
         : prediction == "v"   ? generation->v_architecture
                               : generation->architecture;
}

std::string_view kohya_version_of(const Family& family, const FamilyGeneration* generation,
                                  std::string_view prediction) {
  return generation == nullptr ? family.kohya_version
         : prediction == "v"   ? generation->kohya_v_version
                               : generation->kohya_version;
}

}  // namespace mantissa
