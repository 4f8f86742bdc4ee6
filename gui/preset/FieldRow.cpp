#include "gui/preset/FieldRow.h"

#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <QToolTip>
#include <cmath>

#include "engine/preset/family_table.h"
#include "engine/preset/part.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/preset/EditorFactory.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaText.h"
#include "gui/preset/SearchWords.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/SciSpin.h"

namespace mantissa::gui {
namespace {

QString bound(double value) {
  constexpr double kGrouped = 1e5, kLong = 1e13;  // where digits are read in groups; or not at all
  if (value != std::floor(value) || std::abs(value) >= 1e16) {
    return format_exact(value);
  }
  const auto whole = static_cast<qlonglong>(value);
  return std::abs(value) >= kGrouped && std::abs(value) < kLong ? QLocale().toString(whole)
                                                                : QLocale::c().toString(whole);
}

/// "1 – 1024 images", "1 – 10,000,000 steps", "px": short enough to fit next to the editor.
QString range_text(const Setting& s) {
  QString out;
  const bool numeric =
      s.kind == Kind::integer || s.kind == Kind::number || s.kind == Kind::number_pair;
  if (numeric) {
    out = QStringLiteral("%1 – %2").arg(bound(s.min), bound(s.max));
  }
  if (!s.unit.empty()) {
    out += (out.isEmpty() ? QString() : QStringLiteral(" ")) + schema_text(s.unit);
  }
  return out;
}

bool is_tall(const Setting& s) {
  return s.kind == Kind::objects || s.kind == Kind::pins ||
         (s.kind == Kind::text && s.text == TextRule::prose);
}

}  // namespace

FieldRow::FieldRow(const Setting& setting, PresetDocument* document, const Theme* theme,
                   QWidget* parent)
    : QWidget(parent), setting_(setting), document_(document) {
  const QString label = schema_text(setting.label), key = to_qstring(setting.key);
  const QString help = plain_words(schema_text(setting.help));
  haystack_ = (key + QLatin1Char(' ') + label + QLatin1Char(' ') + help + QLatin1Char(' ') +
               to_qstring(setting.alias))
                  .toLower() +
              search_words(setting.key);

  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 2, 0, 2);
  grid->setHorizontalSpacing(Space::small);
  grid->setVerticalSpacing(2);

  dot_ = make_label(QStringLiteral("●"), "", this);
  dot_->setFixedWidth(dot_->sizeHint().width());
  dot_->setAccessibleName(tr("Changed"));
  dot_->setToolTip(tr("Changed from the default"));
  const auto tint = [this, theme] {
    QPalette p = dot_->palette();
    p.setColor(QPalette::WindowText, theme->colors().accent);
    dot_->setPalette(p);
  };
  tint();
  connect(theme, &Theme::changed, dot_, tint);
  keep_room(dot_);

  label_ = make_label(label, "", this);
  label_->setWordWrap(true);
  const QString tip = QStringLiteral("<p>%1</p><p><code>%2</code> · %3</p>")
                          .arg(help.toHtmlEscaped(), key.toHtmlEscaped(),
                               message_text(allowed_values(setting)).toHtmlEscaped());
  label_->setToolTip(tip);
  label_->setAccessibleDescription(help);  // else a screen reader reads the tip's markup

  editor_ = make_editor(EditorSpec::of(setting), theme, this);
  label_->setBuddy(editor_);
  if (QWidget* first = editor_->focusProxy()) {
    first->setAccessibleDescription(help);
  }

  range_ = make_label(range_text(setting), "muted", this);

  reset_ = new QToolButton(this);
  reset_->setAccessibleName(tr("Reset %1").arg(label));
  reset_->setToolTip(tr("Back to the default: %1")
                         .arg(value_text(key, default_value(setting.key)).toHtmlEscaped()));
  bind_icon(reset_, Icon::reset, theme, [](const ThemeColors& c) { return c.muted; });
  keep_room(reset_);

