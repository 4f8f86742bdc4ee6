#pragma once

#include <QPointer>
#include <QScrollArea>
#include <QString>
#include <QTimer>
#include <vector>

#include "engine/preset/family_table.h"
#include "engine/preset/schema.h"
#include "gui/base/Theme.h"

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace mantissa::gui {

class FieldRow;
class LevelPlot;
class PresetDocument;
class Section;

/// Every setting of the schema table as a form: one section per group, essential rows first, the
/// advanced ones behind a toggle.
class SchemaForm : public QScrollArea {
  Q_OBJECT

 public:
  SchemaForm(PresetDocument* document, const Theme* theme, QWidget* parent = nullptr);

  /// Shows only matching rows; empty shows all.
  void set_filter(const QString& query);
  QString filter() const { return filter_; }
  const std::vector<FieldRow*>& rows() const { return rows_; }
  FieldRow* row(const QString& key) const;
  /// Unfolds, scrolls to and focuses a setting.
  void jump_to(const QString& key);
  void set_show_advanced(bool on);
  /// Hides what models of this family don't have; nothing with `automatic`.
  void set_family(ModelFamily family);
  /// Below the distribution of timesteps.
  LevelPlot* level_plot() const { return levels_; }

 signals:
  /// Number of rows after filtering.
  void filtered(int rows);
  /// A row is shown that the filter may hide: it is empty now.
  void filter_dropped();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Part {
    Section* section = nullptr;
    QToolButton* toggle = nullptr;
    QWidget* advanced_box = nullptr;
    std::vector<FieldRow*> essential, advanced;
    bool advanced_open = false;
  };
  Part make_part(Group group, QWidget* page);
  void update_rows(const QString& key);
  void update_visibility();
  void sort_sections(const QStringList& words);
  void style_toggle(Part& part);
  /// Labels before the editors if there is room, else above them.
  void arrange_rows();
  /// Before rows appear, go or grow: what is under the pointer, or edited, stays where it is.
  void hold_place();
  void keep_place();

  PresetDocument* document_;
  const Theme* theme_;
  std::vector<Part> parts_;
  std::vector<FieldRow*> rows_;
  QVBoxLayout* column_;
  LevelPlot* levels_;
  QLabel* nothing_;
  QString filter_;
  ModelFamily family_ = ModelFamily::automatic;
  QPointer<FieldRow> held_;  ///< the row that stays, until the layout is done
  int held_at_ = 0;          ///< its place in the viewport
  QTimer settled_;           ///< runs until the layout is done
  int beside_width_ = 0;     ///< needed with labels before the editors
  bool stacked_ = false;
};

}  // namespace mantissa::gui
