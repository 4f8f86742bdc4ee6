// DataPage: images that are alike, and how they leave the data set.
#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "engine/core/error.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/dataset/DataPage.h"
#include "gui/dataset/DatasetFilter.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/DatasetScan.h"
#include "gui/dataset/DuplicateFinder.h"
#include "gui/dataset/ImageTrash.h"
#include "gui/preset/PresetDocument.h"
#include "gui/widgets/OpenFolder.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

/// Groups without the removed items, renumbered; those of one image vanish.
std::vector<DuplicateGroup> without(const std::vector<DuplicateGroup>& groups,
                                    const std::vector<std::size_t>& removed) {
  const auto gone = [&](std::size_t item) {
    return std::binary_search(removed.begin(), removed.end(), item);
  };
  const auto moved = [&](std::size_t item) {
    return item - static_cast<std::size_t>(std::lower_bound(removed.begin(), removed.end(), item) -
                                           removed.begin());
  };
  std::vector<DuplicateGroup> left;
  for (const DuplicateGroup& group : groups) {
    DuplicateGroup now{moved(group.original), {}};
    for (const Duplicate& copy : group.duplicates) {
      if (!gone(copy.item)) {
        now.duplicates.push_back({moved(copy.item), copy.kind});
      }
    }
    // Without their original the others' kinds say nothing.
    if (!gone(group.original) && !now.duplicates.empty()) {
      left.push_back(std::move(now));
    }
  }
  return left;
}

}  // namespace

QWidget* DataPage::build_comparison() {
  comparison_ = new QWidget(this);
  auto* row = new QHBoxLayout(comparison_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::small);
  comparison_text_ = make_label(QString(), "muted", comparison_);
  row->addWidget(comparison_text_);
  comparison_bar_ = new QProgressBar(comparison_);
  comparison_bar_->setTextVisible(false);
  comparison_bar_->setAccessibleName(tr("Images compared"));
  row->addWidget(comparison_bar_, 1);
  auto* stop = new QPushButton(tr("Cancel"), comparison_);
  stop->setAccessibleName(tr("Cancel the search for duplicates"));
  connect(stop, &QPushButton::clicked, finder_, &DuplicateFinder::cancel);
  row->addWidget(stop);
  comparison_->hide();
  connect(finder_, &DuplicateFinder::changed, this, [this] {
    comparison_->setVisible(finder_->is_busy());
    find_->setEnabled(!finder_->is_busy());
    comparison_bar_->setRange(0, 0);
    comparison_text_->setText(tr("Comparing images…"));
  });
  connect(finder_, &DuplicateFinder::progressed, this, [this](qint64 done, qint64 total) {
    comparison_bar_->setRange(0, static_cast<int>(total));
    comparison_bar_->setValue(static_cast<int>(done));
    comparison_text_->setText(
        tr("Compared %1 of %2 images").arg(step_text(done), step_text(total)));
  });
  connect(finder_, &DuplicateFinder::failed, this,
          [this](const Message& message) { emit problem(message_text(message)); });
  connect(finder_, &DuplicateFinder::found, this,
          [this](const std::vector<DuplicateGroup>& groups) {
            if (groups.empty()) {
              emit news(tr("No duplicates among %n image(s).", nullptr, model_->rowCount()));
            }
            show_groups(groups);
          });
  return comparison_;
}

QWidget* DataPage::build_image_actions(QWidget* parent) {
  image_actions_ = new QWidget(parent);
  auto* row = new QHBoxLayout(image_actions_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::small);
  const auto add = [&](const QString& text, const QString& tip, const QKeySequence& keys,
                       auto slot) {
    auto* action = new QAction(text, list_);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, slot);
    list_->addAction(action);
    auto* button = new QPushButton(text, image_actions_);
    button->setToolTip(tip);
    button->setAccessibleName(text);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    row->addWidget(button);
  };
  add(tr("Show in folder"), tr("Open the folder of the current image"), {},
      &DataPage::show_in_folder);
  add(tr("Move to trash…"),
      tr("Move the selected images to the trash, with their captions and masks (Delete)"),
      QKeySequence(Qt::Key_Delete), &DataPage::ask_to_trash);
  row->addStretch();
  list_->setContextMenuPolicy(Qt::ActionsContextMenu);
  image_actions_->hide();
  return image_actions_;
}

void DataPage::find_duplicates() {
  if (model_->rowCount() > 0 && !is_scanning()) {
    finder_->start(model_->check().data.items);
  }
}

void DataPage::show_groups(const std::vector<DuplicateGroup>& groups) {
  model_->set_groups(groups);
  if (groups.empty()) {
    show_all();
    return;
  }
  show_all();
  filter_->set_grouped(true);
  show_only(tr("Only duplicates"));
}

QVector<int> DataPage::selected_items() const {
  QVector<int> chosen;
  for (const QModelIndex& index : list_->selectionModel()->selectedIndexes()) {
    chosen << filter_->mapToSource(index).row();
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

void DataPage::show_in_folder() {
  const ImageItem* item = model_->at(filter_->mapToSource(list_->currentIndex()).row());
  if (item == nullptr) {
    return;
  }
  if (const QString why = open_folder(path_text(item->path)); !why.isEmpty()) {
    emit problem(why);
  }
}

void DataPage::ask_to_trash() {
  std::vector<const ImageItem*> items;
  for (const int item : selected_items()) {
    if (!book_.is_writable(item)) {
      emit problem(tr("The demo's images come with Mantissa and stay where they are."));
      return;
    }
    items.push_back(model_->at(item));
  }
  trash_->ask(this, items, [this](const QStringList& paths) { move_to_trash(paths); });
}

/// The paths were asked about before: what was removed meanwhile is passed over.
void DataPage::move_to_trash(const QStringList& paths) {
  if (is_scanning()) {
    return;
  }
  book_.save();
  DatasetCheck check = model_->check();
  const std::vector<std::size_t> leaving = trash_->move(check, paths);
  if (leaving.empty()) {
    return;
  }
  for (auto i = leaving.rbegin(); i != leaving.rend(); ++i) {
    remove_image(check, *i);
  }
  const bool grouped = filter_->is_grouped();
  const std::vector<DuplicateGroup> groups = without(model_->groups(), leaving);
  const int row = list_->currentIndex().row();
  try {
    sort_into_buckets(check, document_->preset(), quantum_);
  } catch (const Error&) {
    scan();  // a resolution still being typed
    return;
  }
  ScannedImages left(std::move(check));
  left.captions = book_.without(leaving);  // the scan's are those of before every edit
  left.tags = {};
  for (const CaptionBook::Entry& entry : left.captions) {
    left.tags.add(entry.caption);
  }
  take(std::move(left));
  if (grouped) {
    show_groups(groups);
  }
  filter_->finish();
  list_->setCurrentIndex(filter_->index(std::clamp(row, 0, filter_->rowCount() - 1), 0));
  const QString text =
      tr("%n image(s) moved to the trash.", nullptr, static_cast<int>(leaving.size()));
  if (trash_->can_restore()) {
    emit trashed(text);
  } else {
    emit news(text);
  }
}

void DataPage::restore_trashed() {
  trash_->restore();
  scan();
}

}  // namespace mantissa::gui
