#include "engine/plan/run_inputs.h"

#include <fmt/format.h>

#include "engine/adapters/merge.h"
#include "engine/adapters/output_names.h"
#include "engine/adapters/read_adapter.h"
#include "engine/adapters/start.h"
#include "engine/adapters/trained_set.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/caption_files.h"
#include "engine/io/image.h"
#include "engine/io/model_writer.h"
#include "engine/plan/job_paths.h"
#include "engine/plan/word_embeddings.h"
#include "engine/precision/dtypes.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

/// The networks of encoding, training and samples.
std::vector<Part> used_parts(const DiffusionModel& model, const PlannedRun& run) {
  const Preset& preset = run.job.preset;
  if (trains_vae(preset) || run.job.replay) {
    return model.training_parts(preset);
  }
  std::vector<Part> parts = model.training_parts(true);
  parts.push_back(kVae);
  return parts;
}

}  // namespace

PlannedAdapters::PlannedAdapters(const PlannedRun& run)
    : set(TrainedSet::planning(run.job.preset, run.source.family())),
      model(DiffusionModel::open_planning(run.source, &set, run.precision.rules)) {
  set.accompany(run.training_adapters);
  model->set_text_options(run.text);
  model->bind(model->training_parts(run.job.preset));
}

std::unique_ptr<DiffusionModel> bound_networks(const PlannedRun& run) {
  auto model = DiffusionModel::open_planning(run.source, nullptr, run.precision.rules);
  model->set_text_options(run.text);
  model->bind(used_parts(*model, run));
  return model;
}

void tell_unknown(const PlannedRun& run, PlanObserver& observer) {
  for (const std::string& name : run.source.unknown()) {
    observer.on_notice(LogLevel::warning,
                       message<"the base model's tensor {name} is unknown and not used">(name));
  }
}

void open_networks(const PlannedRun& run) {
  const auto model = bound_networks(run);
  if (reads_texts(run)) {
    model->tokenize("");
  }
}

void open_adapters(const PlannedRun& run) {
  const PlannedAdapters planned(run);
  planned.set.require_bound();
  std::vector<std::string> paths;
  for (const Adapter& adapter : planned.set.adapters()) {
    paths.push_back(adapter.path);
  }
  require_written_names(paths, run.job.preset, *run.source.model_names());
  const Preset& preset = run.job.preset;
  if (preset.training.method == TrainingMethod::full &&
      run.source.family().original_names != nullptr) {
    // Checkpoints hold the model as one file, whatever the result is.
    require_original_names(model_contents(run.source, dtype_of(preset.output.dtype)));
  }
}

AdapterContents continued_adapter(const PlannedRun& run) {
  const JobSpec& job = run.job;
  const std::string name = path_to_utf8(job.continue_from->filename());
  if (job.preset.training.method == TrainingMethod::full) {
    throw Error(message<"{file}: training.method is full; merge the adapter into the base model "
                        "first (`mantissa merge`)">(name));
  }
  require_continued_words(job, run.source);
  AdapterContents file =
      read_adapter(*job.continue_from, run.source, job.dora_axis, EmbeddingsBeside::read_apart);
  if (!file.changes.empty()) {
    throw Error(
        message<"{file} changes {weight}, which an adapter here doesn't train. Merge it into "
                "the base model first (`mantissa merge`) and train on the result">(
            name, file.changes.front().path));
  }
  return file;
}

bool continues_adapter(const JobSpec& job) {
  return job.continue_from &&
         !(trains_embeddings(job.preset) && is_embedding_file(*job.continue_from));
}

void open_start(const PlannedRun& run) {
  const JobSpec& job = run.job;
  if (!job.continue_from || job.resume) {
    return;  // a resumed run has its adapter in its checkpoint
  }
  const PlannedAdapters planned(run);
  require_widths(planned.set, continued_words(job, run.source));
  if (continues_adapter(job)) {
    require_start(planned.set, continued_adapter(run).modules,
                  path_to_utf8(job.continue_from->filename()));
  }
}

Message continues_from(const JobSpec& job) {
  return message<"continues from {file}">(path_to_utf8(*job.continue_from));
}

void tell_start(const PlannedRun& run, PlanObserver& observer) {
  const JobSpec& job = run.job;
  if (!job.continue_from || job.resume) {
    return;
  }
  if (continues_adapter(job)) {
    const AdapterContents file = continued_adapter(run);
    for (const Message& notice : file.notices) {
      observer.on_notice(LogLevel::warning, notice);
    }
    for (const Message& notice : start_notices(PlannedAdapters(run).set, file.modules,
                                               path_to_utf8(job.continue_from->filename()))) {
      observer.on_notice(LogLevel::warning, notice);
    }
  }
  observer.on_notice(LogLevel::info, continues_from(job));
}

void tell_training_adapters(const PlannedRun& run, PlanObserver& observer) {
  if (!run.training_adapters) {
    return;
  }
  const std::vector<Part> parts = helped_parts(run.job.preset, run.source.family());
  for (const TrainingAdapterFile& file : *run.training_adapters) {
    for (const Message& notice : file.notices) {
      observer.on_notice(LogLevel::warning, notice);
    }
    const std::int64_t outside = modules_outside(file, parts);
    if (outside > 0) {
      observer.on_notice(
          LogLevel::warning,
          message<"{file}: {count} of its modules are of text encoders that aren't trained; they "
                  "are left out, since captions are encoded before the steps">(file.name, outside));
    }
    observer.on_notice(
        LogLevel::info,
        message<"training adapter {file} at weight {weight}: {count} modules, active in the "
                "losses of training and validation, not in samples or the saved file">(
            file.name, fmt::format("{}", file.weight), std::ssize(file.modules) - outside));
  }
}

void open_inputs(const PlannedRun& run) {
  open_networks(run);
  open_adapters(run);
  open_start(run);
}

namespace {

/// Whether a scan finds no caption of an image, whatever tables of captions hold.
bool is_bare(const fs::path& image, const fs::path& folder) {
  std::error_code none;
  for (const char* ending : {".txt", ".caption", ".TXT", ".CAPTION"}) {
    if (fs::exists(fs::path(image).replace_extension(ending), none)) {
      return false;
    }
  }
  return !fs::exists(image.parent_path() / kCaptionTable, none) &&
         !fs::exists(folder / kCaptionTable, none);
}

}  // namespace

std::vector<SizedImage> first_images(const fs::path& folder) {
  constexpr int kMostFiles = 200;
  std::vector<SizedImage> images;
  int files = 0;
  std::error_code error;
  fs::recursive_directory_iterator entries(folder,
                                           fs::directory_options::follow_directory_symlink |
                                               fs::directory_options::skip_permission_denied,
                                           error);
  for (; !error && files < kMostFiles && entries != fs::recursive_directory_iterator();
       entries.increment(error)) {
    std::error_code none;
    if (!entries->is_regular_file(none)) {
      continue;
    }
    ++files;
    try {
      const ImageInfo info = probe_image(entries->path());
      images.push_back(
          {entries->path(), info.width, info.height, is_bare(entries->path(), folder)});
    } catch (const std::exception&) {
      // The scan tells what is wrong with it.
    }
  }
  if (images.empty() && files < kMostFiles) {
    throw Error(files == 0 ? message<"{path}: the folder of images is empty">(path_to_utf8(folder))
                           : message<"{path}: none of the files in this folder ({files}) can be "
                                     "read as an image">(path_to_utf8(folder), files));
  }
  return images;
}

}  // namespace mantissa
