#include "gui/dataset/EndpointForm.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>

#include "engine/core/error.h"
#include "engine/http/http_address.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/base/Theme.h"
#include "gui/engine/AppSettings.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr std::int64_t kLeastSide = 64, kMostSide = 8192;

}  // namespace

EndpointForm::EndpointForm(AppSettings* settings, QWidget* parent)
    : QWidget(parent), settings_(settings) {
  address_ = new QLineEdit(this);
  address_->setAccessibleName(tr("Address of the program"));
  address_->setPlaceholderText(QStringLiteral("http://127.0.0.1:8080/v1"));
  model_ = new QLineEdit(this);
  model_->setAccessibleName(tr("Model"));
  model_->setPlaceholderText(tr("the program's own"));
  model_->setToolTip(tr("Its name as the program lists it; Ollama and LM Studio want one"));
  side_ = new NoWheelSpin(kLeastSide, kMostSide, this);
  side_->setAccessibleName(tr("Largest side"));
  side_->setToolTip(tr("Pixels of the longer side that is sent; larger images are scaled"));
  side_->setFixedWidth(90);
  prompt_ = new QPlainTextEdit(this);
  prompt_->setAccessibleName(tr("Question"));
  prompt_->setToolTip(tr("What the model is asked about each image"));
  prompt_->setTabChangesFocus(true);
  prompt_->setFixedHeight(3 * fontMetrics().lineSpacing() + 2 * Space::small);
  where_ = make_label(QString(), "muted", this);
  where_->setWordWrap(true);
  lay_out();
  recall();
  for (QLineEdit* line : {address_, model_}) {
    connect(line, &QLineEdit::textChanged, this, &EndpointForm::changed);
  }
  connect(address_, &QLineEdit::textChanged, this, &EndpointForm::tell_where);
  connect(prompt_, &QPlainTextEdit::textChanged, this, &EndpointForm::changed);
  connect(side_, &NoWheelSpin::edited, this, &EndpointForm::changed);
  tell_where();
}

void EndpointForm::lay_out() {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(Space::medium);
  grid->setVerticalSpacing(Space::small);
  const auto add = [&](const QString& name, QWidget* field, int row, int at, int span = 1) {
    auto* label = make_label(name, "muted", this);
    label->setBuddy(field);
    grid->addWidget(label, row, at, Qt::AlignTop);
    grid->addWidget(field, row, at + 1, 1, span);
  };
  add(tr("Address"), address_, 0, 0, 5);
  grid->addWidget(where_, 1, 1, 1, 5);
  add(tr("Model"), model_, 2, 0, 3);
  add(tr("Largest side"), side_, 2, 4);
  add(tr("Question"), prompt_, 3, 0, 5);
  grid->setColumnStretch(1, 1);
  grid->setRowStretch(4, 1);
}

void EndpointForm::recall() {
  const EndpointOptions usual;
  const QVariantMap kept = settings_->endpoint_options();
  address_->setText(kept.value(QStringLiteral("address")).toString());
  model_->setText(kept.value(QStringLiteral("model")).toString());
  prompt_->setPlainText(kept.value(QStringLiteral("prompt"), to_qstring(usual.prompt)).toString());
  side_->set_value(kept.value(QStringLiteral("side"), usual.largest_side).toLongLong());
}

void EndpointForm::remember() const {
  settings_->set_endpoint_options({{QStringLiteral("address"), address_->text()},
                                   {QStringLiteral("model"), model_->text()},
                                   {QStringLiteral("prompt"), prompt_->toPlainText()},
                                   {QStringLiteral("side"), options().largest_side}});
}

EndpointOptions EndpointForm::options() const {
  EndpointOptions options;
  options.address = address_->text().trimmed().toStdString();
  options.model = model_->text().trimmed().toStdString();
  options.prompt = prompt_->toPlainText().trimmed().toStdString();
  options.largest_side = static_cast<int>(side_->value().value_or(options.largest_side));
  options.key = endpoint_key();
  return options;
}

QString EndpointForm::lack() const {
  if (address_->text().trimmed().isEmpty()) {
    return tr("Give the address of the program first");
  }
  try {
    completions_url(address_->text().toStdString());
  } catch (const Error& e) {
    return plain_text(e.message());
  }
  if (prompt_->toPlainText().trimmed().isEmpty()) {
    return tr("Give a question first");
  }
  const std::optional<std::int64_t> side = side_->value();
  return side && *side >= kLeastSide && *side <= kMostSide
             ? QString()
             : tr("The largest side is a number of pixels from 64 to 8192");
}

void EndpointForm::tell_where() {
  const std::string address = address_->text().trimmed().toStdString();
  const std::string host = address_host(address);
  const bool elsewhere = !host.empty() && !is_this_machine(address);
  set_property(where_, "role", elsewhere ? QStringLiteral("warning") : QStringLiteral("muted"));
  where_->setText(
      elsewhere ? tr("The images are sent to %1, another machine.").arg(shown(to_qstring(host)))
      : host.empty()
          ? tr("Of a program that serves a model which sees images: llama.cpp is usually at "
               "http://127.0.0.1:8080/v1, Ollama at http://127.0.0.1:11434/v1, LM Studio at "
               "http://127.0.0.1:1234/v1.")
          : tr("The images stay on this computer."));
}

QString EndpointForm::where() const {
  return where_->text();
}

}  // namespace mantissa::gui
