# corecast: --machine machines/toy_x86 --marker sweep
# A marker that is not there is an error that names those that are.
	.text
# LLVM-MCA-BEGIN copy
.L2:
	movq	(%rsi,%rax), %rcx
	movq	%rcx, (%rdi,%rax)
	addq	$8, %rax
	jne	.L2
# LLVM-MCA-END copy
