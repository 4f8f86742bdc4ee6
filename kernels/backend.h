#pragma once

#include "kernels/check_quant.h"
#include "kernels/kernels.h"

namespace mantissa {

/// What all backends do alike. ops.inc declares the rest, in each of their classes.
class Backend : public Kernels {
 public:
  void quantize(const View& in, const View& column_factor, const View& out, const View& scale,
                const View& delayed) final {
    check_quantize(in, column_factor, out, scale, delayed);
    if (in.count() == 0) {
      return;
    }
    if (is_nf4(out.dtype)) {
      quantize_nf4(in, out);
    } else if (is_blocked(out.dtype)) {
      quantize_blocks(in, out);
    } else if (out.dtype == DType::i8_rotated) {
      quantize_rotated(in, out, scale);
    } else {
      quantize_codes(in, column_factor, out, scale, delayed);
    }
  }
  void dequantize(const View& in, const View& scale, const View& out) final {
    check_dequantize(in, scale, out);
    if (in.count() == 0) {
      return;
    }
    if (is_nf4(in.dtype)) {
      dequantize_nf4(in, out);
    } else if (is_blocked(in.dtype)) {
      dequantize_blocks(in, out);
    } else if (in.dtype == DType::i8_rotated) {
      dequantize_rotated(in, scale, out);
    } else {
      dequantize_codes(in, scale, out);
    }
  }

 private:
  // Both for each form of storage; arguments are checked, and not empty.
  virtual void quantize_codes(const View& in, const View& column_factor, const View& out,
                              const View& scale, const View& delayed) = 0;
  virtual void dequantize_codes(const View& in, const View& scale, const View& out) = 0;
  virtual void quantize_nf4(const View& in, const View& out) = 0;
  virtual void dequantize_nf4(const View& in, const View& out) = 0;
  virtual void quantize_blocks(const View& in, const View& out) = 0;
  virtual void dequantize_blocks(const View& in, const View& out) = 0;
  virtual void quantize_rotated(const View& in, const View& out, const View& scale) = 0;
  virtual void dequantize_rotated(const View& in, const View& scale, const View& out) = 0;
};

}  // namespace mantissa
