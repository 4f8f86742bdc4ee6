#include "gui/widgets/QuestionSheet.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "gui/base/Text.h"
#include "gui/base/Theme.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kSheetWidth = 440;

}  // namespace

QuestionSheet::QuestionSheet(const QString& title, const QString& text, QWidget* parent)
    : QDialog(parent), column_(new QVBoxLayout(this)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(title);
  setFixedWidth(kSheetWidth);
  column_->setContentsMargins(Space::large, Space::large, Space::large, Space::large);
  column_->setSpacing(Space::tiny);
  question_ = make_label(shown(text), "", this);
  question_->setWordWrap(true);
  column_->addWidget(question_);
}

void QuestionSheet::set_text(const QString& text) {
  question_->setText(shown(text));
}

QString QuestionSheet::text() const {
  return question_->text();
}

QPushButton* QuestionSheet::add_button(const QString& name, const QString& then) {
  auto* button = new QPushButton(name, this);
  button->setAccessibleName(QString(name).replace(QLatin1String("&&"), QLatin1String("&")));
  button->setAccessibleDescription(then);
  button->setAutoDefault(true);
  column_->addSpacing(Space::small);
  column_->addWidget(button);
  if (!then.isEmpty()) {
    QLabel* what = make_label(then, "muted", this);
    what->setWordWrap(true);
    column_->addWidget(what);
  }
  return button;
}

QPushButton* QuestionSheet::add(const QString& name, const QString& then,
                                std::function<void()> chosen) {
  QPushButton* button = add_button(name, then);
  connect(button, &QPushButton::clicked, this, [this, chosen = std::move(chosen)] {
    accept();
    chosen();
  });
  if (first_ == nullptr) {
    set_first(button);
  }
  return button;
}

QPushButton* QuestionSheet::add_way_out(const QString& name, const QString& then,
                                        std::function<void()> chosen) {
  QPushButton* button = add_button(name, then);
  connect(button, &QPushButton::clicked, this, &QDialog::reject);
  if (chosen) {
    connect(this, &QDialog::rejected, this, std::move(chosen));
  }
  return button;
}

void QuestionSheet::set_first(QPushButton* button) {
  if (first_ != nullptr) {
    set_property(first_, "kind", QString());
  }
  first_ = button;
  set_property(button, "kind", QStringLiteral("primary"));
  button->setDefault(true);
  button->setFocus();
}

}  // namespace mantissa::gui
