#include "gui/tools/ToolForm.h"

#include <QCheckBox>
#include <QLabel>
#include <QRegularExpression>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/preset/value_titles.h"
#include "engine/readers/reader.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/base/WindowWords.h"
#include "gui/preset/SchemaText.h"
#include "gui/tools/ToolAdapters.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/SciSpin.h"

namespace mantissa::gui {
namespace {

constexpr int kNumberWidth = 140;
constexpr int kUsualRank = 16;

QString word_text(ToolField field, const std::string& word) {
  if (field == ToolField::format) {
    return choice_text(QStringLiteral("output.format"), to_qstring(word));
  }
  if (field == ToolField::reader || field == ToolField::readers) {
    const Reader* reader = reader_called(word);
    return reader == nullptr ? ToolForm::tr("All programs") : to_qstring(reader->title);
  }
  if (field == ToolField::axis) {
    return word == "output" ? ToolForm::tr("Output") : ToolForm::tr("Input");
  }
  return choice_text(QString(), to_qstring(word));
}

QString no_word(ToolField field) {
  return field == ToolField::dtype  ? ToolForm::tr("As it is")
         : field == ToolField::axis ? ToolForm::tr("As the file says")
                                    : ToolForm::tr("None");
}

}  // namespace

QString tool_text(const Message& message) {
  static const QRegularExpression option(QStringLiteral("(?<![\\w-])--([a-z-]+[a-z])(?![\\w=])"));
  static const std::map<QString, Message> labels = [] {
    std::map<QString, Message> all;
    for (const ToolRow& row : tool_table()) {
      for (const ToolOption& field : row.options) {
        all.emplace(to_qstring(field.name), field.label);
      }
    }
    return all;
  }();
  const QString said = error_text(in_window_words(message));
  QString text;
  qsizetype from = 0;
  for (auto it = option.globalMatch(said); it.hasNext();) {
    const QRegularExpressionMatch match = it.next();
    const auto label = labels.find(match.captured());
    text += said.mid(from, match.capturedStart() - from) +
            (label == labels.end() ? match.captured()
                                   : ToolForm::tr("“%1”").arg(message_text(label->second)));
    from = match.capturedEnd();
  }
  return plain_words(text + said.mid(from));
}

ToolForm::ToolForm(ToolRow row, const Theme* theme, QWidget* parent)
    : QWidget(parent), row_(std::move(row)), theme_(theme) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  column->setSpacing(Space::tiny);
  column->addWidget(make_heading(message_text(row_.title), this));
  auto* summary = make_label(tool_text(row_.summary), "muted", this);
  summary->setWordWrap(true);
  column->addWidget(summary);
  // What must be given stands first, the result's place after what it is made of.
  std::ranges::stable_sort(row_.options, {}, [](const ToolOption& option) {
    return !option.required ? 2 : option.field == ToolField::out ? 1 : 0;
  });
  for (const ToolOption& option : row_.options) {
    column->addSpacing(Space::small);
    QWidget* field = make_field(option);
    if (option.field != ToolField::overwrite) {
      auto* label = make_label(message_text(option.label), "", this);
      label->setBuddy(field);
      column->addWidget(label);
    }
    column->addWidget(field);
    auto* help = make_label(tool_text(option.help), "muted", this);
    help->setWordWrap(true);
    column->addWidget(help);
  }
  column->addStretch();
}

QWidget* ToolForm::make_field(const ToolOption& option) {
  switch (option.field) {
    case ToolField::adapters:
      adapters_ = new ToolAdapters(theme_, this);
      connect(adapters_, &ToolAdapters::changed, this, &ToolForm::changed);
      return adapters_;
    case ToolField::rank:
      rank_ = new NoWheelSpin(kLeastToolRank, kMostToolRank, this);
      rank_->set_value(kUsualRank);
      rank_->setAccessibleName(message_text(option.label));
      rank_->setMaximumWidth(kNumberWidth);
      connect(rank_, &NoWheelSpin::edited, this, &ToolForm::changed);
      return rank_;
    case ToolField::energy:
      energy_ = new SciSpin(0, 1, this);
      energy_->set_value(1);
      energy_->setAccessibleName(message_text(option.label));
      energy_->setMaximumWidth(kNumberWidth);
      connect(energy_, &SciSpin::edited, this, &ToolForm::changed);
      return energy_;
    case ToolField::overwrite:
      overwrite_ = new QCheckBox(message_text(option.label), this);
      overwrite_->setAccessibleName(overwrite_->text());
      return overwrite_;
    default:
      return tool_words(option.field).empty() ? make_path(option) : make_box(option);
  }
}

