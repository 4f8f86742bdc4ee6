#include "engine/models/chroma/chroma_variant.h"

#include "engine/io/model_titles.h"
#include "engine/io/weights.h"

namespace mantissa {

ModelVariant chroma_variant(const WeightSource& source) {
  for (const std::string& title : model_titles(source)) {
    if (title_says(title, "flash")) {
      return {"Flash", true, message<"it is called '{name}'">(title)};
    }
  }
  return {};
}

}  // namespace mantissa
