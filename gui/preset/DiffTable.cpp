#include "gui/preset/DiffTable.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

#include "gui/base/Text.h"
#include "gui/preset/SchemaText.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

DiffTable::DiffTable(const Theme* theme, QWidget* parent) : QWidget(parent), theme_(theme) {
  grid_ = new QGridLayout(this);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(Space::medium);
  grid_->setVerticalSpacing(Space::small);
}

void DiffTable::show_changes(const std::vector<PresetChange>& changes, const QString& title_a,
                             const QString& title_b, const QString& take) {
  while (QLayoutItem* item = grid_->takeAt(0)) {
    if (QWidget* widget = item->widget()) {
      widget->hide();
      widget->deleteLater();
    }
    delete item;
  }
  grid_->setRowStretch(rows_ + 1, 0);
  rows_ = static_cast<int>(changes.size());
  grid_->setRowStretch(rows_ + 1, 1);  // room to spare is below the rows, not between them
  if (rows_ == 0) {
    grid_->addWidget(make_label(tr("No difference."), "muted", this), 0, 0);
    return;
  }
  grid_->addWidget(make_label(tr("Setting"), "muted", this), 0, 0);
  for (const auto& [column, title] : {std::pair{1, title_a}, std::pair{2, title_b}}) {
    QLabel* label = make_label(title, "muted", this);
    label->setWordWrap(true);
    grid_->addWidget(label, 0, column);
  }
  int row = 1;
  for (const PresetChange& change : changes) {
    const QString key = to_qstring(change.key), label = setting_label(key);
    auto* name = make_label(label, "", this);
    name->setToolTip(key);
    name->setWordWrap(true);
    grid_->addWidget(name, row, 0);
    for (const auto& [column, value] : {std::pair{1, &change.a}, std::pair{2, &change.b}}) {
      auto* cell = make_label(value_text(key, *value), column == 1 ? "muted" : "", this);
      cell->setWordWrap(true);
      cell->setTextInteractionFlags(Qt::TextSelectableByMouse);
      cell->setAccessibleName(
          tr("%1 in %2: %3").arg(label, column == 1 ? title_a : title_b, cell->text()));
      grid_->addWidget(cell, row, column);
    }
    if (!take.isEmpty()) {
      auto* button = new QPushButton(take, this);
      button->setAccessibleName(tr("%1: %2 from %3").arg(take, label, title_a));
      button->setToolTip(
          shown(tr("Set %1 to %2").arg(label, value_text(key, change.a, 60))).toHtmlEscaped());
      grid_->addWidget(button, row, 3);
      connect(button, &QPushButton::clicked, this, [this, key] { emit take_requested(key); });
    }
    ++row;
  }
  grid_->setColumnStretch(0, 3);
  grid_->setColumnStretch(1, 4);
  grid_->setColumnStretch(2, 4);
}

}  // namespace mantissa::gui
