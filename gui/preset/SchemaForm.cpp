#include "gui/preset/SchemaForm.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "gui/base/Text.h"
#include "gui/preset/FieldRow.h"
#include "gui/preset/LevelPlot.h"
#include "gui/preset/PresetDocument.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kSettleMs = 30;

/// Qt lays out again what is shown, even if it was shown before.
void set_shown(QWidget* widget, bool shown) {
  if (widget->isHidden() == shown) {
    widget->setVisible(shown);
  }
}

}  // namespace

SchemaForm::SchemaForm(PresetDocument* document, const Theme* theme, QWidget* parent)
    : QScrollArea(parent), document_(document), theme_(theme) {
  settled_.setSingleShot(true);
  settled_.setInterval(kSettleMs);
  connect(&settled_, &QTimer::timeout, this, [this] {
    keep_place();
    held_ = nullptr;
  });
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  setAccessibleName(tr("Settings"));
  // Widgets get their final parent at once: another one later restyles all that they hold.
  auto* page = new QWidget(viewport());
  page->setProperty("flat", QStringLiteral("true"));
  column_ = new QVBoxLayout(page);
  column_->setContentsMargins(0, 0, Space::small, 0);
  column_->setSpacing(Space::medium);

  // "About" only describes the preset: it goes last.
  std::vector<Group> order;
  for (const Setting& s : settings()) {
    if (s.group != Group::about && std::find(order.begin(), order.end(), s.group) == order.end()) {
      order.push_back(s.group);
    }
  }
  order.push_back(Group::about);

  for (const Group group : order) {
    const std::size_t index = parts_.size();
    parts_.push_back(make_part(group, page));
    column_->addWidget(parts_.back().section);
    connect(parts_.back().toggle, &QToolButton::clicked, this, [this, index] {
      parts_[index].advanced_open = !parts_[index].advanced_open;
      style_toggle(parts_[index]);
      update_visibility();
    });
  }
  FieldRow* timesteps = row(QStringLiteral("training.timesteps"));
  levels_ = new LevelPlot(theme, timesteps);
  timesteps->add_below(levels_);
  connect(levels_, &LevelPlot::about_to_change, this, &SchemaForm::hold_place);
  nothing_ = make_label(tr("No setting matches."), "muted", page);
  nothing_->setAlignment(Qt::AlignCenter);
  column_->addWidget(nothing_);
  column_->addStretch();
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // its rows stack instead
  for (Part& part : parts_) {
    style_toggle(part);
  }
  update_visibility();
  // Which measures what it shows: the rows that are hidden now never were.
  setWidget(page);
  page->installEventFilter(this);

  connect(theme_, &Theme::changed, this, [this] {
    for (Part& part : parts_) {
      style_toggle(part);
    }
  });
  connect(document_, &PresetDocument::changed, this, &SchemaForm::update_rows);
}

SchemaForm::Part SchemaForm::make_part(Group group, QWidget* page) {
  Part part;
  part.section = new Section(
      QCoreApplication::translate("schema", std::string(group_title(group)).c_str()), theme_, page);
  QVBoxLayout* body = part.section->body();
  part.advanced_box = new QWidget(body->parentWidget());
  auto* advanced = new QVBoxLayout(part.advanced_box);
  advanced->setContentsMargins(0, 0, 0, 0);
  advanced->setSpacing(Space::tiny);
  for (const Setting& s : settings()) {
    if (s.group != group) {
      continue;
    }
    const bool essential = s.tier == Tier::essential;
    auto* row =
        new FieldRow(s, document_, theme_, essential ? body->parentWidget() : part.advanced_box);
    connect(row, &FieldRow::about_to_grow, this, &SchemaForm::hold_place);
    rows_.push_back(row);
    (essential ? body : advanced)->addWidget(row);
    (essential ? part.essential : part.advanced).push_back(row);
  }
  part.toggle = new QToolButton(body->parentWidget());
  part.toggle->setProperty("kind", QStringLiteral("disclosure"));
  part.toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  part.toggle->setText(tr("Advanced (%1)").arg(static_cast<qlonglong>(part.advanced.size())));
  part.toggle->setAccessibleName(tr("Advanced settings of %1").arg(part.section->title()));
  part.toggle->setVisible(!part.advanced.empty());
  body->addWidget(part.toggle, 0, Qt::AlignLeft);
  body->addWidget(part.advanced_box);
  return part;
}

void SchemaForm::style_toggle(Part& part) {
  part.toggle->setIcon(make_icon(part.advanced_open ? Icon::chevron_down : Icon::chevron_right,
                                 theme_->colors().accent));
}

void SchemaForm::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  arrange_rows();
}

bool SchemaForm::eventFilter(QObject* watched, QEvent* event) {
  if (watched == widget() && event->type() == QEvent::LayoutRequest) {
    arrange_rows();
    const bool done = QScrollArea::eventFilter(watched, event);
    if (held_) {
      keep_place();
      settled_.start();  // the sections' own layouts may follow
    }
    return done;
  }
  return QScrollArea::eventFilter(watched, event);
}

