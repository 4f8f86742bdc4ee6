#pragma once

#include "gui/app/WindowParts.h"
#include "gui/app/WindowQuestions.h"

class QWidget;

namespace mantissa::gui {

class DataPage;
class DevicePage;
class FrameTicker;
class HistoryPage;
class MessageBar;
class PageStack;
class RunActions;
class RunBar;
class RunPage;
class RunQueue;
class SampleGrid;
class SetupPage;

/// The window's contents for the parts that use them; MainWindow creates and owns them all.
struct WindowFrame {
  QWidget* window = nullptr;  ///< the parent of dialogs
  WindowParts parts;
  WindowQuestions ask;
  PageStack* pages = nullptr;
  SetupPage* setup = nullptr;
  DataPage* data_page = nullptr;
  RunPage* run = nullptr;
  SampleGrid* sample_grid = nullptr;
  HistoryPage* history = nullptr;
  DevicePage* device = nullptr;
  RunActions* actions = nullptr;
  RunQueue* queue = nullptr;
  FrameTicker* ticker = nullptr;
  RunBar* bar = nullptr;
  MessageBar* messages = nullptr;
};

}  // namespace mantissa::gui
