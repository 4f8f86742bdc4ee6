#include "gui/app/ShortcutsDialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <tuple>

#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

QString plain(const QString& text) {
  QString out = text;
  out.replace(QLatin1String("&&"), QLatin1String("\x01")).remove(QLatin1Char('&'));
  return out.replace(QLatin1Char('\x01'), QLatin1Char('&'));
}

QString keys_text(const QAction* action) {
  QStringList parts;
  for (const QKeySequence& keys : action->shortcuts()) {
    parts << keys.toString(QKeySequence::NativeText);
  }
  return parts.join(QStringLiteral(", "));
}

void add_menu(const QMenu* menu, const QString& group, std::vector<ShortcutRow>& rows) {
  for (const QAction* action : menu->actions()) {
    if (action->menu() != nullptr) {
      add_menu(action->menu(), group, rows);
    } else if (!action->shortcuts().isEmpty()) {
      rows.push_back({group, keys_text(action), plain(action->text())});
    }
  }
}

}  // namespace

std::vector<ShortcutRow> window_shortcuts(const QWidget* window) {
  std::vector<ShortcutRow> rows;
  if (const auto* bar = window->findChild<QMenuBar*>(QString(), Qt::FindDirectChildrenOnly)) {
    for (const QAction* action : bar->actions()) {
      if (action->menu() != nullptr) {
        add_menu(action->menu(), plain(action->text()), rows);
      }
    }
  }
  const QString plots = ShortcutsDialog::tr("Plots"),
                tables = ShortcutsDialog::tr("Tables and grids");
  const std::tuple<QString, QString, QString> elsewhere[] = {
      {plots, ShortcutsDialog::tr("Mouse wheel"),
       ShortcutsDialog::tr("Zoom in steps; with Ctrl, in values")},
      {plots, ShortcutsDialog::tr("Drag, Shift+drag"),
       ShortcutsDialog::tr("Move, or zoom into a box")},
      {plots, ShortcutsDialog::tr("Double click, Home"),
       ShortcutsDialog::tr("Show the whole run again")},
      {plots, ShortcutsDialog::tr("+ − ← →"),
       ShortcutsDialog::tr("Zoom and move with the keyboard")},
      {tables, ShortcutsDialog::tr("Arrow keys"),
       ShortcutsDialog::tr("Move through runs, images and samples")},
      {tables, ShortcutsDialog::tr("Shift or Ctrl with them"),
       ShortcutsDialog::tr("Choose several")},
      {tables, ShortcutsDialog::tr("F2"), ShortcutsDialog::tr("Edit a run's tags or note")},
      {tables, ShortcutsDialog::tr("Enter"), ShortcutsDialog::tr("Open the selected run")},
      {tables, ShortcutsDialog::tr("Delete"),
       ShortcutsDialog::tr("Move the selected runs to the trash")},
  };
  for (const auto& [group, keys, action] : elsewhere) {
    rows.push_back({group, keys, action});
  }
  return rows;
}

ShortcutsDialog::ShortcutsDialog(const QWidget* window, const Theme* theme, QWidget* parent)
    : QDialog(parent) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("ShortcutsDialog"));
  setWindowTitle(tr("Keyboard shortcuts"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::large, Space::large, Space::large, Space::large);
  column->setSpacing(Space::medium);
  auto* search = new QLineEdit(this);
  search->setPlaceholderText(tr("Search"));
  search->setAccessibleName(tr("Search the shortcuts"));
  column->addWidget(search);

  const std::vector<ShortcutRow> rows = window_shortcuts(window);
  auto* table = new QTableWidget(static_cast<int>(rows.size()), 3, this);
  table->setAccessibleName(tr("Keyboard shortcuts"));
  table->setHorizontalHeaderLabels({tr("Where"), tr("Keys"), tr("What it does")});
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setProperty("rows", QStringLiteral("true"));
  table->setShowGrid(false);
  table->verticalHeader()->hide();
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setStretchLastSection(true);
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    const ShortcutRow& row = rows[static_cast<std::size_t>(i)];
    int at = 0;
    for (const QString& text : {row.group, row.keys, row.action}) {
      table->setItem(i, at++, new QTableWidgetItem(text));
    }
  }
  table->resizeColumnsToContents();
  column->addWidget(table, 1);
  connect(search, &QLineEdit::textChanged, table, [table](const QString& text) {
    for (int i = 0; i < table->rowCount(); ++i) {
      bool found = false;
      for (int c = 0; c < table->columnCount(); ++c) {
        found = found || table->item(i, c)->text().contains(text.trimmed(), Qt::CaseInsensitive);
      }
      table->setRowHidden(i, !found);
    }
  });
  auto* buttons = new QDialogButtonBox(this);
  QPushButton* close = buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
  close->setAccessibleName(close->text());
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  column->addWidget(buttons);
  resize(640, 560);
  search->setFocus();
}

}  // namespace mantissa::gui
