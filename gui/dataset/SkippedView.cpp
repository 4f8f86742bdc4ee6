#include "gui/dataset/SkippedView.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>
#include <map>

#include "engine/data/image_scan.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

/// The summary's name for a skipped file.
QString kind_text(SkipKind kind) {
  switch (kind) {
    case SkipKind::no_image:
      return SkippedView::tr("not an image file");
    case SkipKind::damaged:
      return SkippedView::tr("damaged image");
    case SkipKind::too_small:
      return SkippedView::tr("image too small");
    case SkipKind::too_large:
      return SkippedView::tr("image too large");
    case SkipKind::caption:
      return SkippedView::tr("unreadable caption");
    case SkipKind::mask:
      return SkippedView::tr("unusable mask");
    case SkipKind::lone_caption:
      return SkippedView::tr("caption without an image");
    case SkipKind::lone_mask:
      return SkippedView::tr("mask without an image");
    case SkipKind::metadata:
      return SkippedView::tr("error in metadata.jsonl");
    case SkipKind::folder:
      return SkippedView::tr("folder not scanned");
    case SkipKind::no_file:
      return SkippedView::tr("broken link or special file");
  }
  return {};
}

}  // namespace

SkippedView::SkippedView(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::small);
  summary_ = make_label(QString(), "muted", this);
  summary_->setWordWrap(true);
  column->addWidget(summary_);
  table_ = new QTableWidget(0, 2, this);
  table_->setAccessibleName(tr("Skipped files, and why"));
  table_->setProperty("rows", QStringLiteral("true"));
  table_->setHorizontalHeaderLabels({tr("File"), tr("Why")});
  table_->setShowGrid(false);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 12);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setColumnWidth(0, 360);
  column->addWidget(table_, 1);
}

void SkippedView::show_files(const std::vector<SkippedFile>& files) {
  table_->setRowCount(static_cast<int>(files.size()));
  std::map<SkipKind, int> kinds;
  for (int row = 0; row < static_cast<int>(files.size()); ++row) {
    const SkippedFile& file = files[static_cast<std::size_t>(row)];
    ++kinds[file.kind];
    int column = 0;
    for (const QString& text : {path_text(file.path), message_text(file.reason)}) {
      auto* item = new QTableWidgetItem(shown(text));
      item->setToolTip(item->text().toHtmlEscaped());
      table_->setItem(row, column++, item);
    }
  }
  QStringList summary;
  for (const auto& [kind, count] : kinds) {
    summary << QStringLiteral("%1 × %2").arg(count).arg(kind_text(kind));
  }
  summary_->setText(files.empty() ? tr("No file is skipped.")
                                  : summary.join(QStringLiteral(" · ")));
}

}  // namespace mantissa::gui
