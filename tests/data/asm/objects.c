double dot(const double *a, const double *b, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}
extern long outside(long);
long calls(long *a, long n) {
  long sum = 0;
  for (long i = 0; i < n; i++) sum += outside(a[i]);
  return sum;
}
static __attribute__((noinline)) void inner(float *a, float s, int n) { for (int i = 0; i < n; i++) a[i] *= s; }
void outer(float *a, int n) { for (int j = 0; j < 4; j++) inner(a + j * n, 2.0f, n); }
