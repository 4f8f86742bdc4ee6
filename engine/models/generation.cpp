#include "engine/models/generation.h"

#include "engine/io/family.h"
#include "engine/io/weights.h"

namespace mantissa {

std::string generation_key(const WeightSource& source) {
  const Family& family = source.family();
  std::string key = family.generation == nullptr ? std::string() : family.generation(source);
  return key.empty() ? std::string(family.id().name()) : key;
}

}  // namespace mantissa
