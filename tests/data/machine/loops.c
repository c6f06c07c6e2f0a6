/* Loops for tests of machine models; how they were compiled: README.md. */
void daxpy(long n, double *restrict y, const double *restrict x, double s) {
  for (long i = 0; i < n; ++i) y[i] += s * x[i];
}
double gather(long n, const double *a, const int *index) {
  double sum = 0;
  for (long i = 0; i < n; ++i) sum += a[index[i]];
  return sum;
}
int largest(long n, const int *a) {
  int most = a[0];
  for (long i = 1; i < n; ++i) most = a[i] > most ? a[i] : most;
  return most;
}
void widen(long n, long *restrict a, const short *restrict b, const unsigned char *restrict c) {
  for (long i = 0; i < n; ++i) a[i] = (long)b[i] * c[i] + (a[i] >> 3);
}
void divide(long n, float *restrict a, const float *restrict b) {
  for (long i = 0; i < n; ++i) a[i] = b[i] > 0 ? a[i] / b[i] : -a[i];
}
long chase(long n, const long *next) {
  long at = 0;
  for (long i = 0; i < n; ++i) at = next[at];
  return at;
}
