// DataPage: the scan of the folders. When it is due, what is shown meanwhile, what it found.
#include <QLabel>
#include <QListView>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "engine/core/error.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/dataset/BucketView.h"
#include "gui/dataset/CaptionEditor.h"
#include "gui/dataset/DataPage.h"
#include "gui/dataset/DatasetFilter.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/DatasetScan.h"
#include "gui/dataset/DuplicateFinder.h"
#include "gui/dataset/FolderTable.h"
#include "gui/dataset/MaskEditor.h"
#include "gui/dataset/SkippedView.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/JobPanel.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/PathEdit.h"

namespace mantissa::gui {
namespace {

constexpr int kRescanMs = 400;

}  // namespace

/// What is shown during a scan, and after one that failed.
void DataPage::build_waiting() {
  auto* waiting = new QWidget(stack_);
  auto* middle = new QVBoxLayout(waiting);
  progress_text_ = make_label(tr("Scanning the folders…"), "muted", waiting);
  progress_ = new QProgressBar(waiting);
  progress_->setFixedWidth(320);
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("Images scanned"));
  middle->addStretch();
  middle->addWidget(progress_text_, 0, Qt::AlignCenter);
  middle->addWidget(progress_, 0, Qt::AlignCenter);
  middle->addStretch();
  stack_->addWidget(waiting);
  failed_ = new EmptyState(Icon::warning, QString(), theme_, stack_);
  auto* again = failed_->add_button(tr("Scan again"));
  connect(again, &QPushButton::clicked, this, &DataPage::scan);
  stack_->addWidget(failed_);
}

void DataPage::watch_folders() {
  connect(scan_, &DatasetScan::progressed, this, [this](qint64 done, qint64 total) {
    progress_->setRange(0, static_cast<int>(total));
    progress_->setValue(static_cast<int>(done));
    progress_text_->setText(tr("Scanned %1 of %2 images").arg(step_text(done), step_text(total)));
  });
  connect(scan_, &DatasetScan::scanned, this,
          [this](const std::shared_ptr<ScannedImages>& images) { take(std::move(*images)); });
  connect(scan_, &DatasetScan::failed, this, &DataPage::fail);
  later_.setSingleShot(true);
  later_.setInterval(kRescanMs);
  connect(&later_, &QTimer::timeout, this, [this] {
    if (stale_ && !mask_editor_->is_open() && (isVisible() || counts_epochs())) {
      scan();
    }
  });
  connect(job_, &JobPanel::changed, this, [this] {
    const JobSpec now = job_->job();
    if (now.images != scanned_.images || now.base != scanned_.base || now.prior != scanned_.prior ||
        now.validation != scanned_.validation || now.references != scanned_.references) {
      set_stale();
    }
  });
  connect(document_, &PresetDocument::changed, this, [this] {
    // Masks and validation images are determined by the scan.
    const Preset::Data &now = document_->preset().data, &then = scanned_.preset.data;
    if (now.masks != then.masks || now.validation_share != then.validation_share ||
        now.folder_repeats != then.folder_repeats) {
      set_stale();
    } else {
      sort_again();
    }
    if (stale_ && counts_epochs()) {
      later_.start();
    }
  });
}

QStringList DataPage::folders() const {
  return job_->images()->paths();
}

void DataPage::set_stale() {
  stale_ = true;
  later_.start();
}

bool DataPage::counts_epochs() const {
  return document_->preset().training.epochs > 0;
}

std::int64_t DataPage::batches_per_epoch() const {
  return stale_ || is_scanning() ? 0 : mantissa::batches_per_epoch(model_->check());
}

void DataPage::scan() {
  stale_ = false;
  scanned_ = job_->job();
  scanned_.preset = document_->preset();
  save();
  scan_->cancel();
  if (folders().isEmpty()) {
    stack_->setCurrentIndex(0);
    return;
  }
  finder_->cancel();
  progress_->setRange(0, 0);
  progress_text_->setText(tr("Scanning the folders…"));
  stack_->setCurrentIndex(1);
  scan_->start(scanned_);
}

bool DataPage::is_scanning() const {
  return scan_->is_busy();
}

void DataPage::take(ScannedImages&& images) {
  DatasetCheck& check = images.check;
  finder_->cancel();
  if (filter_->is_grouped() || filter_->is_outstanding() || filter_->has_pick()) {
    show_all();
  }
  exact_copies_ = images.exact_copies;
  noticed_ = std::move(images.noticed);
  QString tip = tr("Compare the images: also re-encoded, resized, cropped or mirrored copies");
  if (!check.data.report.copies.empty()) {
    tip += QLatin1Char('\n') + shown(message_text(check.data.report.copies));
  }
  find_->setToolTip(tip.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>")));
  quantum_ = check.quantum;
  loader_.clear();
  book_.open(std::move(images.captions));
  editor_->reset(std::move(images.tags));
  const std::vector<SkippedFile> skipped = check.data.report.skipped;
  model_->set_check(std::move(check), std::move(images.names));
  open_tokens();
  bucket_view_->show_check(model_->check());
  folder_table_->show_check(model_->check());
  skipped_->show_files(skipped);
  show_notices();
  if (model_->rowCount() == 0) {
    failed_->set_text(tr("There is no image to train on in these folders."));
    stack_->setCurrentIndex(skipped.empty() ? 2 : 3);
    if (!skipped.empty()) {
      show_view(left_out);
    }
  } else {
    stack_->setCurrentIndex(3);
    list_->setCurrentIndex(filter_->index(0, 0));
  }
  show_current();
  update_counts();
  find_run_images();
  const std::optional<int> before = std::exchange(found_, model_->rowCount());
  if (before && before != found_) {
    emit folders_changed();
  }
  emit scanned();
}

void DataPage::fail(const Message& message) {
  failed_->set_text(message_text(message));
  stack_->setCurrentIndex(2);
  found_ = -1;
  emit folders_changed();
  emit scanned();
}

void DataPage::sort_again() {
  if (model_->rowCount() == 0 || is_scanning()) {
    return;
  }
  try {
    model_->sort_again(document_->preset(), quantum_);
  } catch (const Error&) {
    return;  // a resolution still being typed
  }
  filter_->set_bucket(-1);
  only_->setVisible(!filter_->tag().isEmpty() || filter_->is_grouped() ||
                    filter_->is_outstanding() || filter_->has_pick());
  bucket_view_->show_check(model_->check());
  show_notices();
  show_current();
  update_counts();
}

}  // namespace mantissa::gui
