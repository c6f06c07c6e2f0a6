# pointer_increment=32 55dccb6d37868ec8079727f0509d3ec1
.L5:
	vmovupd	(%rdx,%rax), %ymm1
	vmulpd	(%rcx,%rax), %ymm1, %ymm0
	vaddpd	(%rsi,%rax), %ymm0, %ymm0
	vmovupd	%ymm0, (%rdi,%rax)
	addq	$32, %rax
	cmpq	%r9, %rax
	jne	.L5
