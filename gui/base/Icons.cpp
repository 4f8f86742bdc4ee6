#include "gui/base/Icons.h"

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <initializer_list>

namespace mantissa::gui {
namespace {

using Points = std::initializer_list<QPointF>;

void polyline(QPainter& p, Points points) {
  p.drawPolyline(points.begin(), static_cast<int>(points.size()));
}

void filled(QPainter& p, const QColor& color, Points points) {
  p.setBrush(color);
  p.drawPolygon(points.begin(), static_cast<int>(points.size()));
  p.setBrush(Qt::NoBrush);
}

void disk(QPainter& p) {
  polyline(p, {{2.5, 2.5}, {11, 2.5}, {13.5, 5}, {13.5, 13.5}, {2.5, 13.5}, {2.5, 2.5}});
  p.drawRect(QRectF(5, 9, 6, 4.5));
  p.drawRect(QRectF(5.5, 2.5, 4.5, 3));
}

void arc_arrow(QPainter& p, bool mirrored) {
  if (mirrored) {
    p.translate(16, 0);
    p.scale(-1, 1);
  }
  QPainterPath path;
  path.moveTo(3, 6.5);
  path.lineTo(9.5, 6.5);
  path.cubicTo(14.5, 6.5, 14.5, 13, 9.5, 13);
  path.lineTo(6, 13);
  p.drawPath(path);
  polyline(p, {{6, 3.5}, {3, 6.5}, {6, 9.5}});
}

class VectorIconEngine : public QIconEngine {
 public:
  VectorIconEngine(Icon icon, QColor color, QColor on) : icon_(icon), color_(color), on_(on) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    QColor color = state == QIcon::On && on_.isValid() ? on_ : color_;
    if (mode == QIcon::Disabled) {
      color.setAlphaF(0.4F);
    }
    // A small margin, so that adjacent text doesn't touch it.
    const double air = rect.width() * 0.06;
    paint_icon(*painter, icon_, QRectF(rect).adjusted(air, air, -air, -air), color);
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap out(size);
    if (out.isNull()) {
      return out;  // styles also ask for nothing
    }
    out.fill(Qt::transparent);
    QPainter painter(&out);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return out;
  }
  QIconEngine* clone() const override { return new VectorIconEngine(*this); }

 private:
  Icon icon_;
  QColor color_, on_;
};

}  // namespace

