#include "gui/dataset/DatasetScan.h"

#include "engine/core/error.h"
#include "engine/train/run_folder.h"

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

void DatasetScan::start(const JobSpec& job) {
  run([this, job](const Progress& progress) -> std::function<void()> {
    return [this, found = std::make_shared<DatasetCheck>(check(job, progress))] {
      emit scanned(found);
    };
  });
}

}  // namespace mantissa::gui
