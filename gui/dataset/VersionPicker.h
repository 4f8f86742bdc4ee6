#pragma once

#include <QWidget>

#include "engine/data/augmentation.h"
#include "gui/base/Theme.h"

class QLabel;
class QToolButton;

namespace mantissa::gui {

/// Chooses what is shown of an image: the image as it is, or one of its versions.
class VersionPicker : public QWidget {
  Q_OBJECT

 public:
  explicit VersionPicker(const Theme* theme, QWidget* parent = nullptr);

  /// Hidden where the versions don't differ from the image.
  void set_preset(const Preset& preset);
  /// From 0; -1: the image as it is.
  int variant() const { return variant_; }
  void set_variant(int variant);
  QToolButton* next() const { return next_; }
  QToolButton* previous() const { return previous_; }
  QString text() const;

 signals:
  void chosen();

 private:
  void show_variant();

  QLabel* label_;
  QToolButton *previous_, *next_;
  int count_ = 0, variant_ = -1;
};

/// What distinguishes a version from the image: "cut at 12, 30 of 640 × 512 · rotated by 4.5°".
QString version_text(const ImageVersion& version);

}  // namespace mantissa::gui
