# corecast: --cpu skylake
# gcc -O1 keeps the sum on the stack: the chain goes through the store and the next iteration's load.
	.text
.L2:
	vxorpd	%xmm0, %xmm0, %xmm0
	vcvtsi2sd	%eax, %xmm0, %xmm0
	vaddsd	%xmm4, %xmm0, %xmm0
	vmulsd	%xmm3, %xmm0, %xmm0
	vmulsd	%xmm0, %xmm0, %xmm0
	vaddsd	%xmm2, %xmm0, %xmm0
	vdivsd	%xmm0, %xmm1, %xmm0
	vaddsd	(%rsp), %xmm0, %xmm5
	vmovsd	%xmm5, (%rsp)
	addl	$1, %eax
	cmpl	$1000000000, %eax
	jne	.L2
