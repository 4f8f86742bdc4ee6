#include "gui/dataset/TagTable.h"

#include <QHeaderView>
#include <utility>

#include "gui/base/Text.h"
#include "gui/dataset/CaptionBook.h"

namespace mantissa::gui {
namespace {

constexpr int kMostTags = 1000;         // nobody reads more, and a table of them takes its time
constexpr int kTagRole = Qt::UserRole;  ///< a tag verbatim; displayed escaped

}  // namespace

TagTable::TagTable(CaptionBook* book, QWidget* parent) : QTableWidget(0, 2, parent), book_(book) {
  setAccessibleName(tr("Tags in use, the most frequent first"));
  setProperty("rows", QStringLiteral("true"));
  setHorizontalHeaderLabels({tr("Tag"), tr("Captions")});
  setShowGrid(false);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  connect(this, &QTableWidget::itemSelectionChanged, this, [this] {
    const QList<QTableWidgetItem*> chosen = selectedItems();
    if (!chosen.isEmpty()) {
      emit tag_selected(item(chosen.first()->row(), 0)->data(kTagRole).toString());
    }
  });
  connect(this, &QTableWidget::itemActivated, this, [this](const QTableWidgetItem* cell) {
    emit tag_activated(item(cell->row(), 0)->data(kTagRole).toString());
  });
}

void TagTable::reset(TagCounts tags) {
  counts_ = std::move(tags);
  counted_ = book_->captions();
  update_rows();
}

void TagTable::count_again(const QVector<int>& items) {
  for (const int item : items) {
    const QString caption = book_->caption(item);
    counts_.remove(counted_[item]);
    counts_.add(caption);
    counted_[item] = caption;
  }
  update_rows();
}

/// Cells that stay as they are keep their items.
void TagTable::update_rows() {
  const QSignalBlocker quiet(this);
  const auto counts = counts_.top(kMostTags);
  const int rows = static_cast<int>(counts.size());
  setRowCount(rows);
  horizontalHeaderItem(0)->setText(
      rows == counts_.size()
          ? tr("Tag")
          : tr("Tag, the first %1 of %2").arg(step_text(rows), step_text(counts_.size())));
  const auto put = [this](int row, int column, const QString& text) {
    QTableWidgetItem* cell = item(row, column);
    if (cell == nullptr) {
      cell = new QTableWidgetItem;
      setItem(row, column, cell);
    }
    if (cell->text() != text) {
      cell->setText(text);
    }
    return cell;
  };
  for (int row = 0; row < rows; ++row) {
    const auto& [tag, count] = counts[static_cast<std::size_t>(row)];
    QTableWidgetItem* name = put(row, 0, shown(tag));
    if (name->data(kTagRole).toString() != tag) {
      name->setData(kTagRole, tag);
      name->setToolTip(tr("Enter shows the images with this tag"));
    }
    put(row, 1, step_text(count));
  }
}

}  // namespace mantissa::gui
