#pragma once

#include <QObject>

namespace mantissa::gui {

/// Base models in other programs' folders.
class ModelPickerTest : public QObject {
  Q_OBJECT

 private slots:
  void programs_folders_are_found();
  void extra_paths_are_read_as_comfyui_does();
  void hubs_are_those_of_the_environment();
  void models_are_recognised_by_their_headers();
  void a_model_of_the_list_becomes_the_base();
  void own_folders_are_remembered();
  void nothing_blocks_the_window();
  void an_empty_list_says_what_to_do();
  void screenshots();
};

}  // namespace mantissa::gui
