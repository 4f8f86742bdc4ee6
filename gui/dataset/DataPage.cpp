#include "gui/dataset/DataPage.h"

#include <QAction>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

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
  build_nothing();
  build_waiting();
  build_views();
  watch_folders();
  connect_views();
  add_keys();
  show_view(images);
  show_mask_tools();
  update_counts();
}

/// What is shown while no folder is selected.
void DataPage::build_nothing() {
  nothing_ =
      new EmptyState(Icon::data,
                     tr("No image folder is selected.\nAdd one, or drop it here: its images, "
                        "captions and buckets are shown before you train."),
                     theme_, stack_);
  nothing_->set_drop_zone(true);
  auto* add = nothing_->add_button(tr("Add folder…"), tr("Add an image folder"));
  connect(add, &QPushButton::clicked, this, [this] { job_->images()->browse(); });
  auto* demo = nothing_->add_button(tr("Use the demo's images"));
  connect(demo, &QPushButton::clicked, this,
          [this] { job_->images()->add(QStringLiteral("demo")); });
  setAcceptDrops(true);
  stack_->addWidget(nothing_);
}

void DataPage::build_views() {
  auto* page = new QWidget(stack_);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::medium);
  column->addWidget(new ToolRow(build_tools(), page));
  column->addWidget(build_comparison());
  views_ = new QStackedWidget(page);
  views_->addWidget(build_images());
  bucket_view_ = new BucketView(document_, theme_, views_);
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
}

void DataPage::connect_views() {
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
}

/// While the page is shown, wherever the focus is.
void DataPage::add_keys() {
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
  place_.keep(list_, *filter_);
}

void DataPage::restore_place() {
  if (place_.restore(list_, *filter_)) {
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
