#include "engine/preset/setting.h"

namespace mantissa {

std::string_view group_title(Group group) {
  switch (group) {
    case Group::about:
      return "About";
    case Group::model:
      return "Model";
    case Group::adapter:
      return "Adapter";
    case Group::precision:
      return "Precision";
    case Group::data:
      return "Data";
    case Group::training:
      return "Training";
    case Group::optimizer:
      return "Optimizer";
    case Group::schedule:
      return "Schedule";
    case Group::output:
      return "Output";
    case Group::samples:
      return "Samples";
  }
  return "";
}

}  // namespace mantissa
