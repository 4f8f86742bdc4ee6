#include "gui/base/FamilyIcon.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <algorithm>

#include "engine/preset/family_badge.h"
#include "gui/base/Text.h"
#include "gui/base/Theme.h"

namespace mantissa::gui {
namespace {

/// Colour only repeats what letters and shape say, so families may share one.
QColor fill_of(ModelFamily family) {
  const auto& series = Theme::light_colors().series;
  const auto rows = family_rows();
  const auto at = std::ranges::find(rows, family, [](const FamilyRow* row) { return row->id; });
  return series[static_cast<std::size_t>(at - rows.begin()) % series.size()];
}

QColor ink_on(const QColor& fill) {
  return contrast_ratio(fill, Qt::white) >= contrast_ratio(fill, Qt::black) ? Qt::white : Qt::black;
}

/// The letters as an outline, as large as `room` allows: hinting would tear three of them apart in
/// 16 pixels.
QPainterPath lettering(const QString& letters, const QRectF& room) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
  font.setPixelSize(64);
  font.setWeight(QFont::Bold);
  QPainterPath path;
  path.addText(0, 0, font, letters);
  const QRectF box = path.boundingRect();
  if (box.isEmpty()) {
    return path;
  }
  const double scale = std::min(room.width() / box.width(), room.height() / box.height());
  QTransform fit;
  fit.translate(room.center().x(), room.center().y());
  fit.scale(scale, scale);
  fit.translate(-box.center().x(), -box.center().y());
  return fit.map(path);
}

void paint_badge(QPainter& p, const FamilyBadge& badge, const QRectF& rect, double opacity) {
  p.save();
  p.setRenderHint(QPainter::Antialiasing);
  p.setOpacity(opacity);
  const double side = std::min(rect.width(), rect.height());
  p.translate(rect.center());
  p.scale(side / 16, side / 16);
  p.translate(-8, -8);
  const bool known = badge.family != ModelFamily::automatic;
  if (!known) {
    const QColor gray(0x80, 0x80, 0x80);  // contrast 3.9 on white, 5.3 on black
    p.setPen(QPen(gray, 1.3, Qt::DashLine));
    p.setBrush(Qt::NoBrush);
    p.drawEllipse(QRectF(1, 1, 14, 14));
    p.fillPath(lettering(to_qstring(badge.letters), QRectF(4, 4, 8, 8)), gray);
    p.restore();
    return;
  }
  const QColor fill = fill_of(badge.family);
  p.setPen(Qt::NoPen);
  p.setBrush(fill);
  const bool disk = family_row(badge.family).has_flow;
  if (disk) {
    p.drawEllipse(QRectF(0, 0, 16, 16));
  } else {
    p.drawRoundedRect(QRectF(0, 0.5, 16, 15), 2.5, 2.5);
  }
  const QRectF room = disk ? QRectF(2.2, 4, 11.6, 8) : QRectF(1.6, 4, 12.8, 8);
  p.fillPath(lettering(to_qstring(badge.letters), room), ink_on(fill));
  p.restore();
}

class FamilyIconEngine : public QIconEngine {
 public:
  explicit FamilyIconEngine(FamilyBadge badge) : badge_(std::move(badge)) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    paint_badge(*painter, badge_, QRectF(rect), mode == QIcon::Disabled ? 0.4 : 1.0);
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap out(size);
    out.fill(Qt::transparent);
    QPainter painter(&out);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return out;
  }
  QIconEngine* clone() const override { return new FamilyIconEngine(*this); }

 private:
  FamilyBadge badge_;
};

}  // namespace

QIcon family_icon(const std::string& key) {
  return QIcon(new FamilyIconEngine(family_badge(key)));
}

QString family_title(const std::string& key) {
  const FamilyBadge badge = family_badge(key);
  if (badge.family == ModelFamily::automatic) {
    return QCoreApplication::translate("Family", "Model family unknown");
  }
  return to_qstring(badge.title.empty() ? family_row(badge.family).title : badge.title);
}

}  // namespace mantissa::gui
