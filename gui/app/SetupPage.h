#pragma once
// defines: SetupPage

#include <QWidget>

#include "gui/app/Theme.h"

class QLabel;
class QLineEdit;

namespace mantissa {

class AppSettings;
class JobPanel;
class PrecisionPanel;
class PresetDocument;
class SchemaForm;

/// The recipe on the left, this run's paths and the preflight on the right.
class SetupPage : public QWidget {
  Q_OBJECT

 public:
  SetupPage(PresetDocument* document, AppSettings* settings, const Theme* theme,
            QWidget* parent = nullptr);

  SchemaForm* form() const { return form_; }
  JobPanel* job() const { return job_; }
  PrecisionPanel* precision() const { return precision_; }
  QLineEdit* search() const { return search_; }
  void focus_search();

 private:
  QLineEdit* search_;
  QLabel* found_;
  SchemaForm* form_;
  JobPanel* job_;
  PrecisionPanel* precision_;
};

}  // namespace mantissa
