/* Source of the golden inputs beside it; see README.md. */
long offset;
__thread int per_thread;
extern double work(double);

void daxpy(double *restrict y, const double *restrict x, double a, long n) {
  for (long i = 0; i < n; i++)
    y[i] += a * x[i];
}

double nested(const double *m, long rows, long columns) {
  double sum = 0;
  for (long r = 0; r < rows; r++)
    for (long c = 0; c < columns; c++)
      sum += m[r * columns + c];
  return sum;
}

long widen(const int *a, const signed char *b, long n) {
  long sum = offset + per_thread;
  for (long i = 0; i < n; i++)
    sum += (long)a[i] * b[i];
  return sum;
}

int states(const int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    switch (p[i]) {
    case 0: s += 1; break;
    case 1: s *= 3; break;
    case 2: s ^= 7; break;
    case 3: s -= p[i + 1]; break;
    case 4: s = ~s; break;
    case 5: s <<= 2; break;
    default: s++;
    }
  return s;
}

void calls(double *a, long n, void (**f)(double)) {
  for (long i = 0; i < n; i++) {
    a[i] = work(a[i]);
    f[i](a[i]);
  }
}
