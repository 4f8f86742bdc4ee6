#include "gui/precision/ExponentHistogram.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/base/Text.h"

namespace mantissa::gui {

ExponentHistogram::ExponentHistogram(const Theme* theme, QWidget* parent)
    : QWidget(parent), theme_(theme) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("Exponent histogram"));
  setToolTip(wrapped_tip(
      tr("How large the values of the tensor are, in powers of two, beside the range of its "
         "format.\nGood: all bars within the range.\nBars beyond its end overflow, those before "
         "its beginning become zero: pin the layer to a wider type.")));
  connect(theme_, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ExponentHistogram::show_row(const std::optional<HealthRow>& row) {
  row_ = row;
  if (row_) {
    const TensorStatistics& s = row_->statistics;
    setAccessibleDescription(
        tr("%1 nonzero values; %2 stored as zero, %3 with reduced precision, %4 too large")
            .arg(step_text(s.used()), step_text(s.underflow), step_text(s.subnormal),
                 step_text(s.overflow)));
  }
  update();
}

ExponentHistogram::Window ExponentHistogram::window_of(const HealthRow& row) {
  const FloatFormat f = float_format(row.format);
  const TensorStatistics& s = row.statistics;
  // The format holds x / scale: its window on x is shifted by the scale.
  const double shift = s.scaled_amax > 0 && s.amax > 0 ? std::log2(s.amax / s.scaled_amax) : 0;
  return {std::log2(f.min_subnormal) + shift, std::log2(f.min_normal) + shift,
          std::log2(f.max) + shift};
}

void ExponentHistogram::paintEvent(QPaintEvent*) {
  const ThemeColors& c = theme_->colors();
  QPainter p(this);
  const QFontMetrics metrics(font());
  const QRectF area(8, 8, width() - 16, height() - 2 * metrics.height() - 16);
  if (!row_) {
    p.setPen(c.muted);
    p.drawText(rect().adjusted(12, 0, -12, 0), Qt::AlignCenter | Qt::TextWordWrap,
               tr("Select a cell to see how that tensor's values are distributed."));
    return;
  }
  constexpr int kBins = TensorStatistics::kBins, kFirst = TensorStatistics::kFirstExponent;
  const double step = area.width() / kBins;
  const auto x_of = [&](double exponent) {
    return area.left() + std::clamp(exponent - kFirst, 0.0, static_cast<double>(kBins)) * step;
  };
  const Window w = window_of(*row_);
  // The format's range: solid with full precision, hatched with reduced precision.
  QColor shade = c.ok;
  shade.setAlphaF(c.dark ? 0.22F : 0.15F);
  p.fillRect(QRectF(QPointF(x_of(w.normal), area.top()), QPointF(x_of(w.largest), area.bottom())),
             shade);
  QColor thin = c.warning;
  thin.setAlphaF(c.dark ? 0.5F : 0.4F);
  p.fillRect(QRectF(QPointF(x_of(w.subnormal), area.top()), QPointF(x_of(w.normal), area.bottom())),
             QBrush(thin, Qt::BDiagPattern));

  std::int64_t most = 1;
  for (const std::int64_t n : row_->statistics.histogram) {
    most = std::max(most, n);
  }
  p.setPen(Qt::NoPen);
  for (int bin = 0; bin < kBins; ++bin) {
    const std::int64_t n = row_->statistics.histogram[static_cast<std::size_t>(bin)];
    if (n == 0) {
      continue;
    }
    // Square root: a bin with a thousandth of the maximum is still visible.
    const double tall = std::max(
        2.0, std::sqrt(static_cast<double>(n) / static_cast<double>(most)) * (area.height() - 6));
    const double low = kFirst + bin, high = low + 1;
    const bool lost = high <= w.subnormal || low >= w.largest;
    p.setBrush(lost ? c.error : high <= w.normal ? c.warning : c.series[0]);
    p.drawRect(QRectF(area.left() + bin * step + 0.5, area.bottom() - tall, std::max(step - 1, 1.0),
                      tall));
  }
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(c.border, 1));
  p.drawRect(area);
  for (const double edge : {w.subnormal, w.largest}) {
    if (edge > kFirst && edge < kFirst + kBins) {
      p.setPen(QPen(c.ok, 1.4));
      p.drawLine(QPointF(x_of(edge), area.top()), QPointF(x_of(edge), area.bottom()));
    }
  }
  p.setPen(c.muted);
  for (int exponent = kFirst; exponent <= kFirst + kBins; exponent += 8) {
    const QString text = QStringLiteral("2^%1").arg(exponent);
    const double half = metrics.horizontalAdvance(text) / 2.0;
    const double x = std::clamp(x_of(exponent), area.left() + half, area.right() - half);
    p.drawText(QPointF(x - half, area.bottom() + metrics.ascent() + 3), text);
  }
  const QString legend = tr("Green: %1 holds it · hatched: reduced precision · red: lost")
                             .arg(to_qstring(dtype_name(row_->format)));
  p.drawText(QPointF(area.left(), area.bottom() + metrics.height() + metrics.ascent() + 4),
             metrics.elidedText(legend, Qt::ElideRight, static_cast<int>(area.width())));
}

}  // namespace mantissa::gui