void SchemaForm::hold_place() {
  if (held_ || !isVisible()) {
    return;
  }
  const auto top = [this](const FieldRow* row) { return row->mapTo(viewport(), QPoint(0, 0)).y(); };
  const auto in_sight = [&](const FieldRow* row) {
    return row->isVisible() && top(row) + row->height() > 0 && top(row) < viewport()->height();
  };
  FieldRow* edited = nullptr;
  FieldRow* first = nullptr;
  for (FieldRow* row : rows_) {
    if (!in_sight(row)) {
      continue;
    }
    if (row->underMouse()) {
      held_ = row;
      break;
    }
    edited = row->isAncestorOf(window()->focusWidget()) ? row : edited;
    first = first == nullptr || top(row) < top(first) ? row : first;
  }
  if (!held_) {
    held_ = edited != nullptr ? edited : first;
  }
  if (held_) {
    held_at_ = top(held_);
    settled_.start();
  }
}

void SchemaForm::keep_place() {
  if (!held_ || held_->isHidden()) {
    return;
  }
  widget()->layout()->activate();
  const int moved = held_->mapTo(viewport(), QPoint(0, 0)).y() - held_at_;
  if (moved != 0) {
    verticalScrollBar()->setValue(verticalScrollBar()->value() + moved);
  }
}

void SchemaForm::arrange_rows() {
  if (!stacked_) {
    beside_width_ = widget()->minimumSizeHint().width();
  }
  const bool stacked = viewport()->width() < beside_width_;
  if (stacked == stacked_) {
    return;
  }
  stacked_ = stacked;
  for (FieldRow* row : rows_) {
    row->set_stacked(stacked);
  }
}

FieldRow* SchemaForm::row(const QString& key) const {
  const Setting* wanted = find_setting(key.toStdString());
  const auto it = std::find_if(rows_.begin(), rows_.end(),
                               [&](const FieldRow* r) { return &r->setting() == wanted; });
  return it == rows_.end() ? nullptr : *it;
}

void SchemaForm::update_rows(const QString& key) {
  hold_place();
  for (FieldRow* row : rows_) {
    if (key.isEmpty()) {
      row->forget_typing();
    }
    // Other settings may start or stop applying.
    row->refresh();
  }
  update_visibility();
}

void SchemaForm::set_family(ModelFamily family) {
  if (family == family_) {
    return;
  }
  hold_place();
  family_ = family;
  for (FieldRow* row : rows_) {
    row->set_family(family);
  }
  update_visibility();
}

void SchemaForm::set_filter(const QString& query) {
  const bool is_new = query != filter_;
  filter_ = query;
  update_visibility();
  if (is_new) {
    held_ = nullptr;
    verticalScrollBar()->setValue(0);  // the best match is on top
  }
}

void SchemaForm::set_show_advanced(bool on) {
  for (Part& part : parts_) {
    part.advanced_open = on;
    style_toggle(part);
  }
  update_visibility();
}

void SchemaForm::update_visibility() {
  const QStringList words = filter_.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  const bool searching = !words.isEmpty();
  int shown = 0;
  sort_sections(searching ? words : QStringList());
  for (Part& part : parts_) {
    int in_part = 0, advanced_shown = 0, changed = 0;
    const auto place = [&](FieldRow* row) {
      changed += row->is_modified();
      // A row without effect is hidden, unless searched for or changed.
      const bool visible =
          searching ? row->matches(words) : row->applies_now() || row->is_modified();
      set_shown(row, visible);
      in_part += visible;
      return visible;
    };
    for (FieldRow* row : part.essential) {
      place(row);
    }
    for (FieldRow* row : part.advanced) {
      advanced_shown += place(row);
    }
    set_shown(part.toggle, !searching && advanced_shown > 0);
    part.toggle->setText(tr("Advanced (%1)").arg(advanced_shown));
    set_shown(part.advanced_box, advanced_shown > 0 && (searching || part.advanced_open));
    set_shown(part.section, !searching || in_part > 0);
    if (searching && in_part > 0) {
      part.section->set_open(true);
    }
    part.section->set_note(changed == 0 ? QString() : tr("%n changed", nullptr, changed));
    shown += in_part;
  }
  set_shown(nothing_, searching && shown == 0);
  emit filtered(shown);
}

void SchemaForm::sort_sections(const QStringList& words) {
  // What is called so comes before what only mentions it.
  std::vector<const Part*> order;
  for (const Part& part : parts_) {
    order.push_back(&part);
  }
  if (!words.isEmpty()) {
    std::stable_partition(order.begin(), order.end(), [&](const Part* part) {
      const auto named = [&](const FieldRow* row) {
        return row->matches(words) && row->is_named(words);
      };
      return std::any_of(part->essential.begin(), part->essential.end(), named) ||
             std::any_of(part->advanced.begin(), part->advanced.end(), named);
    });
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int at = static_cast<int>(i);
    if (column_->itemAt(at)->widget() != order[i]->section) {
      column_->removeWidget(order[i]->section);
      column_->insertWidget(at, order[i]->section);
    }
  }
}

void SchemaForm::jump_to(const QString& key) {
  FieldRow* target = row(key);
  if (target == nullptr) {
    return;
  }
  for (Part& part : parts_) {
    if (part.section->isAncestorOf(target)) {
      part.section->set_open(true);
      part.advanced_open = part.advanced_open || target->setting().tier == Tier::advanced;
      style_toggle(part);
    }
  }
  emit filter_dropped();
  set_filter(QString());
  held_ = nullptr;  // another place is wanted
  // The layout must have settled before the row's place is known.
  QTimer::singleShot(0, target, [this, target] {
    ensureWidgetVisible(target, 0, 60);
    target->editor()->setFocus(Qt::OtherFocusReason);
  });
}

}  // namespace mantissa::gui
