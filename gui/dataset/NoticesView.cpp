#include "gui/dataset/NoticesView.h"

#include <QTableWidget>
#include <algorithm>
#include <utility>

#include "engine/data/data_finding.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

/// What a finding says of one of its files; `detail` is told with it, or else empty.
QString notice_text(DataFindingKind kind, QString& detail) {
  switch (kind) {
    case DataFindingKind::no_caption:
      // The caption in its place, in quotation marks.
      return NoticesView::tr("No caption: trained with %1").arg(std::exchange(detail, QString()));
    case DataFindingKind::empty_caption:
      return NoticesView::tr("Empty caption: trained without a text");
    case DataFindingKind::no_trigger:
      return NoticesView::tr("No trigger word in the caption: trained without preservation");
    case DataFindingKind::cut_caption:
      return NoticesView::tr("Longer than the text encoder reads: cut at its limit");
    case DataFindingKind::cut_image:
      return NoticesView::tr("More than a third lies outside its bucket");
    case DataFindingKind::same_name:
      return NoticesView::tr("Its name looks like another's, in another Unicode form");
    case DataFindingKind::unused_caption:
      return NoticesView::tr("Caption file not used: its image has another");
    case DataFindingKind::own_output:
      return NoticesView::tr("Written by Mantissa: passed over");
    case DataFindingKind::overlap:
      return NoticesView::tr("Shares images with a folder for another use");
    case DataFindingKind::reference_shape:
      return NoticesView::tr("Its reference has another shape and isn't cropped as it is");
  }
  return {};
}

}  // namespace

NoticesView::NoticesView(QWidget* parent)
    : FileListView(tr("Notices on the images"), {tr("File"), tr("Notice"), tr("Details")}, parent) {
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
  table()->setRowCount(0);
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
    QString line = capitalised(shown(plain_words(message_text(headline(open)))));
    if (!open.advice.empty()) {
      line += QStringLiteral(". ") + shown(plain_words(message_text(open.advice)));
    }
    summary << line;
    add_rows(open);
  }
  fit_columns();
  set_summary(summary.join(QLatin1Char('\n')));
  show_nothing(count_ == 0
                   ? tr("There are no notices.\nImages without a caption, captions that are "
                        "cut and images that are cropped by much would be listed here.")
                   : QString());
}

void NoticesView::add_rows(const DataFinding& finding) {
  const int first = table()->rowCount();
  const int count = std::min(static_cast<int>(finding.files.size()), kMostRows - first);
  table()->setRowCount(first + count);
  for (int i = 0; i < count; ++i) {
    const FoundFile& file = finding.files[static_cast<std::size_t>(i)];
    QString detail = plain_words(message_text(file.detail));
    const QString notice = notice_text(finding.kind, detail);
    set_row(first + i, {path_text(file.path), notice, capitalised(detail)});
  }
}

}  // namespace mantissa::gui
