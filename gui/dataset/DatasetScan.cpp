#include "gui/dataset/DatasetScan.h"

#include <set>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/duplicates.h"
#include "engine/run/run_folder.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

DatasetCheck check(const JobSpec& job, const Progress& progress) {
  int quantum = 0;
  ReferenceRule references;
  try {
    quantum = base_quantum(job.base);
    references = base_references(job.base);
  } catch (const Error&) {
    quantum = base_quantum({});  // Setup reports the base's problem
    references = base_references({});
  }
  DatasetCheck found = check_dataset(
      job.preset, {job.images, job.prior, job.validation, job.references}, quantum, progress);
  found.references = references;
  find_cut_captions(found, job.preset, job.base);
  return found;
}

}  // namespace

ScannedImages::ScannedImages(DatasetCheck images) : check(std::move(images)) {
  const auto demo = find_resource("demo/images");
  captions = CaptionBook::read_all(check.data.items, demo ? path_text(*demo) : QString());
  for (const CaptionBook::Entry& entry : captions) {
    tags.add(entry.caption);
  }
  for (const ImageItem& item : check.data.items) {
    names << shown(to_qstring(item.name));
  }
  std::set<std::filesystem::path> named;
  for (const DataFinding& finding : check.data.report.findings) {
    for (const FoundFile& file : finding.files) {
      named.insert(file.path);
    }
  }
  for (std::size_t i = 0; i < check.data.items.size(); ++i) {
    if (named.contains(check.data.items[i].path)) {
      noticed.emplace(check.data.items[i].path, static_cast<int>(i));
    }
  }
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
