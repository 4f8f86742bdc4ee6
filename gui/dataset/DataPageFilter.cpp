// DataPage: which of the images are shown, and how large.
#include <QListView>
#include <QMenu>
#include <QToolButton>

#include "gui/base/Text.h"
#include "gui/dataset/CaptionEditor.h"
#include "gui/dataset/CaptionTokens.h"
#include "gui/dataset/DataPage.h"
#include "gui/dataset/DatasetFilter.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/ImageDelegate.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaText.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

QToolButton* DataPage::build_filter(QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setAccessibleName(tr("Show images by their captions, and how large"));
  button->setToolTip(button->accessibleName());
  button->setPopupMode(QToolButton::InstantPopup);
  bind_icon(button, Icon::data, theme_);
  filter_menu_ = new QMenu(button);
  button->setMenu(filter_menu_);
  // Counted when it is opened.
  connect(filter_menu_, &QMenu::aboutToShow, this, &DataPage::fill_filter_menu);
  return button;
}

void DataPage::build_tokens() {
  tokens_ = new CaptionTokens(this);
  connect(&book_, &CaptionBook::changed, this, &DataPage::count_tokens);
  connect(document_, &PresetDocument::changed, this, &DataPage::count_tokens);
  connect(tokens_, &CaptionTokens::counted, this, &DataPage::show_tokens);
}

void DataPage::open_tokens() {
  tokens_->open(model_->check().data.items, [this] {
    QStringList trained;
    for (int item = 0; item < book_.size(); ++item) {
      const QString caption = book_.caption(item);
      trained << (caption.isEmpty() ? book_.stand_in(item) : caption);
    }
    return trained;
  });
  count_tokens();
}

void DataPage::count_tokens() {
  tokens_->count_later(scanned_.base, document_->preset());
}

void DataPage::show_tokens() {
  const int item = current_item();
  editor_->show_tokens(book_.size() > 0 && item >= 0 ? tokens_->of(item) : TokenCounts());
}

void DataPage::fill_filter_menu() {
  filter_menu_->clear();
  connect(filter_menu_->addAction(tr("All images")), &QAction::triggered, this,
          &DataPage::show_all);
  const auto add = [this](const QString& text, const QString& shown_as, int count,
                          const DatasetFilter::Pick& pick) {
    auto* action = filter_menu_->addAction(QStringLiteral("%1 (%2)").arg(text, step_text(count)));
    action->setEnabled(count > 0);
    connect(action, &QAction::triggered, this, [this, shown_as, pick] {
      show_all();
      filter_->set_pick(pick);
      show_only(shown_as);
    });
  };
  add(tr("Without a caption"), tr("Only without a caption"), book_.bare(),
      [this](int item) { return book_.caption(item).isEmpty(); });
  const TokenCounts tokenizers = tokens_->tokenizers();
  for (int t = 0; t < tokenizers.size(); ++t) {
    filter_menu_->addSeparator();
    const QString part = choice_text(QString(), tokenizers[t].part);
    const int most = tokenizers[t].most;
    for (const int least : {most, most * 3 / 4, most / 2}) {
      const QString text = least == most
                               ? tr("%1: cut after %2 tokens").arg(part, step_text(most))
                               : tr("%1: more than %2 tokens").arg(part, step_text(least));
      add(text, tr("Only more than %1 tokens").arg(step_text(least)),
          tokens_->count_above(t, least), [this, t, least](int item) {
            const TokenCounts counts = tokens_->of(item);
            return t < counts.size() && counts[t].tokens > least;
          });
    }
  }
  filter_menu_->addSeparator();
  add_sizes();
}

void DataPage::show_only(const QString& what) {
  only_->setText(what);
  only_->show();
  show_view(images);
  image_actions_->show();
  list_->setCurrentIndex(filter_->index(0, 0));
  list_->scrollToTop();
  update_counts();
}

void DataPage::show_all() {
  filter_->set_tag(QString());
  filter_->set_bucket(-1);
  filter_->set_grouped(false);
  filter_->set_outstanding(false);
  filter_->set_pick({});
  only_->hide();
  image_actions_->hide();
  update_counts();
}

void DataPage::add_sizes() {
  const std::pair<QString, int> choices[] = {{tr("Small images"), DatasetModel::kThumb},
                                             {tr("Medium images"), DatasetModel::kThumb * 3 / 2},
                                             {tr("Large images"), DatasetModel::kThumb * 5 / 2}};
  for (const auto& [text, side] : choices) {
    QAction* action = filter_menu_->addAction(text);
    action->setCheckable(true);
    action->setChecked(model_->thumb() == side);
    connect(action, &QAction::triggered, this, [this, side = side] { set_thumb(side); });
  }
}

void DataPage::set_thumb(int side) {
  keep_place();
  model_->set_thumb(side);
  static_cast<ImageDelegate*>(list_->itemDelegate())->set_side(side);
  list_->doItemsLayout();
  restore_place();
}

}  // namespace mantissa::gui
