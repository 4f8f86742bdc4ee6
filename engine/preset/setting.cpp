#include "engine/preset/setting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/preset/number_text.h"

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

Message allowed_values(const Setting& s) {
  const auto bound = [](double v) { return value_io::number_to_json(v).dump(); };
  const std::string choices = fmt::format("{}", fmt::join(s.choices, ", "));
  switch (s.kind) {
    case Kind::boolean:
      return message<"true or false">();
    case Kind::integer:
      return value_io::whole_number(s.min, s.max);
    case Kind::number:
      return message<"a number from {least} to {most}">(bound(s.min), bound(s.max));
    case Kind::text:
      return s.text == TextRule::file_stem ? message<"a file name without folder or extension">()
                                           : message<"text">();
    case Kind::choice:
      return message<"one of {choices}">(choices);
    case Kind::text_list:
      return message<"a list of texts">();
    case Kind::integer_list:
      return message<"a list of whole numbers from {least} to {most}, each once">(bound(s.min),
                                                                                  bound(s.max));
    case Kind::choice_list:
      return message<"a list with at least one of {choices}">(choices);
    case Kind::targets:
      return message<"one of {choices}, or a list of module-path patterns">(choices);
    case Kind::number_pair:
      return message<"a list of two numbers from {least} to {most}">(bound(s.min), bound(s.max));
    case Kind::choice_or_number:
      return message<"one of {choices}, or a number from {least} to {most}">(choices, bound(s.min),
                                                                             bound(s.max));
    case Kind::pins:
      return message<"an object of at most 256 module-path patterns, each with one of {choices}">(
          choices);
    case Kind::objects: {
      std::vector<std::string_view> keys;
      for (const ItemField& f : s.fields) {
        keys.push_back(f.key);
      }
      return message<"a list of objects with the keys {keys}">(
          fmt::format("{}", fmt::join(keys, ", ")));
    }
  }
  return {};
}

}  // namespace mantissa
