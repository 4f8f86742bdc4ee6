#pragma once

#include <QObject>

namespace mantissa::gui {

class DataPage;
class PresetDocument;
class SetupPage;

/// Says in the form how many steps the epochs make, and how many epochs the steps.
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
