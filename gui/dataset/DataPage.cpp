#include "gui/dataset/DataPage.h"

#include <QAction>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QItemSelection>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/dataset/BucketView.h"
#include "gui/dataset/CaptionEditor.h"
#include "gui/dataset/CaptionTokens.h"
#include "gui/dataset/DatasetFilter.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/DatasetScan.h"
#include "gui/dataset/DuplicateFinder.h"
#include "gui/dataset/FolderTable.h"
#include "gui/dataset/ImageTrash.h"
#include "gui/dataset/MaskEditor.h"
#include "gui/dataset/NoticesView.h"
#include "gui/dataset/ReferenceViews.h"
#include "gui/dataset/SkippedView.h"
#include "gui/dataset/TaggerDialog.h"
#include "gui/dataset/VersionPicker.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/JobPanel.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/PathEdit.h"
#include "gui/widgets/ToolRow.h"

namespace mantissa::gui {
namespace {

constexpr int kRescanMs = 400;

}  // namespace

DataPage::DataPage(PresetDocument* document, JobPanel* job, AppSettings* settings,
                   const Theme* theme, QWidget* parent)
    : Page(parent), document_(document), job_(job), settings_(settings), theme_(theme) {
  model_ = new DatasetModel(&book_, &loader_, this);
  filter_ = new DatasetFilter(model_, this);
  finder_ = new DuplicateFinder(this);
  scan_ = new DatasetScan(this);
  trash_ = new ImageTrash(this);
  connect(trash_, &ImageTrash::problem, this, &DataPage::problem);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  stack_ = new QStackedWidget(this);
  outer->addWidget(stack_);
  nothing_ =
      new EmptyState(Icon::data,
                     tr("No image folder is selected.\nAdd one, or drop it here: its images, "
                        "captions and buckets are shown before you train."),
                     theme, stack_);
  nothing_->set_drop_zone(true);
  auto* add = nothing_->add_button(tr("Add folder…"), tr("Add an image folder"));
  connect(add, &QPushButton::clicked, this, [this] { job_->images()->browse(); });
  auto* demo = nothing_->add_button(tr("Use the demo's images"));
  connect(demo, &QPushButton::clicked, this,
          [this] { job_->images()->add(QStringLiteral("demo")); });
  setAcceptDrops(true);
  stack_->addWidget(nothing_);
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
  failed_ = new EmptyState(Icon::warning, QString(), theme, stack_);
  auto* again = failed_->add_button(tr("Scan again"));
  connect(again, &QPushButton::clicked, this, &DataPage::scan);
  stack_->addWidget(failed_);
  auto* page = new QWidget(stack_);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::medium);
  column->addWidget(new ToolRow(build_tools(), page));
  column->addWidget(build_comparison());
  views_ = new QStackedWidget(page);
  views_->addWidget(build_images());
  bucket_view_ = new BucketView(document_, theme, views_);
  views_->addWidget(bucket_view_);
  folder_table_ = new FolderTable(document_, views_);
  views_->addWidget(folder_table_);
  skipped_ = new SkippedView(views_);
  connect(skipped_, &SkippedView::read_as_wanted, this, &DataPage::open_recoder);
  views_->addWidget(skipped_);
  notices_view_ = new NoticesView(views_);
  views_->addWidget(notices_view_);
  build_mask_editor();
  build_tokens();
  column->addWidget(views_, 1);
  stack_->addWidget(page);

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
  connect(filter_, &DatasetFilter::about_to_show, this, &DataPage::keep_place);
  connect(filter_, &DatasetFilter::filtered, this, &DataPage::restore_place);
  connect(&book_, &CaptionBook::problem, this, &DataPage::problem);
  connect(&book_, &CaptionBook::bare_changed, this, &DataPage::update_counts);
  connect(bucket_view_, &BucketView::problem, this, &DataPage::problem);
  connect(folder_table_, &FolderTable::problem, this, &DataPage::problem);
  connect(editor_, &CaptionEditor::told, this, &DataPage::news);
  connect(bucket_view_, &BucketView::chosen, this, [this](int bucket) {
    show_all();
    filter_->set_bucket(bucket);
    const Bucket& b = model_->check().buckets[static_cast<std::size_t>(bucket)];
    only_->setText(tr("Only %1 × %2").arg(b.width).arg(b.height));
    only_->show();
    show_view(images);
    update_counts();
  });
  connect(editor_, &CaptionEditor::tag_chosen, this, [this](const QString& tag) {
    show_all();
    filter_->set_tag(tag);
    only_->setText(tr("Only “%1”").arg(shown(tag)));
    only_->show();
    update_counts();
  });
  // While the page is shown, wherever the focus is.
  const auto key = [this](const QKeySequence& keys, auto slot) {
    auto* action = new QAction(this);
    action->setShortcut(keys);
    connect(action, &QAction::triggered, this, slot);
    addAction(action);
  };
  key(QKeySequence(Qt::CTRL | Qt::Key_F), [this] {
    show_view(images);
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
  });
  key(QKeySequence(Qt::CTRL | Qt::Key_R), [this] { scan(); });
  key(QKeySequence(Qt::CTRL | Qt::Key_M), [this] { edit_mask(); });
  key(QKeySequence(Qt::CTRL | Qt::Key_T), [this] { open_tagger(); });
  key(QKeySequence(Qt::CTRL | Qt::Key_E), [this] {
    show_view(images);
    editor_->text()->setFocus(Qt::ShortcutFocusReason);
  });
  show_view(images);
  show_mask_tools();
  update_counts();
}

