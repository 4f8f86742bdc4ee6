#pragma once

#include <QObject>

namespace mantissa::gui {

/// The engine's English in the window's language: findings, lines of the log, errors, reasons.
class EngineTextTest : public QObject {
  Q_OBJECT

 private slots:
  void every_template_keeps_its_values_data();
  void every_template_keeps_its_values();
  void findings_of_presets_are_translated_data();
  void findings_of_presets_are_translated();
  void lines_are_translated();
  void english_stays_as_it_is();
  void imports_speak_data();
  void imports_speak();
  void errors_speak_data();
  void errors_speak();
  void errors_begin_as_sentences_do();
  void the_window_has_no_advice_for_the_command_line();
  void the_window_speaks_no_command_line();
};

}  // namespace mantissa::gui
