#include <cstddef>

#include "kernels/check_conv.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/device.cuh"
#include "kernels/scratch_needs.h"

// A convolution uses cuDNN if it has an engine. Else it is a GEMM with the image's patches, which a
// kernel writes in bounded pieces: [pixels, (tap, channel)]. Backward data gathers patches of
// d_out, so that sums have a fixed order.

namespace mantissa::cuda {

namespace {

/// A kernel laid over an image: tap (ky, kx) of pixel (y, x) reads row (y·step + y0 +
/// ky·sign)/divide of the image, and so its columns; what doesn't divide or lies outside counts as
/// zero.
struct Gather {
  int height, width, channels;  ///< of the image read
  int out_height, out_width;    ///< output pixels
  int kh, kw;
  int step, divide, sign, y0, x0;

  int taps() const { return kh * kw; }
  std::int64_t depth() const { return static_cast<std::int64_t>(taps()) * channels; }
  std::int64_t stride() const { return patch_stride(depth()); }
};

Gather forward_gather(const View& x, const View& weight, const View& out, const ConvOptions& o) {
  const auto of = [](const View& v, int i) { return static_cast<int>(v.shape[i]); };
  return {of(x, 1),      of(x, 2), of(x, 3), of(out, 1), of(out, 2), of(weight, 2),
          of(weight, 3), o.stride, 1,        1,          -o.pad_top, -o.pad_left};
}

Gather backward_gather(const View& d_out, const View& weight, const View& d_x,
                       const ConvOptions& o) {
  const auto of = [](const View& v, int i) { return static_cast<int>(v.shape[i]); };
  return {of(d_out, 1),  of(d_out, 2),
          of(d_out, 3),  of(d_x, 1),
          of(d_x, 2),    of(weight, 2),
          of(weight, 3), 1,
          o.stride,      -1,
          o.pad_top,     o.pad_left};
}

/// Patches of the pixels [first, first + pixels), counted over the batch; N channels at once.
template <typename S, int N>
__global__ void patches_kernel(const S* image, std::int64_t image_stride, Gather g,
                               std::int64_t first, unsigned pixels, S* patches,
                               std::int64_t stride) {
  const unsigned packs = static_cast<unsigned>(g.channels) / N;
  const unsigned each = static_cast<unsigned>(g.kh * g.kw) * packs;
  for (std::int64_t i = global_thread(); i < std::int64_t{pixels} * each; i += global_threads()) {
    // A piece has less than 2^32 elements.
    const unsigned item = static_cast<unsigned>(i), pixel = item / each, column = item % each;
    const int tap = static_cast<int>(column / packs);
    const int channel = static_cast<int>(column % packs) * N;
    const std::int64_t place = first + pixel;
    const auto plane = static_cast<std::int64_t>(g.out_height) * g.out_width;
    const std::int64_t sample = place / plane;
    const int in_plane = static_cast<int>(place % plane);
    const int y = in_plane / g.out_width * g.step + g.y0 + tap / g.kw * g.sign;
    const int x = in_plane % g.out_width * g.step + g.x0 + tap % g.kw * g.sign;
    Pack<S, N> pack{};
    if (y >= 0 && x >= 0 && y % g.divide == 0 && x % g.divide == 0 && y / g.divide < g.height &&
        x / g.divide < g.width) {
      const std::int64_t from = (sample * g.height + y / g.divide) * g.width + x / g.divide;
      pack = load_pack<N>(image + from * image_stride + channel);
    }
    store_pack<N>(patches + pixel * stride + tap * g.channels + channel, pack);
  }
}

/// out [co, taps, ci] = weight [co, ci, taps]. A block transposes `channels` channels of co =
/// blockIdx.x in shared memory, so that both sides are accessed along rows.
template <typename S>
__global__ void taps_first_kernel(const S* weight, std::int64_t ci, int taps, int channels,
                                  S* out) {
  S* shared = dynamic_shared<S>();
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * channels;
  const int count = static_cast<int>(ci - first < channels ? ci - first : channels);
  const S* from = weight + (blockIdx.x * ci + first) * taps;
  S* to = out + blockIdx.x * ci * taps + first;
  for (int i = static_cast<int>(threadIdx.x); i < count * taps; i += kThreads) {
    shared[i] = from[i];
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < count * taps; i += kThreads) {
    const int tap = i / count, c = i % count;
    to[tap * ci + c] = shared[c * taps + tap];
  }
}

/// out [ci, taps, co] = weight [co, ci, taps].
template <typename S>
__global__ void inputs_first_kernel(const S* weight, std::int64_t count, std::int64_t co,
                                    std::int64_t ci, std::int64_t taps, S* out) {
  for (std::int64_t i = global_thread(); i < count; i += global_threads()) {
    const std::int64_t o = i % co, tap = i / co % taps, c = i / (co * taps);
    out[i] = weight[(o * ci + c) * taps + tap];
  }
}

/// d_weight [co, ci, taps] = product [co, taps, ci] (+ d_weight).
template <typename T>
__global__ void unpack_weight_kernel(const T* product, std::int64_t count, std::int64_t channels,
                                     std::int64_t taps, bool accumulate, T* d_weight) {
  const std::int64_t depth = taps * channels;
  for (std::int64_t i = global_thread(); i < count; i += global_threads()) {
    const std::int64_t c = i % depth / taps, tap = i % taps;
    const T value = product[i / depth * depth + tap * channels + c];
    d_weight[i] = accumulate ? d_weight[i] + value : value;
  }
}

/// f(first, pixels, patches) for pieces of all `pixels` patches of `image`, in order.
template <typename S, typename F>
void for_patches(Context& context, const View& image, const Gather& g, std::int64_t pixels, F&& f) {
  const std::int64_t stride = g.stride();
  const std::int64_t piece =
      patch_pixels(pixels, stride * static_cast<std::int64_t>(sizeof(S)), context.part_bytes());
  S* patches = context.scratch<S>(Scratch::columns, piece * stride);
  for (std::int64_t first = 0; first < pixels; first += piece) {
    const std::int64_t count = std::min(piece, pixels - first);
    dispatch_pack<S>(in_packs<kPack<S>>(image), [&]<int N>() {
      launch<patches_kernel<S, N>>(context.stream(), grid_for(count * g.depth() / N), image.as<S>(),
                                   image.row_stride, g, first, static_cast<unsigned>(count),
                                   patches, stride);
    });
    f(first, count, static_cast<const S*>(patches));
  }
}

/// [co, ci, kh, kw] -> [co, kh, kw, ci], on `stream`.
void write_taps_first(cudaStream_t stream, const View& weight, const View& packed) {
  constexpr std::int64_t kElements = 4096;
  const std::int64_t co = weight.shape[0], ci = weight.shape[1];
  const std::int64_t taps = weight.shape[2] * weight.shape[3];
  dispatch_float(weight.dtype, [&]<typename S>() {
    const std::int64_t channels = std::clamp<std::int64_t>(kElements / taps, 1, ci);
    launch<taps_first_kernel<S>>(
        stream,
        {dim3(static_cast<unsigned>(co), static_cast<unsigned>(ceil_div(ci, channels))), kThreads,
         static_cast<std::size_t>(channels * taps) * sizeof(S)},
        weight.as<S>(), ci, static_cast<int>(taps), static_cast<int>(channels), packed.as<S>());
  });
}

/// out = patches of `image` · `packed`ᵀ, packed [columns of out, (tap, channel of image)].
template <typename S>
void gathered_product(Context& context, Gemm& gemm, const View& image, const Gather& g,
                      const S* packed, const View& bias, const View& out, bool tf32,
                      bool accumulate) {
  for_patches<S>(
      context, image, g, out.rows(), [&](std::int64_t first, std::int64_t count, const S* patches) {
        View rows = out;
        rows.data = out.as<S>() + first * out.row_stride;
        GemmCall call = gemm_call(count, out.cols(), g.depth(), out.dtype, {patches, g.stride()},
                                  {packed, g.depth(), true}, rows);
        call.tf32 = tf32;
        call.beta = accumulate ? 1.0F : 0.0F;
        run_gemm(context, gemm, call, bias);
      });
}

/// Whether each output pixel reads only the input pixel at its own position.
bool is_pointwise(const View& weight, const ConvOptions& o) {
  return weight.shape[2] == 1 && weight.shape[3] == 1 && o.stride == 1 && o.pad_top == 0 &&
         o.pad_left == 0 && o.pad_bottom == 0 && o.pad_right == 0;
}

}  // namespace

View CudaKernels::taps_first(const View& weight) {
  const Shape shape{weight.shape[0], weight.shape[2], weight.shape[3], weight.shape[1]};
  if (shape[1] * shape[2] == 1) {
    return {weight.data, weight.dtype, shape};
  }
  const auto bytes = static_cast<std::size_t>(weight.count()) * dtype_size(weight.dtype);
  if (weight.constant_id == 0) {
    const View packed(
        context_->scratch<std::byte>(Scratch::operand_b, static_cast<std::int64_t>(bytes)),
        weight.dtype, shape);
    write_taps_first(stream(), weight, packed);
    return packed;
  }
  void*& data = constants_[{weight.constant_id, weight.data, bytes}];
  if (data == nullptr) {
    data = context_->allocate_aside(bytes);
    constant_total_ += bytes;
    write_taps_first(context_->aside(), weight, View(data, weight.dtype, shape));
    context_->finish_aside();
  }
  return {data, weight.dtype, shape};
}

void CudaKernels::conv2d(const View& x, const View& weight, const View& bias, const View& out,
                         const ConvOptions& options, bool accumulate) {
  check_conv2d(x, weight, bias, out, options);
  if (out.count() == 0) {
    return;
  }
  if (is_pointwise(weight, options)) {
    GemmCall call = gemm_call(out.rows(), out.cols(), x.cols(), x.dtype, gemm_matrix(x),
                              {weight.data, x.cols(), true}, out);
    call.tf32 = options.tf32;
    call.beta = accumulate ? 1.0F : 0.0F;
    run_gemm(*context_, *gemm_, call, bias);
    return;
  }
  const View packed = taps_first(weight);
  if (dnn_ != nullptr && dnn_->conv2d(x, packed, bias, out, options, accumulate)) {
    return;
  }
  dispatch_float(x.dtype, [&]<typename S>() {
    gathered_product<S>(*context_, *gemm_, x, forward_gather(x, weight, out, options),
                        packed.as<S>(), bias, out, options.tf32, accumulate);
  });
}

void CudaKernels::conv2d_backward_data(const View& d_out, const View& weight, const View& d_x,
                                       const ConvOptions& options, bool accumulate) {
  check_conv2d_backward_data(d_out, weight, d_x, options);
  if (d_x.count() == 0) {
    return;
  }
  const std::int64_t co = weight.shape[0], ci = weight.shape[1];
  if (is_pointwise(weight, options)) {
    GemmCall call =
        gemm_call(d_x.rows(), ci, co, d_x.dtype, gemm_matrix(d_out), {weight.data, ci}, d_x);
    call.tf32 = options.tf32;
    call.beta = accumulate ? 1.0F : 0.0F;
    gemm_->run(call);
    return;
  }
  if (dnn_ != nullptr &&
      dnn_->conv2d_backward_data(d_out, taps_first(weight), d_x, options, accumulate)) {
    return;
  }
  dispatch_float(d_x.dtype, [&]<typename S>() {
    S* packed = context_->scratch<S>(Scratch::operand_b, weight.count());
    launch<inputs_first_kernel<S>>(stream(), grid_for(weight.count()), weight.as<S>(),
                                   weight.count(), co, ci, weight.shape[2] * weight.shape[3],
                                   packed);
    gathered_product<S>(*context_, *gemm_, d_out, backward_gather(d_out, weight, d_x, options),
                        packed, {}, d_x, options.tf32, accumulate);
  });
}

void CudaKernels::conv2d_backward_weight(const View& x, const View& d_out, const View& d_weight,
                                         const ConvOptions& options, bool accumulate) {
  check_conv2d_backward_weight(x, d_out, d_weight, options);
  const std::int64_t pixels = d_out.rows();
  if (pixels == 0) {
    if (!accumulate) {
      fill(d_weight, 0);
    }
    return;
  }
  if (dnn_ != nullptr && dnn_->conv2d_backward_weight(x, d_out, d_weight, options, accumulate)) {
    return;
  }
  const std::int64_t co = d_weight.shape[0], ci = d_weight.shape[1];
  const auto add_product = [&](std::int64_t first, std::int64_t count, const void* b,
                               std::int64_t b_stride, std::int64_t n, void* out, bool add) {
    const auto* a = d_out.as<std::byte>() +
                    first * d_out.row_stride * static_cast<std::int64_t>(dtype_size(d_out.dtype));
    GemmCall call = gemm_call(co, n, count, x.dtype, {a, d_out.row_stride, true}, {b, b_stride},
                              View(out, d_weight.dtype, {co, n}));
    call.tf32 = options.tf32;
    call.beta = add ? 1.0F : 0.0F;
    gemm_->run(call);
  };
  if (is_pointwise(d_weight, options)) {
    add_product(0, pixels, x.data, x.row_stride, ci, d_weight.data, accumulate);
    return;
  }
  const Gather g = forward_gather(x, d_weight, d_out, options);
  dispatch_float(x.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    T* sums = context_->scratch<T>(Scratch::operand_c, d_weight.count());
    for_patches<S>(*context_, x, g, pixels,
                   [&](std::int64_t first, std::int64_t count, const S* patches) {
                     add_product(first, count, patches, g.stride(), g.depth(), sums, first > 0);
                   });
    launch<unpack_weight_kernel<T>>(stream(), grid_for(d_weight.count()), sums, d_weight.count(),
                                    std::int64_t{g.channels}, std::int64_t{g.taps()}, accumulate,
                                    d_weight.as<T>());
  });
}

}  // namespace mantissa::cuda
