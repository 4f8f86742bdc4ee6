#pragma once
// The config.json of transformers whose tokens are whole channels of latents, patches made before
// them, and whose heads turn with several axes.

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "engine/io/config_fields.h"
#include "engine/io/config_table.h"
#include "engine/models/rotary_axes.h"

namespace mantissa {

inline constexpr const char* kPatchedAxes = "axes_dims_rope";

/// Reads the table's fields and the channels of each axis. Throws Error naming a field that is
/// wrong, or that such a class of diffusers doesn't have.
template <typename Config, std::size_t kCount, std::size_t kAxes>
Config read_patched(const ConfigFields& f, const char* diffusers_class,
                    const ConfigField<Config> (&table)[kCount],
                    const std::array<int, kAxes>& usual_axes) {
  f.only("_class_name", diffusers_class);
  f.only("patch_size", 1);
  Config c;
  read_table(f, table, c);
  f.only("out_channels", c.in_channels);
  c.axes_dims = f.exactly<kAxes>(kPatchedAxes, usual_axes);
  f.refuse_others({});
  check_rotary_axes(f, kPatchedAxes, c.axes_dims, c.head_dim);
  return c;
}

/// Diffusers' form of it.
template <typename Config, std::size_t kCount>
nlohmann::json write_patched(const char* diffusers_class,
                             const ConfigField<Config> (&table)[kCount], const Config& c) {
  nlohmann::json object{{"_class_name", diffusers_class},
                        {"patch_size", 1},
                        {"out_channels", nullptr},
                        {kPatchedAxes, c.axes_dims}};
  write_table(object, table, c);
  return object;
}

}  // namespace mantissa
