#include "gui/history/RunColumns.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>
#include <algorithm>
#include <array>

#include "gui/history/RunModel.h"

namespace mantissa::gui {
namespace {

/// In widths of a digit: where there is room, and the least that can be read.
struct Width {
  int usual, least;
  int goes;  ///< which one goes first where there is none; 0 stays
};
// What is edited here and what tells runs apart stays; the name's tooltip has what goes.
constexpr std::array<Width, RunModel::column_count> kWidths = {{{18, 11, 0},
                                                                {14, 14, 0},
                                                                {18, 16, 4},
                                                                {13, 10, 3},
                                                                {10, 9, 2},
                                                                {16, 16, 5},
                                                                {7, 7, 0},
                                                                {10, 9, 0},
                                                                {8, 7, 1},
                                                                {11, 7, 0},
                                                                {9, 9, 0}}};
constexpr int kAroundTitle = 20, kLeastSection = 40;  ///< pixels

}  // namespace

RunColumns::RunColumns(QTableView* table) : QObject(table), table_(table) {
  table_->installEventFilter(this);
  table_->viewport()->installEventFilter(this);
  // The usual least width is that of the font's widest character, which no title has.
  table_->horizontalHeader()->setMinimumSectionSize(kLeastSection);
  connect(table_->horizontalHeader(), &QHeaderView::sectionResized, this,
          [this] { by_hand_ = by_hand_ || !fitting_; });
  fit();
}

bool RunColumns::eventFilter(QObject* watched, QEvent* event) {
  if (watched == table_ &&
      (event->type() == QEvent::Resize || event->type() == QEvent::StyleChange) && !by_hand_) {
    fit();
  }
  if (watched == table_->viewport() && event->type() == QEvent::Resize && !by_hand_) {
    fill();
  }
  return QObject::eventFilter(watched, event);
}

/// The names take what is left, the bar's room too while there is none: those of a sweep's runs
/// are long and differ at their ends.
void RunColumns::fill() {
  fitting_ = true;
  const QHeaderView* header = table_->horizontalHeader();
  const int others = header->length() - header->sectionSize(RunModel::name);
  table_->setColumnWidth(
      RunModel::name, std::max(table_->viewport()->width() - others, title_width(RunModel::name)));
  fitting_ = false;
}

int RunColumns::title_width(int column) const {
  const QString title = table_->model()->headerData(column, Qt::Horizontal).toString();
  return table_->horizontalHeader()->fontMetrics().horizontalAdvance(title) + kAroundTitle;
}

void RunColumns::fit() {
  fitting_ = true;
  const int em = table_->fontMetrics().horizontalAdvance(QLatin1Char('0'));
  // The bar's room is always kept, so that another run moves nothing.
  const int room =
      table_->width() - 2 * table_->frameWidth() - table_->verticalScrollBar()->sizeHint().width();
  std::array<int, kWidths.size()> usual{}, least{};
  std::array<bool, kWidths.size()> is_shown{};
  int needed = 0;
  for (std::size_t i = 0; i < kWidths.size(); ++i) {
    const int title = title_width(static_cast<int>(i));
    usual[i] = std::max(kWidths[i].usual * em, title);
    least[i] = std::max(kWidths[i].least * em, title);
    is_shown[i] = true;
    needed += least[i];
  }
  for (int turn = 1; needed > room && turn < static_cast<int>(kWidths.size()); ++turn) {
    for (std::size_t i = 0; i < kWidths.size(); ++i) {
      if (kWidths[i].goes == turn) {
        is_shown[i] = false;
        needed -= least[i];
      }
    }
  }
  int wish = 0;
  for (std::size_t i = 0; i < kWidths.size(); ++i) {
    wish += is_shown[i] ? usual[i] - least[i] : 0;
  }
  const int spare = std::clamp(room - needed, 0, wish);
  for (std::size_t i = 0; i < kWidths.size(); ++i) {
    const int column = static_cast<int>(i);
    table_->setColumnHidden(column, !is_shown[i]);
    if (is_shown[i] && column != RunModel::name) {
      const int more = wish > 0 ? (usual[i] - least[i]) * spare / wish : 0;
      table_->setColumnWidth(column, least[i] + more);
    }
  }
  fill();
  fitting_ = false;
}

}  // namespace mantissa::gui
