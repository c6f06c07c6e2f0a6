/* Kernels for the coverage of SVE and RVV; how they were compiled: README.md. */
double dot(long n, const double *a, const double *b) {
  double sum = 0;
  for (long i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}
void stencil(long n, double *restrict a, const double *restrict b) {
  for (long i = 1; i < n - 1; ++i) a[i] = 0.25 * (b[i - 1] + 2 * b[i] + b[i + 1]);
}
void complex_multiply(long n, float *restrict a, const float *restrict b, const float *restrict c) {
  for (long i = 0; i < n; ++i) {
    a[2 * i] = b[2 * i] * c[2 * i] - b[2 * i + 1] * c[2 * i + 1];
    a[2 * i + 1] = b[2 * i] * c[2 * i + 1] + b[2 * i + 1] * c[2 * i];
  }
}
void spmv(long n, double *restrict y, const long *row, const int *column, const double *value, const double *x) {
  for (long i = 0; i < n; ++i) {
    double sum = 0;
    for (long j = row[i]; j < row[i + 1]; ++j) sum += value[j] * x[column[j]];
    y[i] = sum;
  }
}
void scatter(long n, float *restrict a, const int *restrict index, const float *restrict b) {
  for (long i = 0; i < n; ++i) a[index[i]] = b[i];
}
void clamp(long n, unsigned char *restrict a, const short *restrict b) {
  for (long i = 0; i < n; ++i) a[i] = b[i] < 0 ? 0 : b[i] > 255 ? 255 : b[i];
}
long count_equal(long n, const signed char *a, signed char value) {
  long count = 0;
  for (long i = 0; i < n; ++i) count += a[i] == value;
  return count;
}
void convert(long n, double *restrict a, const int *restrict b, float *restrict c) {
  for (long i = 0; i < n; ++i) a[i] = (double)b[i] + (double)c[i];
}
void conditional(long n, double *restrict a, const double *restrict b) {
  for (long i = 0; i < n; ++i)
    if (b[i] > 0) a[i] += __builtin_sqrt(b[i]);
}
int xor_shift(long n, unsigned *restrict a) {
  unsigned all = 0;
  for (long i = 0; i < n; ++i) {
    a[i] ^= a[i] << 13;
    a[i] ^= a[i] >> 17;
    all |= a[i];
  }
  return all;
}
void transpose(long n, float *restrict a, const float *restrict b) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) a[i * n + j] = b[j * n + i];
}
void matrix(long n, double *restrict c, const double *restrict a, const double *restrict b) {
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
void reverse(long n, int *restrict a, const int *restrict b) {
  for (long i = 0; i < n; ++i) a[i] = b[n - 1 - i];
}
void divide(long n, int *restrict a, const int *restrict b) {
  for (long i = 0; i < n; ++i) a[i] = b[i] / 7 + a[i] % 10;
}
double smallest(long n, const double *a) {
  double least = a[0];
  for (long i = 1; i < n; ++i) least = a[i] < least ? a[i] : least;
  return least;
}
