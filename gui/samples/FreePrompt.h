#pragma once

#include <QStringList>
#include <QWidget>

#include "gui/base/Theme.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSlider;

namespace mantissa::gui {

class NoWheelCombo;
class NoWheelSpin;

/// Prompts beside those of the preset: text, negative prompt, seed, which of the run's adapters and
/// how strong. Several prompts, checkpoints or strengths make one image, a table with labels.
class FreePrompt : public QWidget {
  Q_OBJECT

 public:
  /// What the columns of the image are.
  enum class Columns { one, checkpoints, strengths };
  struct Wish {
    QStringList prompts;
    QString negative;
    qint64 seed = 42;
    double strength = 1;
    int adapter = 0;  ///< index of the adapters
    Columns columns = Columns::one;
  };

  explicit FreePrompt(const Theme* theme, QWidget* parent = nullptr);
  /// The names of the run's adapters; the last is chosen.
  void set_adapters(const QStringList& names);
  /// Why nothing can be rendered now; empty if it can.
  void set_refusal(const QString& reason);
  void set_rendering(bool on);

  QPlainTextEdit* prompts() const { return prompts_; }
  QLineEdit* negative() const { return negative_; }
  NoWheelSpin* seed() const { return seed_; }
  NoWheelCombo* adapter_box() const { return adapter_; }
  NoWheelCombo* columns_box() const { return columns_; }
  QSlider* strength_slider() const { return strength_; }
  QPushButton* render_button() const { return render_; }

  static constexpr int kMostStrength = 150;  ///< per cent

 signals:
  void requested(const mantissa::gui::FreePrompt::Wish& wish);
  void cancel_requested();

 private:
  QStringList lines() const;
  void refresh();

  QPlainTextEdit* prompts_;
  QLineEdit* negative_;
  NoWheelSpin* seed_;
  NoWheelCombo *adapter_, *columns_;
  QSlider* strength_;
  QLabel *strength_text_, *refusal_;
  QPushButton* render_;
  QString refusal_text_;
  bool rendering_ = false;
};

}  // namespace mantissa::gui
