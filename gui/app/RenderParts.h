#pragma once

namespace mantissa::gui {

class EngineClient;
class JobPanel;
class MessageBar;
class RunData;
class RunStatus;
class SampleGrid;

/// What rendering images of the shown run uses.
struct RenderParts {
  EngineClient* engine = nullptr;
  const RunData* run_data = nullptr;
  const RunStatus* status = nullptr;  ///< which run is shown
  const JobPanel* job = nullptr;      ///< the device
  SampleGrid* grid = nullptr;
  MessageBar* messages = nullptr;
};

}  // namespace mantissa::gui
