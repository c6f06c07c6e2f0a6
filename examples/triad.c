/* The Schoenauer triad: three streams read, one written, one multiply-add an element. */
void triad(double *restrict a, const double *restrict b, const double *restrict c, const double *restrict d, long n) {
  for (long i = 0; i < n; ++i)
    a[i] = b[i] + c[i] * d[i];
}
