#include "gui/precision/FrontView.h"

#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "gui/base/Text.h"
#include "gui/precision/FrontPlot.h"
#include "gui/precision/FrontTable.h"

namespace mantissa::gui {

FrontView::FrontView(const Theme* theme, QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::small);
  use_ = new QPushButton(tr("Use these types"), this);
  use_->setAccessibleName(use_->text());
  use_->setToolTip(
      tr("Sets the preset's types, and pins the layers in others; Undo takes it back"));
  column->addWidget(use_, 0, Qt::AlignLeft);
  plot_ = new FrontPlot(theme, this);
  column->addWidget(plot_, 3);
  build_table();
  column->addWidget(table_, 2);

  connect(plot_, &FrontPlot::selected_by_click, table_, &QTableView::selectRow);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &FrontView::update_state);
  connect(table_, &QTableView::activated, this, &FrontView::use_selected);
  connect(use_, &QPushButton::clicked, this, &FrontView::use_selected);
  update_state();
}

void FrontView::build_table() {
  model_ = new FrontTable(this);
  table_ = new QTableView(this);
  table_->setModel(model_);
  table_->setAccessibleName(tr("Choices of types, the smallest first"));
  table_->setProperty("rows", QStringLiteral("true"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->verticalHeader()->setAccessibleName(tr("Rows"));
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 12);
  table_->horizontalHeader()->setAccessibleName(tr("Columns"));
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setStretchLastSection(true);
}

void FrontView::show_front(const PrecisionFront& front) {
  model_->set_front(front);
  plot_->show_points(model_->points());
  table_->resizeColumnsToContents();
  update_state();
}

int FrontView::row() const {
  const QModelIndexList rows = table_->selectionModel()->selectedRows();
  return rows.isEmpty() ? -1 : rows.front().row();
}

void FrontView::use_selected() {
  if (row() > 0) {
    emit chosen(to_qstring(model_->point(row()).patch_json));
  }
}

void FrontView::update_state() {
  plot_->select(row());
  use_->setEnabled(row() > 0);  // the first is the preset as it is
}

}  // namespace mantissa::gui
