#include "kernels.h"

/* Sparse matrix times vector, SELL-C with C = lanes: a slice holds C rows, column by column. */
void spmv_sell(int64_t slices, const int64_t *start, const double *values, const int32_t *columns, const double *x, double *y) {
  const svbool_t all = svptrue_b64();
  const int64_t lanes = svcntd();
#pragma omp parallel for
  for (int64_t slice = 0; slice < slices; ++slice) {
    svfloat64_t sum = svdup_f64(0);
#pragma clang loop unroll(disable)
    for (int64_t i = start[slice]; i < start[slice + 1]; i += lanes) {
      const svint64_t column = svld1sw_s64(all, columns + i);
      sum = svmla_f64_x(all, sum, svld1_f64(all, values + i), svld1_gather_s64index_f64(all, x, column));
    }
    svst1_f64(all, y + slice * lanes, sum);
  }
}