  help_ = new QToolButton(this);
  help_->setAccessibleName(tr("Help on %1").arg(label));
  help_->setToolTip(tip);
  help_->setAccessibleDescription(help);
  help_->setFocusPolicy(Qt::TabFocus);
  bind_icon(help_, Icon::help, theme, [](const ThemeColors& c) { return c.muted; });
  connect(help_, &QToolButton::clicked, this, [this, tip] {
    QToolTip::showText(help_->mapToGlobal(QPoint(0, help_->height())), tip, help_);
  });

  note_ = make_label(QString(), "error", this);
  note_->setWordWrap(true);
  note_->hide();

  grid->setColumnStretch(2, range_->text().isEmpty() ? 1 : 0);
  grid->setColumnStretch(3, range_->text().isEmpty() ? 0 : 1);
  arrange();

  connect(editor_, &FieldEditor::edited, this, &FieldRow::on_edited);
  connect(editor_, &FieldEditor::moved, this, &FieldRow::on_moved);
  connect(editor_, &FieldEditor::left, this, &FieldRow::on_left);
  connect(reset_, &QToolButton::clicked, this, [this] {
    forget_typing();
    document_->reset(setting_.key);
    refresh();
  });
  refresh();
}

void FieldRow::arrange() {
  auto* grid = static_cast<QGridLayout*>(layout());
  const Qt::Alignment side = is_tall(setting_) ? Qt::AlignTop : Qt::AlignVCenter;
  const int below = stacked_ ? 1 : 0;
  label_->setMinimumWidth(stacked_ ? 0 : kLabelWidth);
  label_->setMaximumWidth(stacked_ ? QWIDGETSIZE_MAX : kLabelWidth);
  grid->addWidget(dot_, 0, 0, side);
  grid->addWidget(label_, 0, 1, 1, stacked_ ? 3 : 1, side);
  // Above each other, an editor without a range has all of its row, and two numbers have none for
  // theirs.
  const bool range_below = stacked_ && setting_.kind == Kind::number_pair;
  const int columns = !stacked_ ? 1 : range_->text().isEmpty() || range_below ? 5 : 2;
  grid->addWidget(editor_, below, stacked_ ? 1 : 2, 1, columns);
  grid->addWidget(range_, range_below ? 2 : below, range_below ? 1 : 3, 1, range_below ? 5 : 1,
                  Qt::AlignVCenter | Qt::AlignLeft);
  grid->addWidget(reset_, 0, 4, side);
  grid->addWidget(help_, 0, 5, side);
  grid->addWidget(note_, 3, 2, 1, 4);
}

void FieldRow::set_stacked(bool stacked) {
  if (stacked_ != stacked) {
    stacked_ = stacked;
    arrange();
  }
}

void FieldRow::refresh() {
  nlohmann::json now = get_setting(document_->preset(), setting_.key);
  if (!storing_ && now != known_) {
    forget_typing();  // undone, or changed elsewhere
  }
  if (problem_.isEmpty()) {
    editor_->show_value(now);
  }
  known_ = std::move(now);
  update_state();
}

void FieldRow::forget_typing() {
  before_.reset();
  refused_.clear();
  show_problem(QString());
}

void FieldRow::show_note(const char* role, const QString& text) {
  set_property(note_, "role", QString::fromLatin1(role));
  note_->setText(text);
  note_->show();
}

