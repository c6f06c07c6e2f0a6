# corecast: --machine machines/toy_x86 --unknown error --lines 5-6
# Who wants no guess gets an error that names file, line and form.
	.text
f:
	vsubsd	%xmm1, %xmm0, %xmm0
	addq	$1, %rax
