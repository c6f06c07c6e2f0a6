# Reasons of stalls add up; a timeline from the first iteration on.
# corecast: --cpu skylake_x --timeline 2 --timeline-from 0
.L1:
  vmovsd (%rsi,%rax,8), %xmm1
  vfmadd231sd (%rdi,%rax,8), %xmm1, %xmm0
  vdivsd %xmm2, %xmm1, %xmm3
  vmovsd %xmm3, (%rdx,%rax,8)
  movq %rax, %rbx
  addq $1, %rax
  cmpq %rcx, %rax
  jne .L1
