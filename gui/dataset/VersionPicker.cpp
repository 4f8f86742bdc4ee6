#include "gui/dataset/VersionPicker.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <algorithm>

#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

QToolButton* arrow(Qt::ArrowType type, const QString& name, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setArrowType(type);
  button->setAccessibleName(name);
  button->setToolTip(name);
  return button;
}

/// 1.05 for 500 ten-thousandths.
QString factor_text(int ten_thousandths) {
  return QLocale::c().toString(1 + ten_thousandths / 10'000.0, 'f', 2);
}

}  // namespace

VersionPicker::VersionPicker(const Theme* theme, QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::small);
  previous_ = arrow(Qt::LeftArrow, tr("Previous version"), this);
  next_ = arrow(Qt::RightArrow, tr("Next version"), this);
  label_ = make_label(QString(), "muted", this);
  row->addWidget(previous_);
  row->addWidget(label_);
  row->addWidget(next_);
  row->addStretch();
  connect(previous_, &QToolButton::clicked, this, [this] { set_variant(variant_ - 1); });
  connect(next_, &QToolButton::clicked, this, [this] { set_variant(variant_ + 1); });
  connect(theme, &Theme::changed, this, qOverload<>(&QWidget::update));
  set_preset({});
}

void VersionPicker::set_preset(const Preset& preset) {
  count_ = augments(preset.data) ? variant_count(preset.data) : 0;
  variant_ = std::min(variant_, count_ - 1);
  setVisible(count_ > 0);
  show_variant();
}

void VersionPicker::set_variant(int variant) {
  variant_ = std::clamp(variant, -1, count_ - 1);
  show_variant();
  emit chosen();
}

QString VersionPicker::text() const {
  return label_->text();
}

void VersionPicker::show_variant() {
  label_->setText(variant_ < 0 ? tr("The whole image")
                               : tr("Version %1 of %2").arg(variant_ + 1).arg(count_));
  previous_->setEnabled(variant_ >= 0);
  next_->setEnabled(variant_ + 1 < count_);
}

QString version_text(const ImageVersion& version) {
  const Placement& p = version.placement;
  QStringList parts{VersionPicker::tr("Cut at %1, %2 of %3 × %4")
                        .arg(p.left)
                        .arg(p.top)
                        .arg(p.scaled_width)
                        .arg(p.scaled_height)};
  if (p.angle != 0) {
    parts
        << VersionPicker::tr("rotated by %1°").arg(QLocale::c().toString(p.angle / 100.0, 'f', 1));
  }
  const ColorChange& color = version.color;
  const std::pair<int, QString> factors[] = {
      {color.brightness, VersionPicker::tr("brightness × %1")},
      {color.contrast, VersionPicker::tr("contrast × %1")},
      {color.saturation, VersionPicker::tr("saturation × %1")}};
  for (const auto& [change, text] : factors) {
    if (change != 0) {
      parts << text.arg(factor_text(change));
    }
  }
  if (color.hue != 0) {
    parts << VersionPicker::tr("hue turned by %1°")
                 .arg(QLocale::c().toString(color.hue * 360 / 10'000.0, 'f', 1));
  }
  return parts.join(QStringLiteral(" · "));
}

}  // namespace mantissa::gui
