// A slider that AI Toolkit trains from pairs of images: its image_reference_slider_trainer.
#include <cmath>
#include <string>

#include "engine/preset/import_ai_toolkit_rules.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

/// One key of a data set of pairs, or of the older form, which had one set.
void take_pair_key(AiToolkit& a, ImportRow& row, std::string_view name, const Json& value) {
  if (name == "size") {
    a.take(row, "data.resolution", value);
  } else if (name == "pair_folder" || name == "slider_pair_folder") {
    a.ignore(row, message<"Each file holds a pair side by side there. Cut them in the middle: the "
                          "right halves are the run's images, the left ones, of the same names, "
                          "its references.">());
  } else if (name.ends_with("_folder")) {
    a.ignore(row, message<"Chosen for each run: pos_folder has its images, neg_folder its "
                          "references.">());
  } else if (name == "target_class") {
    a.ignore(row,
             message<"Not offered here: {what}.">(message<"a caption for images without one">()));
  } else if (name.ends_with("weight") && std::fabs(as_number(value).value_or(0)) == 1) {
    a.ignore(row, message<"The same here.">());
  } else if (name.ends_with("weight") || (name == "weight_jitter" && !is_off(value))) {
    a.ignore(row,
             message<"Not offered here: {what}.">(message<"other weights at a slider's ends">()));
  } else {
    a.ignore(row, message<"Not used there.">());
  }
}

}  // namespace

void finish_ai_toolkit_pairs(AiToolkit& a) {
  if (!a.trains_pair_slider()) {
    return;
  }
  a.assume("slider.datasets.size", "data.resolution", 512,
           message<"Not given: the default of AI Toolkit.">());
  for (std::size_t i = 0; i < a.entries().size(); ++i) {
    const SourceEntry& entry = a.entries()[i];
    if (!entry.superseded_by.empty()) {
      continue;
    }
    ImportRow& row = a.row_at(i);
    if (entry.key.starts_with("slider.")) {
      take_pair_key(a, row, std::string_view(entry.key).substr(entry.key.find_last_of('.') + 1),
                    entry.value);
    } else if (entry.key == "train.max_denoising_steps" && as_number(entry.value) == 1000) {
      a.ignore(row, message<"The same here.">());
    }
  }
}

}  // namespace mantissa
