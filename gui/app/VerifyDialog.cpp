#include "gui/app/VerifyDialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "engine/train/verify_run.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/base/Theme.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

struct Row {
  QString what, then, now;
};

std::vector<Row> rows_of(const VerifyReport& report) {
  std::vector<Row> rows;
  const auto number = [](double value) { return QString::number(value, 'g', 7); };
  for (std::size_t i = 0; i < report.comparison.steps.size(); ++i) {
    const TracedStep &then = report.then.steps[i], &now = report.now.steps[i];
    const int step = static_cast<int>(i) + 1;
    rows.push_back(
        {VerifyDialog::tr("Step %1, loss").arg(step), number(then.loss), number(now.loss)});
    rows.push_back({VerifyDialog::tr("Step %1, gradient norm").arg(step), number(then.grad_norm),
                    number(now.grad_norm)});
    rows.push_back({VerifyDialog::tr("Step %1, time").arg(step),
                    VerifyDialog::tr("%1 ms").arg(1000 * then.seconds, 0, 'g', 4),
                    VerifyDialog::tr("%1 ms").arg(1000 * now.seconds, 0, 'g', 4)});
  }
  rows.push_back({VerifyDialog::tr("Planned memory"), format_bytes(report.then.peak_bytes),
                  format_bytes(report.now.peak_bytes)});
  rows.push_back(
      {VerifyDialog::tr("Device"), to_qstring(report.then.device), to_qstring(report.now.device)});
  rows.push_back({VerifyDialog::tr("Version"), to_qstring(report.then.version),
                  to_qstring(report.now.version)});
  return rows;
}

}  // namespace

VerifyDialog::VerifyDialog(const VerifyReport& report, QWidget* parent) : QDialog(parent) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("VerifyDialog"));
  setWindowTitle(tr("Verified: %1").arg(to_qstring(report.run_id)));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::large, Space::large, Space::large, Space::large);
  column->setSpacing(Space::medium);
  verdict_ = make_label(error_text(report.comparison.verdict), "heading", this);
  verdict_->setWordWrap(true);
  column->addWidget(verdict_);
  const std::vector<Row> rows = rows_of(report);
  table_ = new QTableWidget(static_cast<int>(rows.size()), 3, this);
  table_->setAccessibleName(tr("First steps then and now"));
  table_->setHorizontalHeaderLabels({QString(), tr("When the run was made"), tr("Now")});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setProperty("rows", QStringLiteral("true"));
  table_->setShowGrid(false);
  table_->verticalHeader()->hide();
  for (int i = 0; i < table_->rowCount(); ++i) {
    const Row& row = rows[static_cast<std::size_t>(i)];
    int at = 0;
    for (const QString& text : {row.what, row.then, row.now}) {
      table_->setItem(i, at++, new QTableWidgetItem(shown(text)));
    }
  }
  QHeaderView* header = table_->horizontalHeader();
  header->setHighlightSections(false);
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  header->setSectionResizeMode(QHeaderView::Stretch);
  column->addWidget(table_, 1);
  auto* buttons = new QDialogButtonBox(this);
  auto* close = buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
  close->setAccessibleName(tr("Close the dialog"));
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  column->addWidget(buttons);
  resize(720, 460);
}

}  // namespace mantissa::gui
