#include "engine/render/sample_table.h"

#include <algorithm>

#include "engine/io/sheet.h"

namespace mantissa {
namespace {

constexpr int kColumnLines = 2, kMargin = 8;

}  // namespace

void write_sample_table(const std::filesystem::path& file, const SampleTable& table,
                        const std::map<std::string, std::string>& text) {
  const int width = table.images.front().width, height = table.images.front().height;
  // Readable beside images of any size, also when the whole is scaled down.
  const int size = std::clamp(std::min(width, height) / 22, 11, 40);
  const int rows = static_cast<int>(table.rows.size());
  const int columns = static_cast<int>(table.columns.size());
  const int left = std::max(width / 2, 12 * size) + kMargin;
  const int top = kColumnLines * line_height(size) + 2 * kMargin;
  Sheet sheet(left + columns * (width + kMargin), top + rows * (height + kMargin));
  for (int column = 0; column < columns; ++column) {
    const int x = left + column * (width + kMargin);
    sheet.write(
        draw_text(table.columns[static_cast<std::size_t>(column)], size, width, kColumnLines), x,
        kMargin);
    for (int row = 0; row < rows; ++row) {
      sheet.paste(table.images[static_cast<std::size_t>(column * rows + row)], x,
                  top + row * (height + kMargin));
    }
  }
  const int lines = std::max(height / line_height(size), 1);
  for (int row = 0; row < rows; ++row) {
    sheet.write(
        draw_text(table.rows[static_cast<std::size_t>(row)], size, left - 2 * kMargin, lines),
        kMargin, top + row * (height + kMargin));
  }
  sheet.save(file, text);
}

}  // namespace mantissa
