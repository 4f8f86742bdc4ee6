#include "engine/precision/catalogue_entry.h"

namespace mantissa {

std::string_view area_title(CatalogueArea area) {
  switch (area) {
    case CatalogueArea::loss_scaling:
      return "Loss scaling";
    case CatalogueArea::hardware:
      return "Hardware and FP8 products";
    case CatalogueArea::quantised_base:
      return "FP8 and quantised base models";
    case CatalogueArea::adapters:
      return "Adapters";
    case CatalogueArea::optimizers:
      return "BF16 and optimizers";
    case CatalogueArea::diffusion:
      return "Diffusion numerics";
    case CatalogueArea::data:
      return "Training data";
    case CatalogueArea::graph:
      return "Graph";
  }
  return "?";
}

std::string_view found_at_text(FoundAt when) {
  switch (when) {
    case FoundAt::plan:
      return "before launch, from preset, model and device";
    case FoundAt::base:
      return "before launch, from the base model's names and configs";
    case FoundAt::model:
      return "before launch, from the model's modules";
    case FoundAt::run:
      return "when the data, the step or the file shows it";
    case FoundAt::file:
      return "when the preset is read";
    case FoundAt::never:
      return "can't happen";
  }
  return "?";
}

}  // namespace mantissa
