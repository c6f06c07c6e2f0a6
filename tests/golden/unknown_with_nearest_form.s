# corecast: --cpu haswell --set extensions.avx512f=true --set extensions.avx512vl=true --set extensions.avx512vnni=true
# Instructions without data: named with the nearest known forms, counted like them where one is near enough.
	.text
.L2:
	vaddpd	(%rdi,%rax), %zmm1, %zmm0
	vpdpbusd	%ymm3, %ymm4, %ymm5
	vmovupd	%ymm0, (%rsi,%rax)
	addq	$64, %rax
	cmpq	%rdx, %rax
	jne	.L2