void paint_icon(QPainter& p, Icon icon, const QRectF& rect, const QColor& color) {
  p.save();
  p.setRenderHint(QPainter::Antialiasing);
  p.translate(rect.topLeft());
  p.scale(rect.width() / 16, rect.height() / 16);
  p.setPen(QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.setBrush(Qt::NoBrush);
  switch (icon) {
    case Icon::setup:
      for (const auto& [y, x] : {std::pair{3.5, 10.5}, {8.0, 5.0}, {12.5, 9.0}}) {
        polyline(p, {{1.5, y}, {x - 1.7, y}});
        polyline(p, {{x + 1.7, y}, {14.5, y}});
        p.drawEllipse(QPointF(x, y), 1.7, 1.7);
      }
      break;
    case Icon::train:
      polyline(p, {{2, 1.5}, {2, 14}, {14.5, 14}});
      polyline(p, {{4.5, 3.5}, {6.5, 8.5}, {8.5, 7}, {10.5, 10.5}, {14, 11}});
      break;
    case Icon::samples:
      p.drawRoundedRect(QRectF(1.5, 2.5, 13, 11), 1.5, 1.5);
      p.drawEllipse(QPointF(5.2, 6), 1.2, 1.2);
      polyline(p, {{2, 12}, {6, 8.8}, {8.5, 11}, {11, 7.5}, {14.3, 11.5}});
      break;
    case Icon::data:
      for (const double y : {1.8, 8.9}) {
        for (const double x : {1.8, 8.9}) {
          p.drawRoundedRect(QRectF(x, y, 5.3, 5.3), 1.1, 1.1);
        }
      }
      break;
    case Icon::history: {
      QPainterPath path;
      path.arcMoveTo(QRectF(2, 2, 12, 12), 165);
      path.arcTo(QRectF(2, 2, 12, 12), 165, -320);
      p.drawPath(path);
      polyline(p, {{1.2, 3.2}, {2.3, 6.6}, {5.7, 5.6}});
      polyline(p, {{8, 4.8}, {8, 8.3}, {10.6, 9.8}});
      break;
    }
    case Icon::device:
      p.drawRoundedRect(QRectF(3.6, 3.6, 8.8, 8.8), 1.2, 1.2);
      p.drawRect(QRectF(6.3, 6.3, 3.4, 3.4));
      for (const double at : {6.0, 10.0}) {
        polyline(p, {{at, 1.3}, {at, 3.4}});
        polyline(p, {{at, 12.6}, {at, 14.7}});
        polyline(p, {{1.3, at}, {3.4, at}});
        polyline(p, {{12.6, at}, {14.7, at}});
      }
      break;
    case Icon::play:
      filled(p, color, {{4.5, 2.8}, {13, 8}, {4.5, 13.2}});
      break;
    case Icon::pause:
      p.setPen(QPen(color, 2.6, Qt::SolidLine, Qt::FlatCap));
      polyline(p, {{5.2, 3}, {5.2, 13}});
      polyline(p, {{10.8, 3}, {10.8, 13}});
      break;
    case Icon::stop:
      filled(p, color, {{4, 4}, {12, 4}, {12, 12}, {4, 12}});
      break;
    case Icon::stop_save:
      filled(p, color, {{3, 2.5}, {9, 2.5}, {9, 8.5}, {3, 8.5}});
      polyline(p, {{11.5, 6}, {11.5, 12}});
      polyline(p, {{9, 9.8}, {11.5, 12.3}, {14, 9.8}});
      polyline(p, {{8.5, 14.2}, {14.5, 14.2}});
      break;
    case Icon::copy:
      p.drawRoundedRect(QRectF(5.5, 5.5, 9, 9), 1.5, 1.5);
      polyline(p, {{3.5, 10.5}, {1.5, 10.5}, {1.5, 1.5}, {10.5, 1.5}, {10.5, 3.5}});
      break;
    case Icon::save:
      disk(p);
      break;
    case Icon::sample:
      p.drawRoundedRect(QRectF(1.5, 4.5, 13, 9), 1.5, 1.5);
      polyline(p, {{5, 4.5}, {6.2, 2.5}, {9.8, 2.5}, {11, 4.5}});
      p.drawEllipse(QPointF(8, 9), 2.5, 2.5);
      break;
    case Icon::open:
    case Icon::folder:
      polyline(p,
               {{1.5, 12.8}, {1.5, 3.2}, {6, 3.2}, {7.5, 5}, {14.5, 5}, {14.5, 12.8}, {1.5, 12.8}});
      break;
    case Icon::undo:
      arc_arrow(p, false);
      break;
    case Icon::redo:
      arc_arrow(p, true);
      break;
    case Icon::add:
      polyline(p, {{8, 3}, {8, 13}});
      polyline(p, {{3, 8}, {13, 8}});
      break;
    case Icon::remove:
      polyline(p, {{4, 4}, {12, 12}});
      polyline(p, {{12, 4}, {4, 12}});
      break;
    case Icon::reset: {
      QPainterPath path;
      path.arcMoveTo(QRectF(3, 3, 10, 10), 140);
      path.arcTo(QRectF(3, 3, 10, 10), 140, -290);
      p.drawPath(path);
      polyline(p, {{3.4, 1.8}, {3.8, 5}, {7, 4.7}});
      break;
    }
    case Icon::help:
      p.drawEllipse(QPointF(8, 8), 6.3, 6.3);
      polyline(p, {{8, 7.4}, {8, 11.3}});
      p.setPen(QPen(color, 1.8, Qt::SolidLine, Qt::RoundCap));
      p.drawPoint(QPointF(8, 4.8));
      break;
    case Icon::search:
      p.drawEllipse(QPointF(6.8, 6.8), 4.6, 4.6);
      polyline(p, {{10.3, 10.3}, {14, 14}});
      break;
    case Icon::check:
      polyline(p, {{3, 8.5}, {6.5, 12}, {13, 4.5}});
      break;
    case Icon::error:
      p.drawEllipse(QPointF(8, 8), 6.3, 6.3);
      polyline(p, {{5.7, 5.7}, {10.3, 10.3}});
      polyline(p, {{10.3, 5.7}, {5.7, 10.3}});
      break;
    case Icon::warning:
      polyline(p, {{8, 2}, {14.8, 13.8}, {1.2, 13.8}, {8, 2}});
      polyline(p, {{8, 6.3}, {8, 9.6}});
      p.setPen(QPen(color, 1.8, Qt::SolidLine, Qt::RoundCap));
      p.drawPoint(QPointF(8, 11.8));
      break;
    case Icon::info:
      p.drawEllipse(QPointF(8, 8), 6.3, 6.3);
      polyline(p, {{8, 7.4}, {8, 11.3}});
      p.drawPoint(QPointF(8, 4.8));
      break;
    case Icon::chevron_right:
      polyline(p, {{6, 3.8}, {10.2, 8}, {6, 12.2}});
      break;
    case Icon::chevron_down:
      polyline(p, {{3.8, 6}, {8, 10.2}, {12.2, 6}});
      break;
    case Icon::log_scale:
      polyline(p, {{2, 2}, {2, 14}, {14, 14}});
      for (const double y : {12.0, 9.2, 7.2, 5.9, 5.0}) {
        polyline(p, {{2, y}, {5, y}});
      }
      break;
    case Icon::clip:
      polyline(p, {{1.5, 4}, {14.5, 4}});
      polyline(p, {{1.5, 12}, {4.5, 9}, {7, 5}, {9, 5}, {11.5, 9}, {14.5, 10}});
      break;
    case Icon::fit:
      polyline(p, {{2, 6}, {2, 2}, {6, 2}});
      polyline(p, {{10, 2}, {14, 2}, {14, 6}});
      polyline(p, {{14, 10}, {14, 14}, {10, 14}});
      polyline(p, {{6, 14}, {2, 14}, {2, 10}});
      break;
    case Icon::mask:
      p.drawRect(QRectF(2, 3, 12, 10));
      p.drawEllipse(QPointF(8, 8), 3, 3);
      break;
    case Icon::brush:
      polyline(p, {{14, 2}, {7.5, 8.5}});
      p.drawEllipse(QPointF(5, 11), 2.8, 2.8);
      break;
    case Icon::eraser:
      polyline(p, {{2.5, 9.5}, {9, 3}, {13.5, 7.5}, {8, 13}, {6, 13}, {2.5, 9.5}});
      polyline(p, {{5.8, 6.2}, {10.3, 10.7}});
      polyline(p, {{8, 13}, {14, 13}});
      break;
    case Icon::invert:
      p.drawEllipse(QPointF(8, 8), 5.7, 5.7);
      filled(p, color, {{8, 2.5}, {11, 3.5}, {13.4, 6.3}, {13.4, 9.7}, {11, 12.5}, {8, 13.5}});
      break;
    case Icon::tag:
      polyline(p, {{2.5, 2.5}, {8, 2.5}, {14, 8.5}, {8.5, 14}, {2.5, 8}, {2.5, 2.5}});
      p.drawEllipse(QPointF(5.5, 5.5), 0.8, 0.8);
      break;
    case Icon::tools:
      p.drawArc(QRectF(7.3, 1.8, 7, 7), 80 * 16, 290 * 16);
      polyline(p, {{11.4, 1.9}, {11.4, 4.7}, {14.2, 4.7}});
      polyline(p, {{8.3, 7.8}, {2.5, 13.5}});
      break;
  }
  p.restore();
}

QIcon make_icon(Icon icon, const QColor& color, const QColor& on) {
  return QIcon(new VectorIconEngine(icon, color, on));
}

QIcon app_icon() {
  QIcon icon;
  for (const int size : {16, 32, 64, 128, 256}) {
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter p(&pixmap);
    p.setRenderHint(QPainter::Antialiasing);
    p.scale(size / 16.0, size / 16.0);
    p.setPen(Qt::NoPen);
    p.setBrush(QColor(0x00, 0x6a, 0xa8));
    p.drawRoundedRect(QRectF(0.5, 0.5, 15, 15), 3.5, 3.5);
    p.setPen(QPen(Qt::white, 1.7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF mark[] = {{3.5, 11.5}, {3.5, 4.8}, {8, 9.2}, {12.5, 4.8}, {12.5, 11.5}};
    p.drawPolyline(mark, 5);
    p.end();
    icon.addPixmap(pixmap);
  }
  return icon;
}

}  // namespace mantissa::gui
