#include "gui/dataset/NoticesView.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/data/data_finding.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

NoticesView::NoticesView(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::small);
  summary_ = make_label(QString(), "muted", this);
  summary_->setWordWrap(true);
  column->addWidget(summary_);
  table_ = new QTableWidget(0, 3, this);
  table_->setAccessibleName(tr("Notices on the images"));
  table_->setProperty("rows", QStringLiteral("true"));
  table_->setHorizontalHeaderLabels({tr("File"), tr("Notice"), tr("Details")});
  table_->setShowGrid(false);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 12);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setColumnWidth(0, 280);
  table_->setColumnWidth(1, 360);
  column->addWidget(table_, 1);
}

void NoticesView::count_findings(const std::vector<DataFinding>& findings,
                                 const IsSettled& is_settled) {
  if (isVisible()) {
    show_findings(findings, is_settled);
    return;
  }
  count_ = 0;
  for (const DataFinding& finding : findings) {
    for (const FoundFile& file : finding.files) {
      count_ += is_settled(finding, file) ? 0 : 1;
    }
  }
}

void NoticesView::show_findings(const std::vector<DataFinding>& findings,
                                const IsSettled& is_settled) {
  table_->setRowCount(0);
  count_ = 0;
  QStringList summary;
  for (const DataFinding& finding : findings) {
    DataFinding open{finding.kind, {}, finding.advice};
    for (const FoundFile& file : finding.files) {
      if (!is_settled(finding, file)) {
        open.files.push_back(file);
      }
    }
    if (open.files.empty()) {
      continue;
    }
    count_ += static_cast<int>(open.files.size());
    QString line = shown(message_text(headline(open)));
    if (!open.advice.empty()) {
      line += QStringLiteral(". ") + shown(message_text(open.advice));
    }
    summary << line;
    add_rows(open);
  }
  summary_->setText(count_ == 0 ? tr("There are no notices.") : summary.join(QLatin1Char('\n')));
}

void NoticesView::add_rows(const DataFinding& finding) {
  const int first = table_->rowCount();
  const int count = std::min(static_cast<int>(finding.files.size()), kMostRows - first);
  const QString what = shown(message_text(kind_text(finding.kind)));
  table_->setRowCount(first + count);
  for (int i = 0; i < count; ++i) {
    const FoundFile& file = finding.files[static_cast<std::size_t>(i)];
    int column = 0;
    for (const QString& text :
         {shown(path_text(file.path)), what, shown(message_text(file.detail))}) {
      auto* item = new QTableWidgetItem(text);
      item->setToolTip(text.toHtmlEscaped());
      table_->setItem(first + i, column++, item);
    }
  }
}

}  // namespace mantissa::gui
