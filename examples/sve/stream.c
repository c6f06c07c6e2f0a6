#include "kernels.h"

/* The four loops of STREAM, one vector an iteration. */
#define LOOP                                                                                                           \
  int64_t i = 0;                                                                                                       \
  svbool_t some = svwhilelt_b64(i, n);                                                                                 \
  _Pragma("clang loop unroll(disable)") for (; svptest_any(svptrue_b64(), some);                                       \
                                             i += (int64_t)svcntd(), some = svwhilelt_b64(i, n))

void stream_copy(int64_t n, double *restrict c, const double *restrict a) {
  LOOP svst1_f64(some, c + i, svld1_f64(some, a + i));
}

void stream_scale(int64_t n, double *restrict b, const double *restrict c, double q) {
  LOOP svst1_f64(some, b + i, svmul_n_f64_x(some, svld1_f64(some, c + i), q));
}

void stream_add(int64_t n, double *restrict c, const double *restrict a, const double *restrict b) {
  LOOP svst1_f64(some, c + i, svadd_f64_x(some, svld1_f64(some, a + i), svld1_f64(some, b + i)));
}

void stream_triad(int64_t n, double *restrict a, const double *restrict b, const double *restrict c, double q) {
  LOOP svst1_f64(some, a + i, svmla_n_f64_x(some, svld1_f64(some, b + i), svld1_f64(some, c + i), q));
}
