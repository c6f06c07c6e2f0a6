// What the editor holds in the beginning, for each language.
import type { Language } from "./state";

export const EXAMPLES: Record<Language, string> = {
  asm: `# a[i] = b[i] + c[i] * d[i], as GCC writes it
.L4:
    vmovupd     (%r9,%rax), %ymm0
    vmovupd     (%rsi,%rax), %ymm1
    vfmadd132pd (%rdx,%rax), %ymm1, %ymm0
    vmovupd     %ymm0, (%rdi,%rax)
    addq        $32, %rax
    cmpq        %rcx, %rax
    jne         .L4
`,
  c: `double dot(const double *restrict a, const double *restrict b, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
`,
  "c++": `#include <vector>

double norm(const std::vector<double> &x)
{
    double sum = 0;
    for (double value : x)
        sum += value * value;
    return sum;
}
`,
  rust: `#[inline(never)]
pub fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for (x, y) in x.iter().zip(y) {
        *y += a * x;
    }
}
`,
  fortran: `subroutine triad(n, a, b, c, d)
    integer, intent(in) :: n
    real(8), intent(out) :: a(n)
    real(8), intent(in) :: b(n), c(n), d(n)
    integer :: i
    do i = 1, n
        a(i) = b(i) + c(i) * d(i)
    end do
end subroutine
`,
};

export const AARCH64 = `// a[i] = b[i] + c[i] * d[i]
.L4:
    ldr     q0, [x1, x4]
    ldr     q1, [x2, x4]
    ldr     q2, [x3, x4]
    fmla    v0.2d, v1.2d, v2.2d
    str     q0, [x0, x4]
    add     x4, x4, 16
    cmp     x4, x5
    bne     .L4
`;

export const RISCV = `# a[i] += b[i] * c[i]
.L4:
    vsetvli     a5, a3, e64, m1, ta, ma
    vle64.v     v1, (a1)
    vle64.v     v2, (a2)
    vle64.v     v3, (a0)
    vfmacc.vv   v3, v1, v2
    vse64.v     v3, (a0)
    slli        a4, a5, 3
    add         a0, a0, a4
    add         a1, a1, a4
    add         a2, a2, a4
    sub         a3, a3, a5
    bnez        a3, .L4
`;

export function exampleOf(language: Language, isa: string): string {
  if (language !== "asm") return EXAMPLES[language];
  return isa === "aarch64" ? AARCH64 : isa === "riscv64" ? RISCV : EXAMPLES.asm;
}

export function isExample(code: string): boolean {
  return code.trim() === "" || [...Object.values(EXAMPLES), AARCH64, RISCV].includes(code);
}
