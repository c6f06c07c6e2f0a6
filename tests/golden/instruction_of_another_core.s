# corecast: --cpu zen3
# The core has no AVX-512: no forecast, and the message names the line and the extension.
	.text
.L2:
	vmovupd	(%rdi,%rax), %zmm1
	vmovupd	%zmm1, (%rsi,%rax)
	addq	$64, %rax
	cmpq	%rdx, %rax
	jne	.L2
