#pragma once

#include <QObject>

namespace mantissa::gui {

class ToolsTest : public QObject {
  Q_OBJECT

 private slots:
  void every_option_has_its_field();
  void adapters_are_merged_and_extracted_again();
  void an_adapter_is_converted_and_resized();
  void a_program_decides_on_the_format();
  void a_model_is_quantised();
  void a_file_is_inspected();
  void refusals_name_the_fields();
  void what_is_missing_is_told();
  void a_dropped_file_is_taken();
  void tools_are_found_by_their_words();
  void a_cancelled_tool_says_nothing_more();
  void screenshots();
};

}  // namespace mantissa::gui
