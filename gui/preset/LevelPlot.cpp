#include "gui/preset/LevelPlot.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

constexpr int kPlotHeight = 56;

}  // namespace

LevelPlot::LevelPlot(const Theme* theme, QWidget* parent) : QWidget(parent), theme_(theme) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Noise levels that are trained"));
  setToolTip(wrapped_tip(
      tr("How often each noise level is trained with these settings, as the engine draws "
         "them. The line is an even distribution.\nGood: no range that is hardly trained.\nMore "
         "near noise teaches composition, more near the image details.")));
  connect(theme_, &Theme::changed, this, qOverload<>(&QWidget::update));
  hide();
}

QSize LevelPlot::sizeHint() const {
  return {280, kPlotHeight + fontMetrics().height() + 2};
}

void LevelPlot::show_levels(const std::vector<double>& density) {
  density_ = density;
  if (isHidden() == !density_.empty()) {
    emit about_to_change();
  }
  setVisible(!density_.empty());
  const auto third = static_cast<std::ptrdiff_t>(density_.size() / 3);
  const auto share = [&](auto from, auto to) {
    double sum = 0;
    for (auto at = from; at != to; ++at) {
      sum += *at;
    }
    return percent_text(sum / static_cast<double>(density_.size()));
  };
  if (!density_.empty()) {
    const auto begin = density_.begin(), end = density_.end();
    setAccessibleDescription(tr("%1 near the image, %2 in the middle, %3 near pure noise")
                                 .arg(share(begin, begin + third),
                                      share(begin + third, end - third), share(end - third, end)));
  }
  update();
}

void LevelPlot::paintEvent(QPaintEvent*) {
  if (density_.empty()) {
    return;
  }
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const ThemeColors& c = theme_->colors();
  const QRectF area(0.5, 0.5, std::min(width(), 420) - 1, kPlotHeight - 1);
  const double top = std::max(2.0, *std::max_element(density_.begin(), density_.end())) * 1.05;
  const auto y_of = [&](double value) { return area.bottom() - area.height() * value / top; };
  const double step = area.width() / static_cast<double>(density_.size());
  QPainterPath curve;
  curve.moveTo(area.left(), area.bottom());
  for (std::size_t i = 0; i < density_.size(); ++i) {
    const double left = area.left() + step * static_cast<double>(i);
    curve.lineTo(left, y_of(density_[i]));
    curve.lineTo(left + step, y_of(density_[i]));
  }
  curve.lineTo(area.right(), area.bottom());
  QColor fill = c.accent;
  fill.setAlphaF(0.35F);
  p.fillPath(curve, fill);
  p.setPen(QPen(c.accent, 1.2));
  p.drawPath(curve);
  p.setPen(QPen(c.muted, 1, Qt::DashLine));
  p.drawLine(QPointF(area.left(), y_of(1)), QPointF(area.right(), y_of(1)));
  p.setPen(c.muted);
  const QRectF labels(area.left(), area.bottom() + 2, area.width(), fontMetrics().height());
  p.drawText(labels, Qt::AlignLeft | Qt::AlignTop, tr("Image"));
  p.drawText(labels, Qt::AlignRight | Qt::AlignTop, tr("Noise"));
}

}  // namespace mantissa::gui
