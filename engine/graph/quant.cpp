// Persistent tensors read in another dtype, and linear layers that multiply codes.
#include "engine/graph/channels.h"
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using Views = std::vector<View>;

/// Codes have one scale for each index of the first dimension.
View as_matrix(const View& v) {
  return {v.data, v.dtype, {v.shape[0], v.count() / v.shape[0]}};
}

class DequantizeOp final : public Op {
 public:
  explicit DequantizeOp(const Tensor& tensor) : tensor_(&tensor) {}
  const char* name() const override { return "dequantize"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.dequantize(as_matrix(in[0]), tensor_->scale_view(), as_matrix(out[0]));
  }
  bool repeat_in_backward() const override { return true; }
  const Tensor* decodes() const override { return tensor_; }

 private:
  const Tensor* tensor_;
};

/// A conversion of a persistent tensor; its gradient has the accumulator's dtype.
class ReadTensorOp final : public Op {
 public:
  explicit ReadTensorOp(DType gradient) : gradient_(gradient) {}
  const char* name() const override { return "read_tensor"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.copy(in[0], out[0]);
  }
  void backward(Backward& b) const override { b.add(0, cast(b.grad(), gradient_)); }
  bool repeat_in_backward() const override { return true; }

 private:
  DType gradient_;
};

/// A conversion of a whole buffer. Its parts handle their own gradients.
class ReadBufferOp final : public Op {
 public:
  const char* name() const override { return "read_buffer"; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    k.copy(in[0], out[0]);
  }
};

/// One tensor of a converted buffer, in place; gradient as in ReadTensorOp.
class PartOfBufferOp final : public Op {
 public:
  // inputs: converted buffer, the tensor
  PartOfBufferOp(std::int64_t begin, DType gradient) : begin_(begin), gradient_(gradient) {}
  const char* name() const override { return "part_of_buffer"; }
  void run(Kernels&, const Views&, const Views&, const RunContext&) const override {}
  void backward(Backward& b) const override { b.add(1, cast(b.grad(), gradient_)); }
  bool is_alias() const override { return true; }
  std::int64_t alias_offset(int) const override { return begin_; }

 private:
  std::int64_t begin_;
  DType gradient_;
};

/// GEMMs want operands aligned to 16 bytes.
bool begins_well(const Tensor& tensor, DType dtype) {
  constexpr std::int64_t kAlignment = 16;
  return tensor.buffer_offset * static_cast<std::int64_t>(dtype_size(dtype)) % kAlignment == 0;
}

Value part_of_buffer(Graph& graph, Tensor& tensor) {
  TensorBuffer& buffer = *tensor.buffer;
  const Value whole = graph.once(buffer.whole, [&] {
    return graph.record(std::make_shared<ReadBufferOp>(), {graph.use(buffer.whole)},
                        {{buffer.whole.shape, buffer.read_as}})[0];
  });
  const auto size = static_cast<std::int64_t>(dtype_size(buffer.read_as));
  return graph.record(
      std::make_shared<PartOfBufferOp>(tensor.buffer_offset * size, tensor.grad_dtype),
      {whole, graph.use(tensor)}, {{tensor.shape, buffer.read_as}})[0];
}

View delayed_state(const Tensor* tensor) {
  return tensor == nullptr ? View{} : tensor->view();
}

/// What linear layers of a weight's codes make of their other operands.
struct CodesOfLinear {
  DType input, gradient;
  const char *forward, *backward;
};
constexpr CodesOfLinear kFp8Linear{DType::f8_e4m3, DType::f8_e5m2, "linear_fp8",
                                   "linear_fp8_backward"};
constexpr CodesOfLinear kInt8Linear{DType::i8, DType::i8, "linear_int8", "linear_int8_backward"};
/// x and W are both rotated; d_out is not, so d_x comes out rotated.
constexpr CodesOfLinear kRotatedLinear{DType::i8_rotated, DType::i8, "linear_int8",
                                       "linear_int8_backward"};

