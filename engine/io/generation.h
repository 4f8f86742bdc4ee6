#pragma once
// The generation of a base model within its family, such as SD 2.x.

#include <string>
#include <string_view>

#include "engine/io/weights.h"

namespace mantissa {

/// The generation of a base model; null if it is of none. A part that can't be read is reported by
/// whoever uses it.
const FamilyGeneration* generation_of(const WeightSource& source);

/// The key of a base model in family_badge.h: of its family, or of its generation in that.
std::string generation_key(const WeightSource& source);

/// modelspec.architecture of a base model; `prediction` as in modelspec.prediction_type.
std::string_view architecture_of(const Family& family, const FamilyGeneration* generation,
                                 std::string_view prediction);

/// ss_base_model_version of an adapter for such a model.
std::string_view kohya_version_of(const Family& family, const FamilyGeneration* generation,
                                  std::string_view prediction);

}  // namespace mantissa
