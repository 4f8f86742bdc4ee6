// Families of CUDA kernels that are still to come. A real definition takes the place of each of
// these when it is linked.
#include <stdexcept>

#include "kernels/cuda/backend.h"

#define MANTISSA_PENDING(Result, name, parameters)                          \
  __attribute__((weak)) Result CudaKernels::name parameters {               \
    throw std::runtime_error("[pending] " #name " has no CUDA kernel yet"); \
  }

namespace mantissa::cuda {

MANTISSA_PENDING(void, quantize, (const View&, const View&, const View&, const View&, const View&))
MANTISSA_PENDING(void, dequantize, (const View&, const View&, const View&))
MANTISSA_PENDING(TensorStatistics, tensor_statistics,
                 (const View&, const View&, DType, const View&))
MANTISSA_PENDING(void, conv2d,
                 (const View&, const View&, const View&, const View&, const ConvOptions&, bool))
MANTISSA_PENDING(void, conv2d_backward_data,
                 (const View&, const View&, const View&, const ConvOptions&, bool))
MANTISSA_PENDING(void, conv2d_backward_weight,
                 (const View&, const View&, const View&, const ConvOptions&, bool))
MANTISSA_PENDING(void, attention,
                 (const View&, const View&, const View&, const AttentionBias&, const View&,
                  const View&, const AttentionOptions&))
MANTISSA_PENDING(void, attention_backward,
                 (const View&, const View&, const View&, const AttentionBias&, const View&,
                  const View&, const View&, const View&, const View&, const View&,
                  const AttentionOptions&))
MANTISSA_PENDING(void, weight_squares, (const DoraNormArgs&, const View&))
MANTISSA_PENDING(void, dora_norm, (const DoraNormArgs&, const View&))
MANTISSA_PENDING(void, divide_by_norm,
                 (const View&, const View&, const View&, float, float, const View&))
MANTISSA_PENDING(void, scale_channels,
                 (const View&, const View&, const View&, const View&, const View&, const View&))
MANTISSA_PENDING(void, scale_channels_backward,
                 (const View&, const View&, const View&, const View&, const View&, const View&,
                  const View&, const View&))
MANTISSA_PENDING(void, group_norm,
                 (const View&, const View&, const View&, const View&, const View&, int, float,
                  bool))
MANTISSA_PENDING(void, group_norm_backward,
                 (const View&, const View&, const View&, const View&, const View&, const View&,
                  const View&, const View&, int, bool))
MANTISSA_PENDING(void, layer_norm,
                 (const View&, const View&, const View&, const View&, const View&, float))
MANTISSA_PENDING(void, layer_norm_backward,
                 (const View&, const View&, const View&, const View&, const View&, const View&,
                  const View&))
MANTISSA_PENDING(void, rms_norm, (const View&, const View&, const View&, const View&, float))
MANTISSA_PENDING(void, rms_norm_backward,
                 (const View&, const View&, const View&, const View&, const View&, const View&))
MANTISSA_PENDING(double, sum_of_squares, (const View&))
MANTISSA_PENDING(std::int64_t, count_non_finite, (const View&))
MANTISSA_PENDING(void, optimizer_step, (std::span<const ParameterUpdate>, const UpdateOptions&))
MANTISSA_PENDING(ProdigySums, prodigy_observe,
                 (std::span<const ParameterUpdate>, const ProdigyOptions&))
MANTISSA_PENDING(void, factored_step, (std::span<const FactoredUpdate>, const FactoredOptions&))
MANTISSA_PENDING(void, measure_update,
                 (const View&, const View&, const View&, std::span<const std::int64_t>,
                  std::span<Movement>))
MANTISSA_PENDING(void, ema, (const View&, double, const View&))

}  // namespace mantissa::cuda
