#pragma once

#include <QObject>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;

namespace mantissa::gui {

class RunFilterModel;
class RunModel;

/// The fields that narrow the list of runs, by words, state and tag, and the number of those
/// listed.
class RunFilters : public QObject {
  Q_OBJECT

 public:
  RunFilters(RunModel* model, RunFilterModel* filter, QObject* parent = nullptr);

  /// Makes the fields, in a row of this widget.
  void add_to(QHBoxLayout* row, QWidget* bar);
  QLineEdit* search() const { return search_; }
  QComboBox* tag() const { return tag_; }
  QComboBox* state() const { return state_; }
  void focus_search();
  /// Lists every run again.
  void clear();
  /// Offers the tags that the runs have now.
  void update_tags();

 private:
  void connect_fields();
  void update_count();
  /// Number of runs that only a filter shows.
  int empty_runs() const;

  RunModel* model_;
  RunFilterModel* filter_;
  QLineEdit* search_ = nullptr;
  QComboBox *state_ = nullptr, *tag_ = nullptr;
  QLabel* count_ = nullptr;
};

}  // namespace mantissa::gui
