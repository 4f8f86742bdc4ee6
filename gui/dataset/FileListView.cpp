#include "gui/dataset/FileListView.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "gui/base/Text.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

namespace {

constexpr int kMeasuredTexts = 20;
constexpr int kCellMargins = 24;  ///< pixels beside a cell's text

/// What the texts of a column need, by those with most letters: measuring all would take as long as
/// a user notices.
int needed_width(const QTableWidget& table, int column) {
  QStringList texts;
  for (int row = 0; row < table.rowCount(); ++row) {
    if (const QTableWidgetItem* item = table.item(row, column)) {
      texts << item->text();
    }
  }
  const auto longest = texts.begin() + std::min<qsizetype>(texts.size(), kMeasuredTexts);
  std::ranges::partial_sort(texts, longest, std::greater(), &QString::size);
  const QFontMetrics metrics(table.font());
  int width = table.horizontalHeader()->sectionSizeHint(column);
  for (auto text = texts.begin(); text != longest; ++text) {
    width = std::max(width, metrics.horizontalAdvance(*text) + kCellMargins);
  }
  return width;
}

}  // namespace

FileListView::FileListView(const QString& accessible_name, const QStringList& columns,
                           QWidget* parent)
    : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::small);
  summary_ = make_label(QString(), "muted", this);
  summary_->setWordWrap(true);
  column->addWidget(summary_);
  table_ = new QTableWidget(0, static_cast<int>(columns.size()), this);
  table_->setAccessibleName(accessible_name);
  table_->setProperty("rows", QStringLiteral("true"));
  table_->setHorizontalHeaderLabels(columns);
  table_->setShowGrid(false);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 12);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setTextElideMode(Qt::ElideMiddle);  // of a path the file's name stays
  column->addWidget(table_, 1);
  nothing_ = make_card(this);
  auto* inside = new QVBoxLayout(nothing_);
  said_ = make_label(QString(), "muted", nothing_);
  said_->setAlignment(Qt::AlignCenter);
  said_->setWordWrap(true);
  inside->addWidget(said_);
  nothing_->hide();
  column->addWidget(nothing_, 1);
}

void FileListView::show_nothing(const QString& text) {
  const bool is_empty = !text.isEmpty();
  said_->setText(text);
  nothing_->setVisible(is_empty);
  table_->setVisible(!is_empty);
  summary_->setVisible(!is_empty);
}

void FileListView::set_summary(const QString& text) {
  summary_->setText(text);
}

void FileListView::set_row(int row, const QStringList& texts) {
  int column = 0;
  for (const QString& text : texts) {
    auto* item = new QTableWidgetItem(shown(text));
    item->setToolTip(item->text().toHtmlEscaped());
    table_->setItem(row, column++, item);
  }
}

void FileListView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_columns();
}

void FileListView::fit_columns() {
  std::vector<int> needed;
  for (int column = 0; column < table_->columnCount(); ++column) {
    needed.push_back(needed_width(*table_, column));
  }
  // Those that need less than an equal share leave the rest to the others.
  std::vector<int> order(needed.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {},
                    [&](int column) { return needed[static_cast<std::size_t>(column)]; });
  int room =
      table_->width() - 2 * table_->frameWidth() - table_->verticalScrollBar()->sizeHint().width();
  int left = static_cast<int>(order.size());
  for (const int column : order) {
    const int width = std::min(needed[static_cast<std::size_t>(column)], std::max(room / left, 40));
    table_->setColumnWidth(column, width);  // the last one takes what is left
    room -= width;
    --left;
  }
}

}  // namespace mantissa::gui
