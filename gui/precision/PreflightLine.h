#pragma once

#include <QWidget>

#include "gui/base/Icons.h"
#include "gui/base/Theme.h"
#include "gui/precision/FindingCard.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace mantissa::gui {

/// One finding of the preflight: its sentence in full, below it the button that acts on it, and,
/// once it is clicked, why it is so.
class PreflightLine : public QWidget {
  Q_OBJECT

 public:
  /// `now`: the preset that a fix changes.
  PreflightLine(const Finding& finding, const RemedyOf& remedy, const Preset& now,
                const Theme* theme, QWidget* parent);
  /// A problem that is no finding: words without a button.
  PreflightLine(const QString& problem, const Theme* theme, QWidget* parent);

  QString text() const { return text_; }
  QPushButton* button() const { return button_; }
  /// Whether there is an explanation to open.
  bool is_explained() const { return why_ != nullptr; }
  bool is_open() const;
  void set_open(bool open);

 signals:
  void fix_requested(const QString& patch_json, const QString& id);
  void field_requested(const QString& key);
  void opened();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build(const QString& words, Icon icon, QColor ThemeColors::*color, const Theme* theme);
  void explain(const Finding& finding, const Preset& now);
  void add_button(const Finding& finding, const RemedyOf& remedy, const Preset& now);

  QString text_;
  QVBoxLayout* column_ = nullptr;
  QLabel *icon_ = nullptr, *words_ = nullptr, *why_ = nullptr;
  QPushButton* button_ = nullptr;
};

}  // namespace mantissa::gui
