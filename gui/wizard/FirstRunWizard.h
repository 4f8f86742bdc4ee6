#pragma once

#include <QDialog>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/preset/family_table.h"
#include "engine/preset/preset_library.h"
#include "gui/base/Theme.h"
#include "gui/engine/LatestWorker.h"

class QButtonGroup;
class QLabel;
class QLayout;
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

/// The family of the base model at a path, `automatic` if it is none that is known. Called on a
/// thread of the wizard's own: the file may be on a slow disk.
using FamilyReader = std::function<ModelFamily(const QString& base)>;

/// The first start: base model, images, goal. Just pressing Next gives the built-in demo, which
/// trains on any computer. Can be closed at any point.
class FirstRunWizard : public QDialog {
  Q_OBJECT

 public:
  FirstRunWizard(const std::vector<PresetEntry>& library, FamilyReader read_family,
                 const Theme* theme, QWidget* parent);
  ~FirstRunWizard() override;

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
  /// Whether a preset is offered for the chosen base model.
  bool offers(const QString& id) const;
  /// What the chosen base model is: "SDXL · 6.5 GB · licence: openrail++ (metadata)".
  QString base_text() const;

 signals:
  void chosen(const FirstRunChoice& choice);

  // From the worker's thread to this object.
  void relay_family(quint64 generation, const QString& name, const QString& licence);

 private:
  void build_base();
  void build_images();
  QLayout* build_buttons();
  void start_worker();
  void build_goals(QWidget* page);
  void read_base();
  void show_family(const ModelFamily& family, const QString& licence);
  void show_goals(const std::function<bool(const PresetEntry&)>& suits);
  QWidget* add_step(const QString& title, const QString& words);
  void show_step(int step);

  std::vector<PresetEntry> goals_;
  const Theme* theme_;
  FamilyReader read_family_;
  QLabel *where_, *kind_ = nullptr;
  QStackedWidget* steps_;
  PathEdit* base_;
  PathListEdit* images_;
  QButtonGroup* goal_;
  std::vector<QLabel*> descriptions_;  ///< of the goals
  QPushButton *skip_, *back_, *next_;
  std::uint64_t generation_ = 0;
  std::unique_ptr<LatestWorker<QString>> worker_;
};

}  // namespace mantissa::gui
