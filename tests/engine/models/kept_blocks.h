#pragma once
// Whether a file's blocks are kept as they are.
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include "engine/graph/device_values.h"
#include "engine/io/block_scales.h"
#include "engine/io/block_views.h"
#include "engine/io/weights.h"
#include "engine/nn/weight_store.h"
#include "kernels/block_codes.h"
#include "kernels/cpu/cpu.h"

namespace mantissa::testing_support {

inline std::vector<float> denoiser_values(const WeightSource& source, const std::string& name) {
  std::vector<float> values(static_cast<std::size_t>(source.shape(kDenoiser, name).count()));
  source.read_f32(kDenoiser, name, values);
  return values;
}

/// How many weights were kept: whole tensors of the file, and shares of fused ones.
struct KeptBlocks {
  int wholes = 0, shares = 0;
};

/// Where `wanted` is asked for, every straight weight that the file has in such blocks keeps its
/// codes and decodes to the file's values, on the device and streamed, in as many bytes as planned.
inline KeptBlocks expect_blocks_kept(const WeightSource& source, DType wanted) {
  const auto kernels = make_cpu_kernels(1);
  KeptBlocks kept;
  for (const bool streamed : {false, true}) {
    WeightStore store(*kernels, source), planned = WeightStore::planning(source);
    if (streamed) {
      std::set<std::string> paths;
      for (const std::string& name : source.names(kDenoiser)) {
        paths.insert("denoiser." + name);
      }
      store.stream(paths);
      planned.stream(paths);
    }
    for (const std::string& name : source.names(kDenoiser)) {
      const WeightView view = source.view(kDenoiser, name);
      if (!keeps_blocks(wanted, view.dtype) || !view.straight()) {
        continue;
      }
      Tensor& t = store.frozen("denoiser." + name, view.shape, wanted);
      const bool share = view.block_scales != nullptr && view.stored() != view.block_scales->count;
      (share ? kept.shares : kept.wholes) += 1;
      EXPECT_EQ(t.dtype, kept_dtype(view)) << name;
      EXPECT_EQ(std::memcmp(t.streamed ? t.host : t.data, view.data, view.bytes()), 0) << name;
      const WeightOnDevice there(*kernels, t);
      const Shape matrix{t.shape[0], t.shape.count() / t.shape[0]};
      const DeviceArray values(*kernels, matrix);
      kernels->dequantize(View(there->data, t.dtype, matrix), {}, values.view());
      EXPECT_EQ(host_values(*kernels, values.view()), denoiser_values(source, name)) << name;
      EXPECT_EQ(planned.frozen("denoiser." + name, view.shape, wanted).bytes(), t.bytes()) << name;
    }
    EXPECT_EQ(store.bytes(), planned.bytes()) << "known before anything is loaded";
  }
  return kept;
}

}  // namespace mantissa::testing_support
