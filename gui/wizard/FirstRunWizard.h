#pragma once

#include <QDialog>
#include <QStringList>
#include <optional>
#include <vector>

#include "engine/preset/preset_library.h"
#include "gui/base/Theme.h"

class QButtonGroup;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace mantissa::gui {

class PathEdit;
class PathListEdit;

struct FirstRunChoice {
  QString base;
  QStringList images;
  std::optional<Preset> preset;
};

/// The first start: base model, images, goal. Just pressing Next gives the built-in demo, which
/// trains on any computer. Can be closed at any point.
class FirstRunWizard : public QDialog {
  Q_OBJECT

 public:
  FirstRunWizard(const std::vector<PresetEntry>& library, const Theme* theme, QWidget* parent);

  enum Step { base_step, images_step, goal_step };
  Step step() const;
  FirstRunChoice choice() const;
  PathEdit* base() const { return base_; }
  PathListEdit* images() const { return images_; }
  QPushButton* next_button() const { return next_; }
  QPushButton* back_button() const { return back_; }
  QPushButton* skip_button() const { return skip_; }
  /// The presets to choose from.
  const std::vector<PresetEntry>& goals() const { return goals_; }
  /// Chooses a goal by the id of its preset.
  void choose_goal(const QString& id);

 signals:
  void chosen(const FirstRunChoice& choice);

 private:
  QWidget* add_step(const QString& title, const QString& words);
  void show_step(int step);

  std::vector<PresetEntry> goals_;
  const Theme* theme_;
  QLabel* where_;
  QStackedWidget* steps_;
  PathEdit* base_;
  PathListEdit* images_;
  QButtonGroup* goal_;
  QPushButton *skip_, *back_, *next_;
};

}  // namespace mantissa::gui
