# corecast: --cpu haswell
# Instructions that the core does not have: named with the nearest known forms, counted like them where one is near enough.
	.text
.L2:
	vaddpd	(%rdi,%rax), %zmm1, %zmm0
	vpdpbusd	%ymm3, %ymm4, %ymm5
	vmovupd	%ymm0, (%rsi,%rax)
	addq	$64, %rax
	cmpq	%rdx, %rax
	jne	.L2
