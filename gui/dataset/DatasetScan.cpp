#include "gui/dataset/DatasetScan.h"

#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/duplicates.h"
#include "engine/train/run_folder.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

DatasetCheck check(const JobSpec& job, const Progress& progress) {
  int quantum = 0;
  try {
    quantum = base_quantum(job.base);
  } catch (const Error&) {
    quantum = base_quantum({});  // Setup reports the base's problem
  }
  return check_dataset(job.preset, {job.images, job.prior, job.validation}, quantum, progress);
}

}  // namespace

ScannedImages::ScannedImages(DatasetCheck images) : check(std::move(images)) {
  const auto demo = find_resource("demo/images");
  captions = CaptionBook::read_all(check.data.items, demo ? path_text(*demo) : QString());
  for (const DuplicateGroup& group : exact_duplicates(check.data.items)) {
    exact_copies += static_cast<int>(group.duplicates.size());
  }
}

void DatasetScan::start(const JobSpec& job) {
  run([this, job](const Progress& progress) -> std::function<void()> {
    auto found = std::make_shared<ScannedImages>(check(job, progress));
    return [this, found = std::move(found)] { emit scanned(found); };
  });
}

}  // namespace mantissa::gui
