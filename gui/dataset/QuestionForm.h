#pragma once

#include <QVariantMap>
#include <QWidget>
#include <cstdint>
#include <string>

class QGridLayout;
class QPlainTextEdit;

namespace mantissa::gui {

class NoWheelSpin;

/// What a model that writes sentences is asked about each image, and how large it sees it; derived
/// forms say which model.
class QuestionForm : public QWidget {
  Q_OBJECT

 public:
  /// What is missing or wrong; empty if images can be captioned.
  QString lack() const;

  QPlainTextEdit* prompt() const { return prompt_; }
  NoWheelSpin* largest_side() const { return side_; }

 signals:
  void changed();

 protected:
  QuestionForm(std::int64_t most_side, const QString& side_tip, QWidget* parent);

  /// As lack, of the model alone.
  virtual QString lack_of_model() const = 0;
  /// A field and its name, in the grid's row and column.
  void add(const QString& name, QWidget* field, int row, int column, int span = 1);
  void add_side(int row, int column);
  /// The last row.
  void add_question(int row, int span);
  QGridLayout* grid() const { return grid_; }

  /// Shows what was kept, else what is usual.
  void recall(const QVariantMap& kept, const std::string& usual_prompt, int usual_side);
  /// `others` with the question, to be kept.
  QVariantMap with_question(QVariantMap others) const;
  /// Into an engine's options, which have the same names.
  template <typename Options>
  void fill(Options& options) const {
    options.prompt = question();
    options.largest_side = side();
  }

 private:
  std::string question() const;
  int side() const;

  std::int64_t most_side_;
  QGridLayout* grid_;
  QPlainTextEdit* prompt_;
  NoWheelSpin* side_;
};

}  // namespace mantissa::gui
