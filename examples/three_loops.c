/* Three loops that three different things keep from being faster; see docs/regions.md. */

/* Every addition waits for the one before. */
double dot(const double *x, const double *y, long n) {
  double sum = 0;
  for (long i = 0; i < n; ++i)
    sum += x[i] * y[i];
  return sum;
}

/* One divider serves all divisions. */
void normalize(double *restrict x, const double *restrict norm, long n) {
  for (long i = 0; i < n; ++i)
    x[i] /= norm[i];
}

/* More micro-ops than the core can rename in the cycles that the ports need. */
long range(const int *x, long n) {
  long low = 0, high = 0;
  for (long i = 0; i < n; ++i) {
    if (x[i] < 0)
      low -= x[i];
    else
      high += x[i];
  }
  return high + low;
}
