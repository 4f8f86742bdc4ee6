#pragma once

#include <QObject>

#include "gui/app/WindowFrame.h"

class QPushButton;

namespace mantissa::gui {

/// The next steps that pages without content offer.
class EmptyPages : public QObject {
  Q_OBJECT

 public:
  explicit EmptyPages(const WindowFrame& frame);

 private:
  /// What would bring a sample, by the state of the engine and the draft.
  void update_samples();
  void bring_samples();

  const WindowFrame& f_;
  QPushButton* bring_ = nullptr;
};

}  // namespace mantissa::gui
