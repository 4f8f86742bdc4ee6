#include "gui/dataset/RecodeDialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/base/Theme.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr std::size_t kPreviewCharacters = 200;

}  // namespace

int ReadingsView::show_readings(const std::vector<LegacyCaptions>& files,
                                const std::optional<LegacyEncoding>& encoding,
                                const QString& other) {
  int readable = 0;
  table()->setRowCount(static_cast<int>(files.size()));
  for (int row = 0; row < table()->rowCount(); ++row) {
    const LegacyCaptions& file = files[static_cast<std::size_t>(row)];
    std::optional<std::string> start;
    if (encoding) {
      start = recoded_excerpt(file, *encoding, kPreviewCharacters);
    }
    readable += start ? 1 : 0;
    set_row(row, {path_text(file.file), start ? to_qstring(*start) : encoding ? other : QString()});
  }
  fit_columns();
  return readable;
}

RecodeDialog::RecodeDialog(std::vector<LegacyCaptions> files, QWidget* parent)
    : QDialog(parent), files_(std::move(files)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("RecodeDialog"));
  setWindowTitle(tr("Captions that aren't UTF-8"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::large, Space::large, Space::large, Space::large);
  column->setSpacing(Space::medium);
  auto* head = make_label(tr("Choose the encoding in which the captions read right. The files are "
                             "then written as UTF-8."),
                          "", this);
  head->setWordWrap(true);
  column->addWidget(head);
  encoding_ = new NoWheelCombo(this);
  encoding_->setAccessibleName(tr("Encoding"));
  encoding_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  column->addWidget(encoding_, 0, Qt::AlignLeft);
  view_ =
      new ReadingsView(tr("Captions in the chosen encoding"), {tr("File"), tr("Caption")}, this);
  column->addWidget(view_, 1);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(Space::small);
  buttons->addStretch(1);
  convert_ = new QPushButton(this);
  set_property(convert_, "kind", QStringLiteral("primary"));
  buttons->addWidget(convert_);
  auto* close = new QPushButton(tr("Close"), this);
  close->setAccessibleName(tr("Close the dialog"));
  buttons->addWidget(close);
  column->addLayout(buttons);
  fill_encodings();
  connect(encoding_, &QComboBox::currentIndexChanged, this, &RecodeDialog::show_readings);
  connect(convert_, &QPushButton::clicked, this, &RecodeDialog::convert);
  connect(close, &QPushButton::clicked, this, &RecodeDialog::reject);
  resize(800, 480);
  show_readings();
}

void RecodeDialog::fill_encodings() {
  encoding_->addItem(tr("Choose an encoding"));
  for (const LegacyEncoding encoding : kLegacyEncodings) {
    if (!has_legacy_encoding(encoding)) {
      continue;
    }
    const auto readable = std::ranges::count_if(
        files_, [&](const LegacyCaptions& file) { return recoded(file, encoding).has_value(); });
    encoding_->addItem(tr("%1: reads %2 of %3")
                           .arg(message_text(legacy_title(encoding)), step_text(readable),
                                step_text(std::ssize(files_))),
                       static_cast<int>(encoding));
  }
}

std::optional<LegacyEncoding> RecodeDialog::chosen() const {
  const QVariant data = encoding_->currentData();
  return data.isValid() ? std::optional(static_cast<LegacyEncoding>(data.toInt())) : std::nullopt;
}

void RecodeDialog::show_readings() {
  const int readable =
      view_->show_readings(files_, chosen(), tr("Not in this encoding; the file stays as it is"));
  convert_->setText(tr("Convert %n file(s) to UTF-8", nullptr, readable));
  convert_->setAccessibleName(convert_->text());
  convert_->setEnabled(readable > 0);
}

void RecodeDialog::convert() {
  const std::optional<LegacyEncoding> encoding = chosen();
  if (!encoding) {
    return;
  }
  CaptionJournal journal;
  QStringList problems;
  for (const LegacyCaptions& file : files_) {
    try {
      recode(file, *encoding, journal);
    } catch (const Error& e) {
      problems << plain_text(e.message());
      if (e.kind() != ErrorKind::input) {
        break;  // a full disk takes no other file either
      }
    } catch (const std::exception& e) {
      problems << plain_text(message_of(e));
    }
  }
  journal_ = journal.file();
  emit converted(static_cast<int>(journal.written()), problems);
  accept();
}

}  // namespace mantissa::gui
