#include "kernels.h"

/* Two vectors by eight: C += A * B over packed panels; a column of A and a row of B an iteration, eight iterations a turn. */
void dgemm_2v_by_8(int64_t depth, const double *a, const double *b, double *c, int64_t stride) {
  const svbool_t all = svptrue_b64();
  const int64_t lanes = svcntd();
  svfloat64_t c00 = svdup_f64(0), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00, c30 = c00, c31 = c00;
  svfloat64_t c40 = c00, c41 = c00, c50 = c00, c51 = c00, c60 = c00, c61 = c00, c70 = c00, c71 = c00;
#pragma clang loop unroll_count(8)
  for (int64_t k = 0; k < depth; ++k) {
    const svfloat64_t a0 = svld1_f64(all, a), a1 = svld1_f64(all, a + lanes);
    a += 2 * lanes;
#define STEP(j)                                                                                                        \
  c##j##0 = svmla_f64_x(all, c##j##0, a0, svdup_f64(b[j]));                                                            \
  c##j##1 = svmla_f64_x(all, c##j##1, a1, svdup_f64(b[j]));
    STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7)
    b += 8;
  }
#define STORE(j)                                                                                                       \
  svst1_f64(all, c + j * stride, svadd_f64_x(all, svld1_f64(all, c + j * stride), c##j##0));                            \
  svst1_f64(all, c + j * stride + lanes, svadd_f64_x(all, svld1_f64(all, c + j * stride + lanes), c##j##1));
  STORE(0) STORE(1) STORE(2) STORE(3) STORE(4) STORE(5) STORE(6) STORE(7)
}
