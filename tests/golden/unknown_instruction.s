# corecast: --machine machines/toy_x86 --unknown skip --lines 5-8
# An illegal line is told first, with its share, and is never counted as zero in silence.
	.text
	.globl f
.L2:
	vnosuchpd	%ymm0, %ymm1, %ymm2
	addq	$1, %rax
	jne	.L2
