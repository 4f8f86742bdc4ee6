#include "gui/precision/HealthDetails.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QResizeEvent>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/base/Text.h"
#include "gui/plot/Axis.h"
#include "gui/precision/ExponentHistogram.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kRowSpacing = 2, kLeastNumber = 90, kLeastHistogram = 120;

}  // namespace

HealthDetails::HealthDetails(const Theme* theme, QWidget* parent) : QFrame(parent) {
  setProperty("card", QStringLiteral("true"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::medium, Space::small, Space::medium, Space::small);
  column->setSpacing(Space::tiny);
  auto* top = new QHBoxLayout;
  title_ = make_heading(QString(), this);
  title_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  top->addWidget(title_, 1);
  tensor_ = new NoWheelCombo(this);
  tensor_->setAccessibleName(tr("Tensor of this layer"));
  tensor_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  // A cell with several tensors is as high as one with a single one.
  tensor_->hide();
  keep_room(tensor_);
  top->addWidget(tensor_);
  column->addLayout(top);
  auto* across = new QHBoxLayout;
  across->setSpacing(Space::medium);
  histogram_ = new ExponentHistogram(theme, this);
  histogram_->setMinimumWidth(kLeastHistogram);
  across->addWidget(histogram_, 1);
  grid_ = new QGridLayout;
  grid_->setVerticalSpacing(kRowSpacing);
  grid_->setHorizontalSpacing(Space::medium);
  const QString names[] = {tr("Format"),   tr("Values"),   tr("Underflow"), tr("Reduced precision"),
                           tr("Overflow"), tr("Headroom"), tr("SQNR"),      tr("Largest value")};
  for (int i = 0; i < kNumbers; ++i) {
    names_[i] = make_label(names[i], "muted", this);
    numbers_[i] = make_label(QStringLiteral("–"), "", this);
    numbers_[i]->setAlignment(Qt::AlignRight);
    numbers_[i]->setAccessibleDescription(names[i]);
    numbers_[i]->setMinimumWidth(kLeastNumber);
  }
  across->addLayout(grid_);
  column->addLayout(across, 1);
  arrange(kNumbers);
  connect(tensor_, &QComboBox::activated, this, &HealthDetails::tensor_chosen);
}

/// Of `columns` of names and numbers beside the histogram.
int HealthDetails::width_of(int columns) const {
  const int rows = kNumbers / columns;
  int width = kLeastHistogram;
  for (int first = 0; first < kNumbers; first += rows) {
    int name = 0;
    for (int i = first; i < first + rows; ++i) {
      name = std::max(name, names_[i]->sizeHint().width());
    }
    width += name + kLeastNumber + 2 * Space::medium;
  }
  const QMargins around = layout()->contentsMargins();
  return around.left() + width + around.right() + 2 * frameWidth();
}

/// A name in another script may be higher than the font's letters.
int HealthDetails::row_height() const {
  int height = 0;
  for (const QLabel* name : names_) {
    height = std::max(height, name->sizeHint().height());
  }
  return height;
}

int HealthDetails::height_of(int rows) const {
  const QMargins around = layout()->contentsMargins();
  return around.top() + tensor_->sizeHint().height() + layout()->spacing() +
         rows * (row_height() + kRowSpacing) + around.bottom() + 2 * frameWidth();
}

int HealthDetails::least_height(int width) const {
  return height_of(width >= width_of(2) ? kNumbers / 2 : kNumbers);
}

QSize HealthDetails::minimumSizeHint() const {
  return {width_of(1), least_height(width())};
}

void HealthDetails::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  const bool is_low = height() < height_of(kNumbers) && width() >= width_of(2);
  arrange(is_low ? kNumbers / 2 : kNumbers);
  if (event->oldSize().width() != event->size().width()) {
    updateGeometry();
  }
}

void HealthDetails::arrange(int rows) {
  if (rows_ == rows) {
    return;
  }
  rows_ = rows;
  for (int i = 0; i < kNumbers; ++i) {
    grid_->addWidget(names_[i], i % rows, 2 * (i / rows));
    grid_->addWidget(numbers_[i], i % rows, 2 * (i / rows) + 1);
  }
  for (int row = 0; row <= kNumbers; ++row) {
    grid_->setRowMinimumHeight(row, row < rows ? row_height() : 0);
    grid_->setRowStretch(row, row == rows ? 1 : 0);
  }
}

void HealthDetails::show_tensors(const std::vector<const HealthRow*>& tensors,
                                 const HealthRow* shown, std::int64_t step) {
  tensor_->clear();
  for (const HealthRow* tensor : tensors) {
    tensor_->addItem(capitalised(health_kind_text(tensor->kind)));
    if (tensor == shown) {
      tensor_->setCurrentIndex(tensor_->count() - 1);
    }
  }
  tensor_->setVisible(tensors.size() > 1);
  if (shown == nullptr) {
    title_->setText(tr("No cell selected"));
    histogram_->show_row(std::nullopt);
    for (QLabel* label : numbers_) {
      label->setText(QStringLiteral("–"));
    }
    return;
  }
  show_row(*shown);
  if (step > 0) {
    title_->setText(tr("%1 at step %2").arg(title_->text(), step_text(step)));
  }
  title_->setToolTip(title_->text().toHtmlEscaped());
  show_numbers(*shown);
}

void HealthDetails::show_row(const HealthRow& row) {
  histogram_->show_row(row);
  title_->setText(tr("%1 · %2").arg(to_qstring(row.layer), health_kind_text(row.kind)));
}

void HealthDetails::show_numbers(const HealthRow& row) {
  const TensorStatistics& s = row.statistics;
  const auto measured = [&](HealthMeasure m) { return measure_text(m, measure_value(m, row)); };
  const QString texts[] = {
      to_qstring(dtype_name(row.format)),
      s.non_finite > 0 ? tr("%1, %2 NaN/Inf").arg(step_text(s.count), step_text(s.non_finite))
                       : step_text(s.count),
      measured(HealthMeasure::underflow),
      measure_text(HealthMeasure::underflow, s.share(s.subnormal)),
      measured(HealthMeasure::overflow),
      measured(HealthMeasure::headroom),
      measured(HealthMeasure::sqnr),
      format_number(s.amax)};
  for (int i = 0; i < kNumbers; ++i) {
    numbers_[i]->setText(texts[i]);
  }
}

int HealthDetails::chosen() const {
  return tensor_->currentIndex();
}

QString HealthDetails::numbers_text() const {
  QStringList out{title_->text()};
  for (const QLabel* label : numbers_) {
    out << label->text();
  }
  return out.join(QLatin1Char('\n'));
}

}  // namespace mantissa::gui