DataPage::~DataPage() {
  finder_->disconnect(this);
  scan_->cancel();
}

bool DataPage::save() {
  book_.save();
  const bool masks = mask_editor_->save();
  return masks && book_.is_saved();
}

void DataPage::show_view(View view) {
  if (mask_editor_->is_open()) {
    mask_editor_->finish();
    if (mask_editor_->is_open()) {
      chips_[images]->setChecked(true);
      return;  // it couldn't be saved: the strokes stay in sight
    }
  }
  if (view == notices) {
    show_notices(true);  // captions may have been written since the scan
    update_counts();
  }
  views_->setCurrentIndex(view);
  chips_[view]->setChecked(true);
  search_->setEnabled(view == images);
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

void DataPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (stale_) {
    scan();
  }
}

void DataPage::dragEnterEvent(QDragEnterEvent* event) {
  for (const QUrl& url : event->mimeData()->urls()) {
    if (QFileInfo(url.toLocalFile()).isDir()) {
      event->acceptProposedAction();
      nothing_->set_dragging(true);
      return;
    }
  }
}

void DataPage::dragLeaveEvent(QDragLeaveEvent* event) {
  Page::dragLeaveEvent(event);
  nothing_->set_dragging(false);
}

void DataPage::dropEvent(QDropEvent* event) {
  nothing_->set_dragging(false);
  for (const QUrl& url : event->mimeData()->urls()) {
    if (QFileInfo(url.toLocalFile()).isDir()) {
      job_->images()->add(QDir::toNativeSeparators(url.toLocalFile()));
    }
  }
  event->acceptProposedAction();
}

void DataPage::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  save();
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

bool DataPage::is_loading() const {
  return is_scanning() || filter_->is_filtering() || loader_.is_busy() || finder_->is_busy();
}

