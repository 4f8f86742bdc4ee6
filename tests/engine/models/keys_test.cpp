// The key tables of each part, name by name.
#include <gtest/gtest.h>
#include <set>

#include "engine/models/clip/clip_keys.h"
#include "engine/models/stable_diffusion/sd_names.h"
#include "engine/models/vae/vae_keys.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using test::key_table;

std::string without(std::string_view name, std::string_view prefix) {
  EXPECT_TRUE(name.starts_with(prefix)) << name;
  return std::string(name.substr(prefix.size()));
}

std::vector<std::string> column(const std::vector<std::vector<std::string>>& rows, std::size_t i,
                                std::string_view prefix = "") {
  std::vector<std::string> names;
  for (const auto& row : rows) {
    names.push_back(without(row[i], prefix));
  }
  return names;
}

void expect_unet_bijection(const char* file, std::size_t count, const UnetLayout& expected) {
  const auto rows = key_table(file);
  ASSERT_EQ(rows.size(), count);
  const auto ldm = column(rows, 0, kUnetPrefix);
  const auto diffusers = column(rows, 1);
  const UnetLayout layout = unet_layout_from_ldm(ldm);
  EXPECT_EQ(layout, expected);
  EXPECT_EQ(unet_layout_from_diffusers(diffusers), expected);
  std::set<std::string> reached;
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(unet_to_diffusers(ldm[i], layout), diffusers[i]) << ldm[i];
    EXPECT_EQ(unet_to_ldm(diffusers[i], layout), ldm[i]) << diffusers[i];
    reached.insert(diffusers[i]);
  }
  EXPECT_EQ(reached.size(), count);
}

TEST(KeyMap, SdxlUnetIsABijectionOf1680) {
  expect_unet_bijection("sdxl_unet.tsv", 1680, {{2, 2, 2}, {false, true, true}});
}

TEST(KeyMap, Sd15UnetIsABijectionOf686) {
  expect_unet_bijection("sd15_unet.tsv", 686, {{2, 2, 2, 2}, {true, true, true, false}});
}

TEST(KeyMap, VaeIsABijectionOf248) {
  const auto rows = key_table("vae.tsv");
  ASSERT_EQ(rows.size(), 248u);
  const auto ldm = column(rows, 0, kVaePrefix);
  EXPECT_EQ(vae_levels_from_ldm(ldm), 4);
  EXPECT_EQ(vae_levels_from_diffusers(column(rows, 1)), 4);
  std::set<std::string> reached;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(vae_to_diffusers(ldm[i], 4), rows[i][1]) << ldm[i];
    EXPECT_EQ(vae_to_ldm(rows[i][1], 4), ldm[i]) << rows[i][1];
    reached.insert(rows[i][1]);
  }
  EXPECT_EQ(reached.size(), 248u);
}

TEST(KeyMap, Te1NamesOnlyDifferByPrefix) {
  const auto rows = key_table("te1_clip_l.tsv");
  ASSERT_EQ(rows.size(), 196u);
  for (const auto& row : rows) {
    EXPECT_EQ(without(row[0], kSdxlTe1Prefix), row[1]);
  }
}

TEST(KeyMap, Te2Covers390LdmAnd517TransformersNames) {
  const auto rows = key_table("te2_openclip_bigg.tsv");
  ASSERT_EQ(rows.size(), 390u);
  std::set<std::string> reached;
  for (const auto& row : rows) {
    const std::string ldm = without(row[0], kSdxlTe2Prefix);
    const auto mapping = openclip_to_hf(ldm);
    ASSERT_TRUE(mapping) << ldm;
    std::string joined;
    for (const std::string& name : mapping->names) {
      joined += (joined.empty() ? "" : ";") + name;
      reached.insert(name);
    }
    EXPECT_EQ(joined, row[1]);
    const std::string note = row.size() > 3 ? row[3] : "";
    const NameTransform expected = note.starts_with("split")       ? NameTransform::split_rows
                                   : note.starts_with("TRANSPOSE") ? NameTransform::transpose
                                   : note.starts_with("drop")      ? NameTransform::dropped
                                                                   : NameTransform::none;
    EXPECT_EQ(mapping->transform, expected) << ldm;
    for (std::size_t i = 0; i < mapping->names.size(); ++i) {
      const auto source = hf_to_openclip(mapping->names[i]);
      ASSERT_TRUE(source) << mapping->names[i];
      EXPECT_EQ(source->name, ldm);
      EXPECT_EQ(source->transform, expected);
      EXPECT_EQ(source->slice, static_cast<int>(i));
    }
  }
  EXPECT_EQ(reached.size(), 517u);
}

