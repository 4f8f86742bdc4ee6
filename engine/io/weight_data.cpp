#include "engine/io/weight_data.h"

#include <algorithm>

#include "engine/core/error.h"

namespace mantissa {

void WeightData::take(const ModelFiles& found) {
  for (std::size_t at = 0; at < found.files.size(); ++at) {
    const auto& [folder, tensors] = found.files[at];
    const std::string head = folder ? part_folder(*folder) + "." : "";
    const StoredScales& quantised =
        scales.emplace_back(tensors, files[at].metadata(), files[at].label());
    for (const TensorInfo& tensor : tensors) {
      if (quantised.contains(tensor.name)) {
        continue;
      }
      const auto mapping = names->canonical(folder, tensor);
      if (!mapping) {
        unknown.push_back(head + tensor.name);
        continue;
      }
      if (mapping->names.empty()) {
        ignored.push_back(head + tensor.name);
        if (!folder && mapping->transform == NameTransform::marker) {
          markers.push_back(tensor.name);
        }
      }
      parts_of_file[at].insert(mapping->part);
      const std::size_t count = mapping->names.size();
      const auto span_of = [&](std::size_t i) {
        return mapping->spans.empty() ? 1 : mapping->spans.at(i);
      };
      int shares = 0;
      for (std::size_t i = 0; i < count; ++i) {
        shares += span_of(i);
      }
      int first = 0;
      for (std::size_t i = 0; i < count; first += span_of(i), ++i) {
        const std::string& name = mapping->names[i];
        if (!part(mapping->part)
                 .emplace(name, Weight{&tensor, mapping->transform, first, shares, span_of(i),
                                       quantised.of(tensor.name), quantised.rotation(tensor.name),
                                       &files[at]})
                 .second) {
          throw Error(
              message<"'{file}': two tensors stand for the {part} weight '{weight}' (one of "
                      "them is '{tensor}')">(files[at].label(), mapping->part.name(), name,
                                             tensor.name));
        }
      }
    }
  }
  std::sort(ignored.begin(), ignored.end());
  std::sort(unknown.begin(), unknown.end());
}

}  // namespace mantissa
