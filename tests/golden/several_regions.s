# corecast: --machine machines/toy_x86
# Every innermost loop is a region; an overview opens the report.
	.text
copy_then_scale:
	xorl	%eax, %eax
.L2:
	vmovsd	(%rsi,%rax), %xmm0
	vmovsd	%xmm0, (%rdi,%rax)
	addq	$8, %rax
	cmpq	%rdx, %rax
	jne	.L2
	xorl	%eax, %eax
.L3:
	vmovsd	(%rdi,%rax), %xmm0
	vmulsd	%xmm0, %xmm1, %xmm0
	vmovsd	%xmm0, (%rdi,%rax)
	addq	$8, %rax
	cmpq	%rdx, %rax
	jne	.L3
	ret
