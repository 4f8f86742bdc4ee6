#include "gui/dataset/FileListView.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

#include "gui/base/Text.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

FileListView::FileListView(const QString& accessible_name, const QStringList& columns,
                           std::initializer_list<int> widths, QWidget* parent)
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
  int at = 0;
  for (const int width : widths) {
    table_->setColumnWidth(at++, width);
  }
  column->addWidget(table_, 1);
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

}  // namespace mantissa::gui
