# corecast: --cpu zen4 --method bounds
# A fill of 800 bytes by bounds: its count is known (45.0 cycles an iteration, measured). A comparison may end early.
.loop:
	leaq	(%r8), %rsi
	leaq	(%r9), %rdi
	movl	$100, %ecx
	rep stosq
	movl	$8, %ecx
	repe cmpsl
	decq	%r10
	jnz	.loop
