#include "kernels.h"

typedef struct {
  int64_t points;
  const double *weights;
  const int64_t *offsets;
} stencil;

/* One point of the grid: lanes run over the points of the stencil, and are summed in order. */
double stencil_inner(const stencil *s, const double *a, int64_t i) {
  double sum = 0;
  int64_t c = 0;
  svbool_t some = svwhilelt_b64(c, s->points);
  const svint64_t here = svdup_s64(i);
#pragma clang loop unroll(disable)
  do {
    const svint64_t at = svadd_s64_x(some, here, svld1_s64(some, s->offsets + c));
    const svfloat64_t products = svmul_f64_x(some, svld1_f64(some, s->weights + c), svld1_gather_s64index_f64(some, a, at));
    sum = svadda_f64(some, sum, products);
    c += svcntd();
    some = svwhilelt_b64(c, s->points);
  } while (svptest_any(svptrue_b64(), some));
  return sum;
}

/* As many points as there are lanes: each lane runs over the points of the stencil. */
void stencil_outer(const stencil *s, const double *a, double *b, int64_t n) {
  for (int64_t i = 0; i < n; i += (int64_t)svcntd()) {
    const svbool_t some = svwhilelt_b64(i, n);
    const svint64_t here = svindex_s64(i, 1);
    svfloat64_t sum = svdup_f64(0);
#pragma clang loop unroll(disable)
    for (int64_t c = 0; c < s->points; ++c) {
      const svint64_t at = svadd_s64_x(some, here, svdup_s64(s->offsets[c]));
      sum = svmla_f64_x(some, sum, svld1_gather_s64index_f64(some, a, at), svdup_f64(s->weights[c]));
    }
    svst1_scatter_s64index_f64(some, b, here, sum);
  }
}

/* All points of a line of the grid, one after the other. */
void stencil_inner_line(const stencil *s, const double *a, double *b, int64_t n) {
#pragma clang loop unroll(disable)
  for (int64_t i = 0; i < n; ++i) b[i] = stencil_inner(s, a, i);
}