QWidget* ToolForm::make_path(const ToolOption& option) {
  const QString label = message_text(option.label);
  const QString files = tr("Models and adapters (*.safetensors);;All files (*)");
  PathEdit::Options options;
  options.name = label;
  options.choose = option.field == ToolField::out
                       ? save_chooser(label, files, QStringLiteral(".safetensors"))
                       : file_chooser(label, files);
  options.offer_demo = option.field == ToolField::base;
  auto* edit = new PathEdit(std::move(options), theme_, this);
  connect(edit, &PathEdit::changed, this, &ToolForm::changed);
  paths_[option.field] = edit;
  return edit;
}

QWidget* ToolForm::make_box(const ToolOption& option) {
  auto* box = new NoWheelCombo(this);
  box->setAccessibleName(message_text(option.label));
  if (!option.required && option.field != ToolField::format) {
    box->addItem(no_word(option.field), QString());
  }
  for (const std::string& word : tool_words(option.field)) {
    box->addItem(word_text(option.field, word), to_qstring(word));
  }
  connect(box, &QComboBox::currentIndexChanged, this, &ToolForm::changed);
  boxes_[option.field] = box;
  if (option.field == ToolField::reader) {
    // A program decides on the format.
    NoWheelCombo* format = boxes_.at(ToolField::format);
    connect(box, &QComboBox::currentIndexChanged, format,
            [box, format] { format->setEnabled(box->currentIndex() == 0); });
  }
  return box;
}

PathEdit* ToolForm::path(ToolField field) const {
  const auto found = paths_.find(field);
  return found == paths_.end() ? nullptr : found->second;
}

NoWheelCombo* ToolForm::box(ToolField field) const {
  const auto found = boxes_.find(field);
  return found == boxes_.end() ? nullptr : found->second;
}

std::string ToolForm::text(ToolField field) const {
  const PathEdit* edit = path(field);
  const NoWheelCombo* words = box(field);
  return edit != nullptr    ? edit->path().toStdString()
         : words != nullptr ? words->currentData().toString().toStdString()
                            : std::string();
}

ToolRequest ToolForm::request() const {
  ToolRequest request;
  request.file = text(ToolField::file);
  request.base = text(ToolField::base);
  request.tuned = text(ToolField::tuned);
  request.out = text(ToolField::out);
  request.reader = text(ToolField::reader);
  request.dtype = text(ToolField::dtype);
  request.weights = text(ToolField::weights);
  request.axis = text(ToolField::axis);
  if (box(ToolField::format) != nullptr) {
    request.format = text(ToolField::format);
  }
  if (const std::string readers = text(ToolField::readers); !readers.empty()) {
    request.readers = {readers};
  }
  if (adapters_ != nullptr) {
    request.adapters = adapters_->adapters();
  }
  if (rank_ != nullptr) {
    request.rank = static_cast<int>(rank_->value().value_or(0));
    request.energy = energy_->value().value_or(1);
  }
  request.overwrite = overwrite_ != nullptr && overwrite_->isChecked();
  return request;
}

QString ToolForm::missing() const {
  const auto give = [](const ToolOption& option) {
    return tr("“%1” is missing.").arg(message_text(option.label));
  };
  const auto outside = [this](ToolField field, double least, double most) {
    const auto option = std::ranges::find(row_.options, field, &ToolOption::field);
    return tr("“%1” is a number from %2 to %3.")
        .arg(message_text(option->label))
        .arg(least)
        .arg(most);
  };
  for (const ToolOption& option : row_.options) {
    const bool empty = option.field == ToolField::adapters
                           ? adapters_->is_empty()
                           : path(option.field) != nullptr && text(option.field).empty();
    if (option.required && empty) {
      return give(option);
    }
  }
  if (adapters_ != nullptr && !adapters_->has_weights()) {
    return tr("A weight is a number from -100 to 100.");
  }
  if (rank_ != nullptr) {
    const std::optional<std::int64_t> rank = rank_->value();
    if (!rank || *rank < kLeastToolRank || *rank > kMostToolRank) {
      return outside(ToolField::rank, kLeastToolRank, kMostToolRank);
    }
    const std::optional<double> share = energy_->value();
    if (!share || *share <= 0 || *share > 1) {
      return tr("“%1” is a number above 0 and at most 1.").arg(energy_->accessibleName());
    }
  }
  return {};
}

void ToolForm::take_file(const QString& path) {
  if (adapters_ != nullptr) {
    adapters_->add(path);
    return;
  }
  for (const ToolField field : {ToolField::file, ToolField::tuned, ToolField::base}) {
    if (PathEdit* edit = this->path(field)) {
      edit->set_path(path);
      return;
    }
  }
}

}  // namespace mantissa::gui
