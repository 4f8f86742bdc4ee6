#pragma once

#include <QObject>
#include <filesystem>
#include <vector>

#include "engine/run/run_adapters.h"
#include "gui/app/RenderParts.h"
#include "gui/samples/FreePrompt.h"

namespace mantissa::gui {

/// Renders free prompts with the adapters of the shown run, or of a paused one.
class FreeRenders : public QObject {
  Q_OBJECT

 public:
  explicit FreeRenders(const RenderParts& parts);

 private:
  /// The run's folder; empty if there is none.
  std::filesystem::path run() const;
  QString refusal() const;
  void update();
  void render(const FreePrompt::Wish& wish);

  const RenderParts parts_;
  std::vector<RunAdapter> adapters_;
  std::filesystem::path out_;  ///< of the image that is being rendered
};

}  // namespace mantissa::gui
