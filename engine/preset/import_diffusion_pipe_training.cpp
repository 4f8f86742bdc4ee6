// Facts about diffusion-pipe behind this table: a step is an update, of gradient_accumulation_steps
// batches; a run ends after its epochs, or after max_steps if that is earlier. A list of batch
// sizes has one for each resolution, of which the nearest counts; images have one of their own
// where videos are trained too. Saved models and checkpoints of a run's state are two things there.
// A number of examples is turned into steps by the first batch size. Gradients are clipped to a
// norm of 1 unless they are released.

#include <cmath>

#include "engine/preset/import_diffusion_pipe_rules.h"
#include "engine/preset/import_values.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

constexpr std::string_view kImageBatch = "image_micro_batch_size_per_gpu";

/// The pair of a list with the largest resolution; null if it isn't a list of pairs.
const Json* largest_of(const Json& value) {
  const Json* largest = nullptr;
  if (!value.is_array()) {
    return nullptr;
  }
  for (const Json& item : value) {
    if (!item.is_array() || item.size() != 2 || !as_number(item[0]) || !as_number(item[1])) {
      return nullptr;
    }
    if (largest == nullptr || *as_number(item[0]) > *as_number((*largest)[0])) {
      largest = &item;
    }
  }
  return largest;
}

void batch_size(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (row.key != kImageBatch && d.find(kImageBatch) != nullptr) {
    d.ignore(row, message<"{key} counts instead.">(std::string(kImageBatch)));
    return;
  }
  const Json* largest = largest_of(value);
  if (largest == nullptr) {
    d.take(row, "data.batch_size", value);
  } else if (value.size() == 1) {
    d.take(row, "data.batch_size", (*largest)[1]);
  } else {
    d.take_changed(row, "data.batch_size", (*largest)[1],
                   message<"Each resolution has a batch size of its own there; here all have that "
                           "of the largest.">());
  }
}

void take_examples(DiffusionPipe& d, ImportRow& row, std::string_view target, const Json& value) {
  const auto examples = as_number(value);
  if (!examples) {
    d.refuse(row, message<"Not taken: not a number.">());
    return;
  }
  d.take_changed(row, target, std::max(1.0, std::floor(*examples / d.images_of_step())),
                 message<"Counts images there, here the steps that have as many on one device.">());
}

void save_examples(DiffusionPipe& d, ImportRow& row, const Json& value) {
  take_examples(d, row, "output.save_every", value);
}

/// save_every_n_examples takes the place of a number of steps there.
void save_steps(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (d.find("save_every_n_examples") != nullptr) {
    d.ignore(row, message<"{key} counts instead.">(std::string("save_every_n_examples")));
  } else {
    d.take(row, "output.save_every", value);
  }
}

/// Checkpoints that a run continues from; here every saved one is.
void checkpoint_epochs(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (d.find("save_every_n_epochs") != nullptr) {
    d.ignore(row, message<"Every checkpoint holds all that a run needs to continue exactly.">());
  } else {
    d.take(row, "output.save_epochs", value);
  }
}

void epochs(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (d.find("max_steps") == nullptr) {
    d.take(row, "training.epochs", value);
  } else {
    d.change(row, message<"It stops at whichever comes first there; here {key} decides.">(
                      std::string("max_steps")));
  }
}

void clipping(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (d.releases_gradients()) {
    d.take_changed(row, "training.max_grad_norm", 0,
                   message<"Gradients are not clipped there with gradient_release.">());
  } else {
    d.take(row, "training.max_grad_norm", value);
  }
}

/// True, or the name of another way to the same result.
void checkpointing(DiffusionPipe& d, ImportRow& row, const Json& value) {
  d.take(row, "training.gradient_checkpointing", !is_off(value));
}

/// Answers keys of validation without images for it; true if there are none.
bool has_no_validation(DiffusionPipe& d, ImportRow& row) {
  const bool none = d.find("eval_datasets") == nullptr;
  if (none) {
    d.ignore(row, message<"Not used there.">());
  }
  return none;
}

void validate_steps(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (!has_no_validation(d, row)) {
    d.take_changed(row, "training.validate_every", value,
                   message<"Which images is chosen here with data.validation_share.">());
  }
}

void validate_examples(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (!has_no_validation(d, row)) {
    take_examples(d, row, "training.validate_every", value);
  }
}

void validate_epochs(DiffusionPipe& d, ImportRow& row, const Json&) {
  if (!has_no_validation(d, row)) {
    d.change(row, message<"Not offered here: {what}.">(
                      message<"validation by epochs; set training.validate_every in steps">()));
  }
}

void dataset_file(DiffusionPipe& d, ImportRow& row, const Json&) {
  if (d.data_read) {
    d.ignore(row, message<"Read too: its keys follow.">());
  } else {
    d.change(row, kOtherFileNote.said());
  }
}

constexpr DiffusionPipeRule kPipeTrainingRules[] = {
    {"dataset", special, {}, dataset_file},
    {"micro_batch_size_per_gpu", special, {}, batch_size},
    {kImageBatch, special, {}, batch_size},
    {"uncond_fraction", take, "data.caption_dropout"},
    {"epochs", special, {}, epochs},
    {"max_steps", take, "training.steps"},
    {"gradient_accumulation_steps", take, "training.gradient_accumulation"},
    {"gradient_clipping", special, {}, clipping},
    {"activation_checkpointing", special, {}, checkpointing},
    {"save_every_n_epochs", take, "output.save_epochs"},
    {"save_every_n_steps", special, {}, save_steps},
    {"save_every_n_examples", special, {}, save_examples},
    {"checkpoint_every_n_minutes", take, "output.save_minutes"},
    {"checkpoint_every_n_epochs", special, {}, checkpoint_epochs},
    {"eval_datasets", ignored, words<"Images for validation are chosen for each run.">},
    {"eval_every_n_steps", special, {}, validate_steps},
    {"eval_every_n_examples", special, {}, validate_examples},
    {"eval_every_n_epochs", special, {}, validate_epochs},
};

}  // namespace

double DiffusionPipe::images_of_step() const {
  const Json* given = find("micro_batch_size_per_gpu");
  const bool listed = given != nullptr && given->is_array() && !given->empty();
  const Json first = listed ? given->front() : Json();
  const double batch =
      listed ? (first.is_array() && first.size() == 2 ? as_number(first[1]).value_or(1) : 1)
             : number("micro_batch_size_per_gpu", 1);
  return std::max(1.0, batch * batches());
}

std::span<const DiffusionPipeRule> diffusion_pipe_training_rules() {
  return kPipeTrainingRules;
}

}  // namespace mantissa
