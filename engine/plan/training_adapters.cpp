#include "engine/plan/training_adapters.h"

#include <algorithm>

#include "engine/adapters/adapter_file.h"
#include "engine/adapters/merge.h"
#include "engine/adapters/read_adapter.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/content_hashes.h"
#include "engine/io/file.h"
#include "engine/io/input_file.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

void require_there(const JobSpec& job, const fs::path& file) {
  std::error_code none;
  if (fs::exists(file, none)) {
    return;
  }
  const std::string name = path_to_utf8(file);
  throw Error(job.resume ? message<"{path}: the run's training adapter is missing. Restore it, or "
                                   "give its new place with --training-adapter">(name)
                         : message<"{path}: no such training adapter (--training-adapter)">(name));
}

/// A DoRA scales the weight itself, which must then stay the base model's.
void require_settings(const Preset& preset, const TrainingAdapterFile& file) {
  const bool scales = std::ranges::any_of(
      file.modules, [](const AdapterModule& module) { return module.dora_axis.has_value(); });
  if (scales && preset.training.method == TrainingMethod::full) {
    throw Error(message<"{file} is a DoRA, which scales the base model's weights, and "
                        "training.method full changes them. Take a training adapter without "
                        "magnitudes, or set training.method to adapter">(file.name));
  }
  if (scales && preset.adapter.init == AdapterInit::pissa) {
    throw Error(message<"{file} is a DoRA, which scales the base model's weights, and adapter.init "
                        "pissa takes a part out of them. Set adapter.init to standard">(file.name));
  }
}

std::string hash_of_adapter(const TrainingAdapterFile& file) {
  const ContentHashes hashes = ContentHashes::shared();
  if (file.stamps.size() == 1) {
    return hashes.of_file(file.stamps.begin()->first);
  }
  std::string all;
  for (const auto& [path, stamp] : file.stamps) {
    all += hashes.of_file(path);
  }
  return sha256_hex(all);
}

TrainingAdapterFile read_one(const JobSpec& job, const TrainingAdapter& given,
                             const WeightSource& source) {
  require_there(job, given.file);
  TrainingAdapterFile file;
  file.path = given.file;
  file.name = path_to_utf8(given.file.filename());
  file.weight = given.weight;
  for (const auto& [name, path] : files_of_adapter(given.file)) {
    file.stamps[path] = file_stamp(path);
  }
  AdapterContents contents = read_adapter(given.file, source, job.dora_axis);
  if (!contents.changes.empty()) {
    throw Error(message<"{file} changes {weight}, which a training adapter can't: it must leave "
                        "norms and biases as they are. Merge it into the base model "
                        "(`mantissa merge`), if samples may have it too">(
        file.name, contents.changes.front().path));
  }
  file.modules = std::move(contents.modules);
  file.notices = std::move(contents.notices);
  require_settings(job.preset, file);
  file.sha256 = hash_of_adapter(file);
  for (auto& [path, stamp] : file.stamps) {
    require_unchanged(path, stamp, {});
  }
  return file;
}

}  // namespace

std::shared_ptr<const TrainingAdapterFiles> read_training_adapters(const JobSpec& job,
                                                                   const WeightSource& source) {
  if (job.training_adapters.empty()) {
    return nullptr;
  }
  auto files = std::make_shared<TrainingAdapterFiles>();
  for (const TrainingAdapter& given : job.training_adapters) {
    files->push_back(read_one(job, given, source));
  }
  return files;
}

}  // namespace mantissa
