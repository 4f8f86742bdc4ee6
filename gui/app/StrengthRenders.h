#pragma once

#include <QObject>
#include <filesystem>

#include "gui/app/RenderParts.h"

namespace mantissa::gui {

/// Re-renders a prompt of the shown run with its adapter at another strength.
class StrengthRenders : public QObject {
  Q_OBJECT

 public:
  explicit StrengthRenders(const RenderParts& parts);

 private:
  /// Why rendering isn't possible now; empty if it is.
  QString refusal() const;
  void update();
  void render(int prompt, double weight);

  const RenderParts parts_;
  int prompt_ = 0;
  std::filesystem::path out_;  ///< of the image that is being rendered
};

}  // namespace mantissa::gui