void FieldRow::update_state() {
  modified_ = !is_default(document_->preset(), setting_.key);
  const bool in_family = belongs(setting_, family_);
  applies_ = in_family && applies(document_->preset(), setting_);
  dot_->setVisible(modified_);
  reset_->setVisible(modified_);
  editor_->setEnabled(applies_);
  label_->setEnabled(applies_);
  if (!problem_.isEmpty()) {
    return;
  }
  if (!refused_.isEmpty()) {
    show_note("error", refused_);
  } else if (applies_ && (live_ || !result_.isEmpty())) {
    QStringList lines{result_};
    if (live_) {
      lines << tr("The current run can use this: Apply changes.");
    }
    lines.removeAll(QString());
    show_note("muted", lines.join(QLatin1Char('\n')));
  } else if (!applies_ && !in_family) {
    show_note("muted", tr("Has no effect on %1.").arg(to_qstring(family_row(family_).title)));
  } else if (applies_ || setting_.applies_if.key.empty()) {
    note_->hide();  // without a condition the preset names another family, which is refused itself
  } else {
    const QString other = to_qstring(setting_.applies_if.key);
    QStringList values;
    for (const std::string_view v : setting_.applies_if.values) {
      values << choice_text(other, to_qstring(v));
    }
    show_note(
        "muted",
        tr("Has an effect only with “%1: %2”.").arg(setting_label(other), values.join(tr(" or "))));
  }
}

void FieldRow::set_family(ModelFamily family) {
  family_ = family;
  if (setting_.key == "training.parts") {
    const FamilyRow& row = family_row(family);
    editor_->offer([&row](std::string_view part) {
      return part == kTe2.name()          ? row.text_encoders > 1
             : part == kEmbeddings.name() ? row.has_embeddings
                                          : true;
    });
  }
  update_state();
}

void FieldRow::show_problem(const QString& problem) {
  problem_ = problem;
  editor_->set_invalid(!problem.isEmpty());
  if (!problem.isEmpty()) {
    show_note("error", problem);
  } else {
    note_->hide();
  }
}

void FieldRow::on_edited(bool typing) {
  if (!before_) {
    before_ = get_setting(document_->preset(), setting_.key);
  }
  refused_.clear();
  storing_ = true;
  const QString problem = document_->edit(setting_.key, editor_->value(), typing);
  show_problem(problem);
  if (!problem.isEmpty()) {
    // The 1 of 1e or of 1x is no value that was meant: merged, it is no step of undo either.
    document_->edit(setting_.key, *before_, true);
  } else if (!typing) {
    before_.reset();
  }
  storing_ = false;
  update_state();
}

/// In a list or a pair, a field that was taken stays when the next one is refused.
void FieldRow::on_moved() {
  if (problem_.isEmpty()) {
    before_.reset();
  }
}

void FieldRow::on_left() {
  document_->seal();
  before_.reset();
  // A rejected value must not remain as if it were accepted; why it is gone stays in sight.
  refused_ = problem_.isEmpty() ? QString() : tr("Not taken: %1").arg(problem_);
  show_problem(QString());
  refresh();
}

bool FieldRow::matches(const QStringList& words) const {
  for (const QString& word : words) {
    const auto state = state_of_word(word);
    const bool is_met = !state                             ? haystack_.contains(word)
                        : *state == SettingState::modified ? modified_
                                                           : setting_.tier == Tier::advanced;
    if (!is_met) {
      return false;
    }
  }
  return true;
}

bool FieldRow::is_named(const QStringList& words) const {
  const QString name =
      (setting_label(to_qstring(setting_.key)) + QLatin1Char(' ') + to_qstring(setting_.key))
          .toLower();
  return std::all_of(words.begin(), words.end(), [&](const QString& word) {
    return state_of_word(word).has_value() || name.contains(word);
  });
}

void FieldRow::set_live(bool live) {
  if (live_ != live) {
    emit about_to_grow();
    live_ = live;
    update_state();
  }
}

void FieldRow::set_result(const QString& text) {
  if (result_ != text) {
    emit about_to_grow();
    result_ = text;
    update_state();
  }
}

void FieldRow::add_below(QWidget* widget) {
  auto* grid = static_cast<QGridLayout*>(layout());
  grid->addWidget(widget, grid->rowCount(), 2, 1, 4);
}

}  // namespace mantissa::gui
