#pragma once

#include <QObject>

namespace mantissa::gui {

class DataPage;
class PresetDocument;
class SetupPage;

/// Says in the form what values come to: steps of the epochs, epochs of the steps, and the scale
/// that alpha gives at the rank.
class LengthNotes : public QObject {
  Q_OBJECT

 public:
  LengthNotes(const PresetDocument* document, const DataPage* data, const SetupPage* setup);

 private:
  void update();

  const PresetDocument* document_;
  const DataPage* data_;
  const SetupPage* setup_;
};

}  // namespace mantissa::gui
