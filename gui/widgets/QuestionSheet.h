#pragma once

#include <QDialog>
#include <functional>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace mantissa::gui {

/// A question in the window's style: each answer is a button with what it does below it. Deleted
/// once it is closed.
class QuestionSheet : public QDialog {
  Q_OBJECT

 public:
  QuestionSheet(const QString& title, const QString& text, QWidget* parent);

  /// What is asked, where that changes while it is open.
  void set_text(const QString& text);
  QString text() const;
  /// An answer, and what is called once it is chosen; the first that can be chosen is Enter's.
  QPushButton* add(const QString& name, const QString& then, std::function<void()> chosen);
  /// The answer that changes nothing, which Escape gives too.
  QPushButton* add_way_out(const QString& name, const QString& then = {},
                           std::function<void()> chosen = {});
  /// Enter's answer in place of the first one.
  void set_first(QPushButton* button);

 private:
  QPushButton* add_button(const QString& name, const QString& then);

  QVBoxLayout* column_;
  QLabel* question_;
  QPushButton* first_ = nullptr;
};

}  // namespace mantissa::gui