const CodesOfLinear& codes_for(const Tensor& weight) {
  return weight.dtype == DType::i8           ? kInt8Linear
         : weight.dtype == DType::i8_rotated ? kRotatedLinear
                                             : kFp8Linear;
}

/// The shape of the scales of x's codes: one for each row, or the delayed one for all.
Shape scales_of(const Tensor* delayed, const Shape& x) {
  return {delayed == nullptr ? x.rows() : 1};
}

/// Parts in which the gradient of a weight of several layers is quantised and multiplied. Their
/// gradients differ in size: int8 has no exponent that could hold that.
std::int64_t parts_of_gradient(const Tensor& weight) {
  return is_int8(weight.dtype) ? weight.layers() : 1;
}

/// d_x = d_out·W. W's scales run along the reduction, so they are applied to d_out before it is
/// quantised.
class LinearCodesBackwardOp final : public Op {
 public:
  // inputs: d_out, weight codes, addend; outputs: d_x, codes of one part of d_out, each part's
  // scales, and d_x while it is rotated, if it is
  explicit LinearCodesBackwardOp(const Tensor& weight, const Tensor* state)
      : weight_(&weight), state_(state), parts_(parts_of_gradient(weight)) {}
  const char* name() const override { return codes_for(*weight_).backward; }
  int products() const override { return static_cast<int>(parts_); }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    const bool rotated = weight_->dtype == DType::i8_rotated;
    const View sum = rotated ? out.back() : out[0];
    View addend = rotated ? View{} : in[2];
    for (std::int64_t i = 0; i < parts_; ++i) {
      const View& scale = out[static_cast<std::size_t>(2 + i)];
      if (in[0]) {
        k.quantize(slice_of(in[0], i), part_of(weight_->scale_view(), i), out[1], scale,
                   delayed_state(state_));
      }
      MatmulOptions options;
      options.addend = addend.data != sum.data ? addend : View{};
      options.beta = addend ? 1.0F : 0.0F;
      k.matmul_codes(out[1], scale, part_of(in[1], i), {}, {}, sum, options);
      addend = sum;
    }
    if (rotated) {
      k.rotate(sum, in[2], out[0]);
    }
  }
  bool may_overwrite(int input) const override { return input == 2; }
  bool encodes() const override {  // a streamed weight's scales are there with the weight alone
    return parts_ == 1 && state_ == nullptr && !weight_->streamed;
  }
  View encoding_factor() const override { return weight_->scale_view(); }

 private:
  /// The channels and the rows that belong to part i.
  View slice_of(const View& v, std::int64_t i) const {
    const std::int64_t width = v.cols() / parts_;
    return channels_of(v, i * width, width);
  }
  View part_of(const View& v, std::int64_t i) const {
    View part = v;
    part.shape[0] /= parts_;
    part.data =
        part.as<std::byte>() + static_cast<std::size_t>(i) * stored_bytes(v.dtype, part.count());
    return part;
  }

  const Tensor* weight_;
  const Tensor* state_;
  std::int64_t parts_;
};

class LinearCodesOp final : public Op {
 public:
  // inputs: x, weight codes, bias, addend; outputs: y, codes of x, their scales
  LinearCodesOp(const Tensor& weight, const Fp8State& state) : weight_(&weight), state_(state) {}
  const char* name() const override { return codes_for(*weight_).forward; }
  void run(Kernels& k, const Views& in, const Views& out, const RunContext&) const override {
    if (in[0]) {
      k.quantize(in[0], {}, out[1], out[2], delayed_state(state_.input));
    }
    MatmulOptions options;
    options.transpose_b = true;
    if (in[3]) {
      options.addend = in[3].data != out[0].data ? in[3] : View{};
      options.beta = 1.0F;
    }
    k.matmul_codes(out[1], out[2], in[1], weight_->scale_view(), in[2], out[0], options);
  }
  bool may_overwrite(int input) const override { return input == 3; }
  bool encodes() const override {
    return state_.input == nullptr && weight_->dtype != DType::i8_rotated;
  }

