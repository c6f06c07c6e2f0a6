# corecast: --cpu haswell
# Lines that are no instruction end the analysis: what is wrong with each, and how to go on.
	.text
.L2:
	vfmaddd231pd	%ymm0, %ymm1, %ymm2
	vaddpd	%eax, %ymm0, %ymm1
	addq	$32, %rax
	jne	.L2
