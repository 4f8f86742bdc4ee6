#pragma once
// All that a run reads before its first step, opened before anything is computed from it.

#include <memory>

#include "engine/adapters/export.h"
#include "engine/adapters/read_adapter.h"
#include "engine/adapters/trained_set.h"
#include "engine/models/diffusion_model.h"
#include "engine/plan/planned_run.h"

namespace mantissa {

/// Reports tensors of the base model that aren't used.
void tell_unknown(const PlannedRun& run, PlanObserver& observer);

/// Opens the tokenizers and binds every network that the run uses to the base model's headers,
/// without loading a weight. A training, a check and the studio do so first, so that nothing of it
/// is refused after hours of encoding. Throws Error naming the file.
void open_networks(const PlannedRun& run);
/// Opens the adapters, or trained weights, that the settings ask for, as early. Throws Error if the
/// run couldn't write one of them.
void open_adapters(const PlannedRun& run);
/// Opens the adapter that a new run continues from, if any.
void open_start(const PlannedRun& run);
/// The line of a run that continues from an adapter.
Message continues_from(const JobSpec& job);
/// Logs what of that adapter a run leaves out, and that it continues from it.
void tell_start(const PlannedRun& run, PlanObserver& observer);
/// All three.
void open_inputs(const PlannedRun& run);
/// Logs each training adapter with its weight, and what of it is left out.
void tell_training_adapters(const PlannedRun& run, PlanObserver& observer);

/// A model of a run's base that loads nothing, with every network that the run uses bound.
std::unique_ptr<DiffusionModel> bound_networks(const PlannedRun& run);

/// The adapters of a run, bound by shape alone.
struct PlannedAdapters {
  explicit PlannedAdapters(const PlannedRun& run);
  TrainedSet set;
  std::unique_ptr<DiffusionModel> model;
};

/// Whether the job continues from an adapter; an embedding's file is one of words alone.
bool continues_adapter(const JobSpec& job);
/// The adapter that the job continues from, in the shapes of its base model. Throws Error naming
/// the file if it can't be read, or changes what no adapter here trains.
AdapterContents continued_adapter(const PlannedRun& run);

/// An image's size, from its header.
struct SizedImage {
  std::filesystem::path path;
  int width = 0, height = 0;
  bool bare = false;  ///< no file beside it holds a caption, and no table may
};
/// The first few images of a folder and of those below it, so that a draft can be checked while it
/// is edited. Throws Error if there are files and none of them is an image, or no file at all.
/// Needs a live ImageLibrary.
std::vector<SizedImage> first_images(const std::filesystem::path& folder);

}  // namespace mantissa