  void backward(Backward& b) const override {
    const Value grad = b.grad();
    if (b.needs(3)) {
      b.add(3, grad);
    }
    if (b.needs(0)) {
      const Value partial = b.take_partial(0);
      const Shape shape = b.input(0).shape();
      const CodesOfLinear& codes = codes_for(*weight_);
      const std::int64_t parts = parts_of_gradient(*weight_);
      Shape one = grad.shape();
      one[one.rank() - 1] /= parts;
      std::vector<OutputSpec> outputs{{shape, grad.dtype()}, {one, codes.gradient}};
      outputs.resize(outputs.size() + static_cast<std::size_t>(parts),
                     {scales_of(state_.gradient, one), DType::f32});
      if (weight_->dtype == DType::i8_rotated) {
        outputs.push_back(outputs[0]);
      }
      b.add(0, b.graph().record(std::make_shared<LinearCodesBackwardOp>(*weight_, state_.gradient),
                                {grad, b.input(1), partial}, outputs)[0]);
    }
  }

 private:
  const Tensor* weight_;
  Fp8State state_;
};

}  // namespace

Value read_tensor(Graph& graph, Tensor& tensor, DType dtype) {
  const Value value = graph.use(tensor);
  if (tensor.dtype == dtype) {
    return value;
  }
  if (tensor.quantized()) {
    check_op(is_float(dtype) && dtype_size(dtype) > 1, "dequantize", value, [&] {
      return "codes are read as fp32, bf16 or fp16; not as " + std::string(dtype_name(dtype));
    });
    return graph.record(std::make_shared<DequantizeOp>(tensor), {value},
                        {{tensor.shape, dtype}})[0];
  }
  if (tensor.buffer != nullptr && tensor.buffer->read_as == dtype && begins_well(tensor, dtype)) {
    return part_of_buffer(graph, tensor);
  }
  return graph.record(std::make_shared<ReadTensorOp>(tensor.grad_dtype), {value},
                      {{tensor.shape, dtype}})[0];
}

bool shares_scales(const Fp8State& state) {
  return state.input == nullptr && state.gradient == nullptr;
}

Value linear_codes(Value x, Tensor& weight, Value bias, Value addend, const Fp8State& state) {
  const CodesOfLinear& kind = codes_for(weight);
  check_same_dtype(kind.forward, {x, bias, addend});
  check_op(
      x.dtype() == DType::bf16 || (is_int8(kind.input) && x.dtype() == DType::f16), kind.forward, x,
      [&] { return "products of codes take and give bf16 or, of int8, fp16; got " + describe(x); });
  check_op(weight.dtype == kind.input, kind.forward, x, [&] {
    return weight.name + " must hold E4M3 or int8 codes; it is " +
           std::string(dtype_name(weight.dtype));
  });
  const std::int64_t out = weight.shape[0], in = weight.shape.count() / out;
  check_op(x.shape().cols() == in, kind.forward, x,
           [&] { return "weight expects " + std::to_string(in) + " inputs; got " + describe(x); });
  check_op(!bias || (bias.shape().count() == out && !bias.needs_grad()), kind.forward, x,
           [&] { return "bias must be frozen and hold " + std::to_string(out) + " values"; });
  Graph& graph = x.graph();
  const Value codes = reshape(graph.use(weight), {out, in});
  Shape shape = x.shape();
  shape[shape.rank() - 1] = out;
  check_op(weight.layers() == 1 || shares_scales(state), kind.forward, x,
           weight.name + " are several layers: their delayed scales differ");
  check_op(!addend || addend.shape().count() == shape.count(), kind.forward, x,
           [&] { return "addend must have the result's shape " + shape.str(); });
  return graph.record(std::make_shared<LinearCodesOp>(weight, state), {x, codes, bias, addend},
                      {{shape, x.dtype()},
                       {x.shape(), kind.input},
                       {scales_of(state.input, x.shape()), DType::f32}})[0];
}

}  // namespace mantissa
