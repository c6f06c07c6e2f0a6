# Ranked stalls, counters and events of one iteration.
# corecast: --cpu skylake_x --timeline 1 --timeline-from 0 --format json
.L1:
  imulq %rbx, %rax
  addq %rax, (%rdi)
  decq %rcx
  jne .L1
