#include "gui/dataset/SkippedView.h"

#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "engine/data/image_scan.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"

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
    case SkipKind::reference:
      return SkippedView::tr("image without a usable reference");
    case SkipKind::lone_reference:
      return SkippedView::tr("reference without an image");
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

SkippedView::SkippedView(QWidget* parent)
    : FileListView(tr("Skipped files, and why"), {tr("File"), tr("Why")}, parent),
      read_as_(new QPushButton(tr("Read as…"), this)) {
  read_as_->setAccessibleName(tr("Convert captions that aren't UTF-8"));
  read_as_->setToolTip(tr(
      "Shows the captions that aren't UTF-8 in the encoding that you choose, and converts them"));
  read_as_->hide();
  connect(read_as_, &QPushButton::clicked, this, &SkippedView::read_as_wanted);
  auto* column = qobject_cast<QVBoxLayout*>(layout());
  column->insertWidget(1, read_as_, 0, Qt::AlignLeft);  // below the summary
}

void SkippedView::show_files(const std::vector<SkippedFile>& files) {
  table()->setRowCount(static_cast<int>(files.size()));
  std::map<SkipKind, int> kinds;
  for (int row = 0; row < static_cast<int>(files.size()); ++row) {
    const SkippedFile& file = files[static_cast<std::size_t>(row)];
    ++kinds[file.kind];
    set_row(row, {path_text(file.path), plain_text(file.reason)});
  }
  read_as_->setVisible(
      std::ranges::any_of(files, [](const SkippedFile& file) { return !file.legacy.empty(); }));
  fit_columns();
  QStringList summary;
  for (const auto& [kind, count] : kinds) {
    summary << QStringLiteral("%1 × %2").arg(count).arg(kind_text(kind));
  }
  set_summary(summary.join(QStringLiteral(" · ")));
  show_nothing(files.empty() ? tr("No file is skipped.\nEvery image of the folders is trained.")
                             : QString());
}

}  // namespace mantissa::gui
