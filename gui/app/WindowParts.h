#pragma once

#include "gui/base/Language.h"
#include "gui/engine/EngineClient.h"
#include "gui/programs/ProgramFolders.h"

namespace mantissa::gui {

class AppSettings;
class PlanWatcher;
class PresetDocument;
class RunData;
class RunLibrary;
class SampleModel;
class SettingsReader;
class Theme;

/// What the window shows and drives; owned by the Session.
struct WindowParts {
  AppSettings* settings = nullptr;
  Theme* theme = nullptr;
  PresetDocument* document = nullptr;
  EngineClient* engine = nullptr;
  RunData* run_data = nullptr;  ///< of the run shown: curves, markers, figures
  SampleModel* sample_model = nullptr;
  PlanWatcher* watcher = nullptr;
  RunLibrary* runs = nullptr;
  SettingsReader* reader = nullptr;
  Runner beside{};  ///< trains runs of the queue on further cards
  HasScript has_script = has_installed_font;
  FindRoots find_roots = ProgramRoots::of_this_machine;
};

}  // namespace mantissa::gui
