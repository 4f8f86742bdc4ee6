#include "gui/dataset/EndpointForm.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>

#include "engine/core/error.h"
#include "engine/http/http_address.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/base/Theme.h"
#include "gui/engine/AppSettings.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr std::int64_t kMostSent = 8192;

}  // namespace

EndpointForm::EndpointForm(AppSettings* settings, QWidget* parent)
    : QuestionForm(kMostSent,
                   tr("Pixels of the longer side that is sent; larger images are scaled"), parent),
      settings_(settings) {
  address_ = new QLineEdit(this);
  address_->setAccessibleName(tr("Address of the program"));
  address_->setPlaceholderText(QStringLiteral("http://127.0.0.1:8080/v1"));
  model_ = new QLineEdit(this);
  model_->setAccessibleName(tr("Model"));
  model_->setPlaceholderText(tr("The program's own"));
  model_->setToolTip(tr("Its name as the program lists it; Ollama and LM Studio want one"));
  where_ = make_label(QString(), "muted", this);
  where_->setWordWrap(true);
  add(tr("Address"), address_, 0, 0, 5);
  grid()->addWidget(where_, 1, 1, 1, 5);
  add(tr("Model"), model_, 2, 0, 3);
  add_side(2, 4);
  add_question(3, 5);
  const QVariantMap kept = settings_->endpoint_options();
  const EndpointOptions usual;
  address_->setText(kept.value(QStringLiteral("address")).toString());
  model_->setText(kept.value(QStringLiteral("model")).toString());
  recall(kept, usual.prompt, usual.largest_side);
  for (QLineEdit* line : {address_, model_}) {
    connect(line, &QLineEdit::textChanged, this, &EndpointForm::changed);
  }
  connect(address_, &QLineEdit::textChanged, this, &EndpointForm::tell_where);
  tell_where();
}

void EndpointForm::remember() const {
  settings_->set_endpoint_options(with_question(
      {{QStringLiteral("address"), address_->text()}, {QStringLiteral("model"), model_->text()}}));
}

EndpointOptions EndpointForm::options() const {
  EndpointOptions options;
  fill(options);
  options.address = address_->text().trimmed().toStdString();
  options.model = model_->text().trimmed().toStdString();
  options.key = endpoint_key();
  return options;
}

QString EndpointForm::lack_of_model() const {
  if (address_->text().trimmed().isEmpty()) {
    return tr("Give the address of the program first");
  }
  try {
    completions_url(address_->text().toStdString());
  } catch (const Error& e) {
    return plain_text(e.message());
  }
  return {};
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