// Every layout of 1 to 4 levels with 1 to 3 layers each, attention in any subset of levels.
TEST(KeyMap, BijectionForAnyLayout) {
  int checked = 0;
  for (int levels = 1; levels <= 4; ++levels) {
    for (int code = 0; code < (1 << levels) * 3; ++code) {
      UnetLayout layout;
      for (int l = 0; l < levels; ++l) {
        layout.layers.push_back(1 + (code / (1 << levels) + l) % 3);
        layout.attention.push_back((code >> l & 1) != 0);
      }
      std::vector<std::string> names{"conv_in.weight", "mid_block.attentions.0.norm.weight"};
      for (int half = 0; half < 2; ++half) {
        for (int b = 0; b < levels; ++b) {
          const int level = half == 0 ? b : levels - 1 - b;
          const std::string block =
              (half == 0 ? "down_blocks." : "up_blocks.") + std::to_string(b) + ".";
          for (int j = 0; j < layout.layers[static_cast<std::size_t>(level)] + half; ++j) {
            names.push_back(block + "resnets." + std::to_string(j) + ".conv1.weight");
            if (layout.attention[static_cast<std::size_t>(level)]) {
              names.push_back(block + "attentions." + std::to_string(j) + ".proj_in.weight");
            }
          }
          if (half == 0 && level + 1 < levels) {
            names.push_back(block + "downsamplers.0.conv.weight");
          } else if (half == 1 && level > 0) {
            names.push_back(block + "upsamplers.0.conv.weight");
          }
        }
      }
      std::set<std::string> ldm_names;
      for (const std::string& name : names) {
        const auto ldm = unet_to_ldm(name, layout);
        ASSERT_TRUE(ldm) << name;
        EXPECT_EQ(unet_to_diffusers(*ldm, layout), name);
        ldm_names.insert(*ldm);
        ++checked;
      }
      EXPECT_EQ(ldm_names.size(), names.size());
      EXPECT_EQ(
          unet_layout_from_ldm({std::vector<std::string>(ldm_names.begin(), ldm_names.end())}),
          layout);
      EXPECT_EQ(unet_layout_from_diffusers(names), layout);
    }
  }
  EXPECT_GT(checked, 1000);
}

TEST(KeyMap, StrangersAreNotMapped) {
  const UnetLayout layout{{2, 2, 2}, {false, true, true}};
  for (const char* name :
       {"", "input_blocks", "input_blocks.", "input_blocks.9.0.in_layers.0.weight",
        "input_blocks.-1.0.op.weight", "input_blocks.01.0.in_layers.0.weight",
        "input_blocks.99999999999.0.op", "output_blocks.9.0.in_layers.0.weight",
        "output_blocks.8.1.conv.weight", "input_blocks.1.1.proj_in.weight",
        "input_blocks.1.0.op.weight", "middle_block.3.in_layers.0.weight", "out.1.weight",
        "input_blocks.1.0.in_layers.7.weight"}) {
    EXPECT_FALSE(unet_to_diffusers(name, layout)) << name;
  }
  for (const char* name :
       {"down_blocks.3.resnets.0.conv1.weight", "down_blocks.2.downsamplers.0.conv.weight",
        "up_blocks.2.upsamplers.0.conv.weight", "down_blocks.0.attentions.0.proj_in",
        "up_blocks.0.resnets.3.conv1", "mid_block.resnets.2.conv1"}) {
    EXPECT_FALSE(unet_to_ldm(name, layout)) << name;
  }
  EXPECT_FALSE(vae_to_diffusers("encoder.down.4.block.0.conv1.weight", 4));
  EXPECT_FALSE(openclip_to_hf("transformer.resblocks.x.ln_1.weight"));
}

}  // namespace
}  // namespace mantissa
