#include "tests/engine/models/names_reference.h"

#include <algorithm>

#include "engine/adapters/dialect.h"
#include "engine/io/name_parts.h"

namespace mantissa::testing_support {

bool in_later_block(std::string_view name, std::initializer_list<std::string_view> stacks) {
  return std::any_of(stacks.begin(), stacks.end(), [&](std::string_view stack) {
    std::string_view rest = name;
    return take(rest, stack) && !rest.starts_with("0.");
  });
}

void expect_released(const Weights& weights, const std::string& table,
                     std::initializer_list<std::string_view> stacks, std::size_t tensors,
                     std::int64_t parameters) {
  std::map<std::string, std::string> first, wanted;
  std::int64_t sum = 0;
  for (const auto& [name, shape] : weights) {
    sum += shape.count();
    if (!in_later_block(name, stacks)) {
      std::string text = shape.str();
      std::erase_if(text, [](char c) { return c == '[' || c == ']' || c == ' '; });
      first[name] = text;
    }
  }
  for (const std::vector<std::string>& row : test::key_table(table)) {
    wanted[row.at(0)] = row.at(1);
  }
  EXPECT_EQ(first, wanted);
  EXPECT_EQ(weights.size(), tensors);
  EXPECT_EQ(sum, parameters);
}

void expect_modules(const ModelNames& base, const std::vector<std::string>& paths,
                    const std::vector<ModuleNameCase>& cases) {
  const ModuleTable table(paths, base);
  for (const auto& [name, path] : cases) {
    const NamedModule* found = table.find(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->path, paths[path]) << name;
  }
}

}  // namespace mantissa::testing_support
