#pragma once

#include <QWidget>
#include <optional>

#include "engine/caption/caption_images.h"
#include "gui/base/Theme.h"
#include "gui/widgets/PathEdit.h"

class QCheckBox;
class QLineEdit;
class QStackedWidget;

namespace mantissa::gui {

class AppSettings;
class CaptionerForm;
class EndpointForm;
class NoWheelCombo;
class SciSpin;

/// Which tagger or other model captions images, and how; kept for the next time.
class TaggerForm : public QWidget {
  Q_OBJECT

 public:
  /// `trigger`: the preset's.
  TaggerForm(AppSettings* settings, const QString& trigger, const Theme* theme, QWidget* parent);

  /// Whether a program is asked in place of a tagger.
  bool uses_endpoint() const;
  /// Whether a Qwen3-VL in this program writes sentences.
  bool uses_captioner() const;
  /// What is missing or wrong; empty if images can be captioned.
  QString lack() const;
  QString tagger() const;
  /// Nothing while a field holds no number from 0 to 1.
  std::optional<CaptionOptions> options() const;
  ExistingCaption existing() const;
  void remember() const;

  NoWheelCombo* source() const { return source_; }
  EndpointForm* endpoint() const { return endpoint_; }
  CaptionerForm* captioner() const { return captioner_; }
  PathEdit* folder() const { return folder_; }
  SciSpin* threshold() const { return threshold_; }
  SciSpin* character_threshold() const { return characters_; }
  QLineEdit* excluded() const { return excluded_; }
  QLineEdit* trigger() const { return trigger_; }
  NoWheelCombo* existing_box() const { return existing_; }
  /// For tests, without a dialog.
  void set_folder_chooser(PathChooser chooser) { choose_ = std::move(chooser); }

 signals:
  void changed();

 private:
  void lay_out();
  QWidget* tagger_page();
  void recall(const QString& trigger);
  /// Shows the source that a chosen folder belongs to.
  void recognise();

  AppSettings* settings_;
  PathChooser choose_;
  NoWheelCombo* source_;
  QStackedWidget* pages_;
  EndpointForm* endpoint_;
  CaptionerForm* captioner_;
  PathEdit* folder_;
  NoWheelCombo* existing_;
  SciSpin *threshold_, *characters_;
  QLineEdit *excluded_, *trigger_;
  QCheckBox *ratings_, *underscores_;
};

}  // namespace mantissa::gui