std::vector<Page::Look> DataPage::looks() {
  const auto look = [this](const char* id, View view) {
    return Look{QString::fromLatin1(id), [this, view] {
                  show_view(view);
                  return !folders().isEmpty();
                }};
  };
  return {look("data-buckets", buckets), look("data-folders", folder_rules),
          look("data-skipped", left_out), look("data-notices", notices),
          look("data-images", images)};
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

void DataPage::show_current() {
  const QVector<int> chosen = selected_items();
  const int current = filter_->mapToSource(list_->currentIndex()).row();
  versions_->set_preset(document_->preset());
  const ImageItem* item = model_->at(current);
  editor_->show_items(item == nullptr ? -1 : current, chosen);
  show_tokens();
  if (item == nullptr) {
    name_->set_text(QString());
    fit_->clear();
    crop_->clear();
    references_->clear();
    show_mask_tools();
    return;
  }
  name_->set_text(to_qstring(item->name));
  show_crop(current);
  show_mask_tools();
}

void DataPage::keep_place() {
  const auto item_of = [this](const QModelIndex& index) {
    return filter_->mapToSource(index).row();
  };
  place_ = Place{selected_items(), item_of(list_->currentIndex()),
                 item_of(list_->indexAt(list_->viewport()->rect().topLeft() +
                                        QPoint(list_->spacing() + 1, list_->spacing() + 1)))};
}

void DataPage::restore_place() {
  if (place_) {
    const Place place = *std::exchange(place_, std::nullopt);
    const auto row_of = [this](int item) {
      return filter_->mapFromSource(model_->index(item)).row();
    };
    QItemSelection chosen;
    for (const int item : place.selected) {
      const int row = row_of(item);
      const bool next = row >= 0 && !chosen.isEmpty() && chosen.last().bottom() == row - 1;
      if (next) {
        chosen.last() = QItemSelectionRange(chosen.last().topLeft(), filter_->index(row, 0));
      } else if (row >= 0) {
        chosen.append(QItemSelectionRange(filter_->index(row, 0)));
      }
    }
    // The current image, or if it is hidden the one after it.
    const QVector<int>& shown = filter_->items();
    int current = row_of(place.current);
    if (current < 0 && !shown.isEmpty()) {
      const auto after =
          std::find_if(shown.begin(), shown.end(), [&](int item) { return item >= place.current; });
      current =
          std::min(static_cast<int>(after - shown.begin()), static_cast<int>(shown.size()) - 1);
    }
    auto* selection = list_->selectionModel();
    selection->setCurrentIndex(filter_->index(current, 0), QItemSelectionModel::NoUpdate);
    selection->select(chosen, QItemSelectionModel::ClearAndSelect);
    if (const int first = row_of(place.first); first >= 0) {
      list_->scrollTo(filter_->index(first, 0), QAbstractItemView::PositionAtTop);
    }
    show_current();
  } else if (!list_->currentIndex().isValid() && filter_->rowCount() > 0) {
    list_->setCurrentIndex(filter_->index(0, 0));
  }
  update_counts();
}

void DataPage::update_counts() {
  const DatasetCheck& check = model_->check();
  const int all = model_->rowCount(), shown = filter_->rowCount();
  const QString texts[] = {tr("Images %1").arg(step_text(all)),
                           tr("Buckets %1").arg(check.use.size()),
                           tr("Folders %1").arg(folder_table_->rowCount()),
                           tr("Skipped %1").arg(check.data.report.skipped.size()),
                           tr("Notices %1").arg(step_text(notices_view_->count()))};
  for (int i = 0; i < views; ++i) {
    chips_[static_cast<std::size_t>(i)]->setText(texts[i]);
    chips_[static_cast<std::size_t>(i)]->setAccessibleName(texts[i]);
  }
  editor_->set_shown(filter_->items());
  QStringList parts;
  if (shown != all) {
    parts << tr("%1 of %2").arg(step_text(shown), step_text(all));
  }
  if (book_.bare() > 0) {
    parts << tr("%n without a caption", nullptr, book_.bare());
  }
  if (exact_copies_ > 0) {
    parts << tr("%n exact copies", nullptr, exact_copies_);
  }
  if (!check.validation.empty()) {
    parts << tr("%n for validation", nullptr, static_cast<int>(check.validation.size()));
  }
  counts_->set_parts(parts);
  // With room for any number found, so that what is typed changes no button beside it.
  const QString most = tr("%1 of %2").arg(step_text(all), step_text(all));
  if (shown != all) {
    parts.front() = most;
  } else if (all > 0) {
    parts.prepend(most);
  }
  counts_->set_longest(parts.join(QStringLiteral(" · ")));
}

QString DataPage::summary() const {
  QStringList parts;
  for (const QToolButton* chip : chips_) {
    parts << chip->text();
  }
  return parts.join(QStringLiteral(" · "));
}

}  // namespace mantissa::gui
