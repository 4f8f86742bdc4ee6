#pragma once

#include <QObject>

namespace mantissa::gui {

class FamilyIconTest : public QObject {
  Q_OBJECT

 private slots:
  void families_differ_without_colour();
  void icons_are_seen_in_both_themes();
  void history_shows_them();
  void recent_files_show_them();
  void presets_show_them();
};

}  // namespace mantissa::gui
