# corecast: --cpu zen4
# A copy of 64 bytes: its count is known, so it costs what 64 repetitions do.
.loop:
	leaq (%r8), %rsi
	leaq (%r9), %rdi
	movl $64, %ecx
	rep movsb
	decq %r10
	jnz .loop
