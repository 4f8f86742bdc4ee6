#include "tests/engine/models/names_reference.h"

#include <algorithm>
#include <cstring>

#include "engine/adapters/dialect.h"
#include "engine/io/model_writer.h"
#include "engine/io/name_parts.h"
#include "engine/io/safetensors.h"

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

void expect_written_as_read(const std::string& name) {
  const std::filesystem::path original = golden_model(name);
  const WeightSource source = WeightSource::open(original);
  EXPECT_TRUE(source.unknown().empty()) << source.unknown().front();
  const test::TempFolder folder;
  write_model(folder / "copy.safetensors", model_contents(source));
  const SafetensorsFile file = SafetensorsFile::open(original);
  const SafetensorsFile copy = SafetensorsFile::open(folder / "copy.safetensors");
  EXPECT_EQ(copy.tensors().size(), file.tensors().size());
  for (const TensorInfo& tensor : file.tensors()) {
    const TensorInfo* found = copy.find(tensor.name);
    ASSERT_NE(found, nullptr) << tensor.name;
    EXPECT_EQ(found->dims, tensor.dims) << tensor.name;
    EXPECT_EQ(std::memcmp(found->data, tensor.data, tensor.bytes), 0) << tensor.name;
  }
}

void expect_all_parts_in_one_file(const std::string& model, const Family& family,
                                  std::initializer_list<const char*> names) {
  const test::TempFolder folder;
  const WeightSource source = WeightSource::open(golden_model(model));
  EXPECT_TRUE(source.unknown().empty()) << source.unknown().front();
  write_model_file(folder / "all.safetensors", model_contents(source));
  const SafetensorsFile file = SafetensorsFile::open(folder / "all.safetensors");
  for (const char* name : names) {
    EXPECT_NE(file.find(name), nullptr) << name;
  }
  const WeightSource again = WeightSource::open(folder / "all.safetensors");
  EXPECT_EQ(&again.family(), &family);
  EXPECT_TRUE(again.unknown().empty());
  for (const PartFiles& part : family.parts) {
    ASSERT_EQ(again.names(part.part), source.names(part.part)) << part.part.name();
    for (const std::string& name : source.names(part.part)) {
      std::vector<float> a(static_cast<std::size_t>(source.shape(part.part, name).count()));
      std::vector<float> b(a.size());
      source.read_f32(part.part, name, a);
      again.read_f32(part.part, name, b);
      ASSERT_EQ(a, b) << name;
    }
  }
}

}  // namespace mantissa::testing_support
