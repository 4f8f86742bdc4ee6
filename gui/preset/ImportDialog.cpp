#include "gui/preset/ImportDialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include "engine/preset/preset_io.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/preset/DiffTable.h"
#include "gui/preset/SchemaText.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

enum Column { kKey, kValue, kFate, kBecomes, kColumns };

QString fate_text(ImportFate fate) {
  switch (fate) {
    case ImportFate::mapped:
      return ImportDialog::tr("mapped");
    case ImportFate::changed:
      return ImportDialog::tr("changed");
    case ImportFate::ignored:
      return ImportDialog::tr("ignored");
    case ImportFate::unknown:
      return ImportDialog::tr("unknown");
    case ImportFate::assumed:
      return ImportDialog::tr("assumed");
  }
  return {};
}

Icon fate_icon(ImportFate fate) {
  switch (fate) {
    case ImportFate::mapped:
      return Icon::check;
    case ImportFate::changed:
    case ImportFate::assumed:
      return Icon::info;
    case ImportFate::unknown:
      return Icon::warning;
    case ImportFate::ignored:
      return Icon::remove;
  }
  return Icon::info;
}

QString becomes(const ImportRow& row) {
  QStringList labels;
  if (row.fate != ImportFate::ignored) {
    for (const std::string& key : row.targets) {
      labels << setting_label(to_qstring(key));
    }
  }
  const QString settings = labels.join(QStringLiteral(", "));
  const QString note = message_text(row.note);
  return settings.isEmpty() ? note
         : note.isEmpty()   ? settings
                            : settings + QStringLiteral(" – ") + note;
}

}  // namespace

ImportDialog::ImportDialog(const ImportResult& result, const QString& source, const Preset& now,
                           const Theme* theme, QWidget* parent)
    : QDialog(parent), theme_(theme) {
  setWindowTitle(tr("Import %1").arg(shown(source)));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(960, 640);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::large, Space::large, Space::large, Space::large);
  column->setSpacing(Space::medium);
  auto* head = make_heading(
      tr("%1, read as %2").arg(source, message_text(import_format_title(result.format))), this);
  head->setWordWrap(true);
  column->addWidget(head);
  QStringList counts;
  for (const ImportFate fate : {ImportFate::mapped, ImportFate::changed, ImportFate::assumed,
                                ImportFate::ignored, ImportFate::unknown}) {
    if (const std::size_t n = result.count(fate); n > 0) {
      counts << QStringLiteral("%1 %2").arg(n).arg(fate_text(fate));
    }
  }
  auto* about = make_label(
      tr("%1. Nothing has been changed yet; paths and commands of the file are never taken over.")
          .arg(counts.join(QStringLiteral(" · "))),
      "muted", this);
  about->setWordWrap(true);
  column->addWidget(about);

  auto* tabs = new QTabWidget(this);
  tabs->setAccessibleName(tr("Changes and report"));
  auto* area = new QScrollArea(tabs);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setAccessibleName(tr("Changes to this preset"));
  auto* page = new QWidget;
  page->setProperty("flat", QStringLiteral("true"));
  auto* inside = new QVBoxLayout(page);
  inside->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  changes_ = new DiffTable(theme, page);
  const auto differences = diff_presets(now, result.preset);
  changes_->show_changes(differences, tr("This preset now"), tr("After the import"));
  inside->addWidget(changes_);
  inside->addStretch();
  area->setWidget(page);
  tabs->addTab(area, tr("Changes (%1)").arg(static_cast<int>(differences.size())));

  auto* list = new QWidget(tabs);
  auto* rows = new QVBoxLayout(list);
  rows->setContentsMargins(0, Space::small, 0, 0);
  search_ = new QLineEdit(list);
  search_->setPlaceholderText(tr("Search keys, or ignored, changed, unknown"));
  search_->setAccessibleName(tr("Search the report"));
  add_clear_button(search_, tr("Clear the search"));
  rows->addWidget(search_);
  report_ = new QTableWidget(list);
  report_->setAccessibleName(tr("Report of every key"));
  fill_report(result);
  rows->addWidget(report_);
  tabs->addTab(list, tr("Every key (%1)").arg(static_cast<int>(result.rows.size())));
  column->addWidget(tabs, 1);
  connect(search_, &QLineEdit::textChanged, this, &ImportDialog::filter);

  auto* buttons = new QDialogButtonBox(this);
  auto* apply = buttons->addButton(tr("Apply"), QDialogButtonBox::AcceptRole);
  apply->setAccessibleName(tr("Apply the import to the preset"));
  set_property(apply, "kind", QStringLiteral("primary"));
  auto* cancel = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
  cancel->setAccessibleName(tr("Close without importing"));
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons, &QDialogButtonBox::accepted, this, [this, preset = result.preset] {
    emit applied(preset);
    accept();
  });
  apply->setDefault(true);
  apply->setFocus();
}

void ImportDialog::fill_report(const ImportResult& result) {
  report_->setColumnCount(kColumns);
  report_->setRowCount(static_cast<int>(result.rows.size()));
  report_->setHorizontalHeaderLabels(
      {tr("Key"), tr("Value"), tr("Outcome"), tr("Result, or reason")});
  report_->verticalHeader()->hide();
  report_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  report_->setSelectionBehavior(QAbstractItemView::SelectRows);
  report_->setShowGrid(false);
  const ThemeColors& c = theme_->colors();
  int at = 0;
  for (const ImportRow& row : result.rows) {
    const QString cells[kColumns] = {to_qstring(row.source), to_qstring(row.value),
                                     capitalised(fate_text(row.fate)), becomes(row)};
    for (int column = 0; column < kColumns; ++column) {
      auto* item = new QTableWidgetItem(shown(cells[column]));
      QString tip = item->text().toHtmlEscaped();
      if (column == kKey && row.line > 0) {
        tip += tr(" (line %1)").arg(row.line);
      }
      item->setToolTip(tip);
      if (column == kFate) {
        const bool loud = row.fate == ImportFate::unknown || row.fate == ImportFate::changed;
        item->setIcon(make_icon(fate_icon(row.fate), loud ? c.warning : c.muted));
      }
      report_->setItem(at, column, item);
    }
    ++at;
  }
  report_->horizontalHeader()->setStretchLastSection(true);
  report_->setColumnWidth(kKey, 236);
  report_->setColumnWidth(kValue, 170);
  report_->setColumnWidth(kFate, 104);
  // The notes are sentences: they wrap rather than being elided.
  report_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
}

void ImportDialog::filter(const QString& text) {
  for (int row = 0; row < report_->rowCount(); ++row) {
    bool found = false;
    for (int column = 0; column < kColumns; ++column) {
      found = found || report_->item(row, column)->text().contains(text, Qt::CaseInsensitive);
    }
    report_->setRowHidden(row, !found);
  }
}

}  // namespace mantissa::gui
