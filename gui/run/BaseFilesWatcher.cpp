#include "gui/run/BaseFilesWatcher.h"

#include <exception>

#include "engine/core/error.h"
#include "engine/io/weights.h"
#include "engine/models/missing_parts.h"

namespace mantissa::gui {
namespace {

/// Longer than between two key presses.
constexpr int kTypingMs = 120;

BaseFit fit_of(const BaseFiles& files, bool search, const std::function<bool()>& overtaken) {
  BaseFit fit;
  fit.misfits = misfits(files);
  if (fit.misfits.parts.contains(kDenoiser)) {
    return fit;
  }
  BaseFiles alone;
  alone.parts[kDenoiser] = files.parts.at(kDenoiser);
  const WeightSource source = WeightSource::open(alone);
  fit.family = source.family().title();
  fit.parts = missing_parts(source);
  fit.tokenizers = missing_tokenizers(source);
  for (const PartFiles& part : source.family().parts) {
    fit.folders.emplace(part.part, part.folder);
    fit.tokenizer_folders.emplace(part.part, part.tokenizer);
  }
  if (search) {
    fit.found = find_companions(alone, overtaken);
  }
  return fit;
}

}  // namespace

BaseFilesWatcher::BaseFilesWatcher(QObject* parent)
    : QObject(parent), worker_([this](const Question& question, std::uint64_t generation) {
        BaseFit fit;
        try {
          fit = fit_of(question.files, question.search, [&] { return generation != generation_; });
        } catch (const std::exception& e) {  // a file changed between two looks at it
          fit.misfits.parts.emplace(kDenoiser, message_of(e));
        }
        emit relay_checked(generation, fit);
      }) {
  connect(
      this, &BaseFilesWatcher::relay_checked, this,
      [this](quint64 generation, const BaseFit& fit) {
        if (generation == generation_) {
          told_ = generation;
          emit checked(fit);
        }
      },
      Qt::QueuedConnection);
  pause_.setSingleShot(true);
  pause_.setInterval(kTypingMs);
  connect(&pause_, &QTimer::timeout, this, [this] { worker_.put(question_, generation_); });
}

BaseFilesWatcher::~BaseFilesWatcher() {
  ++generation_;  // a search in progress stops at its next file
}

void BaseFilesWatcher::set_files(const BaseFiles& files, bool search) {
  question_ = {files, search};
  ++generation_;
  pause_.start();
}

}  // namespace mantissa::gui
