# corecast: --machine machines/toy_x86 --ports uniform --lines 5-9
# With uniform shares every allowed port gets the same part of a micro-op, whatever else runs there.
	.text
f:
	vdivsd	%xmm2, %xmm3, %xmm4
	vaddsd	%xmm4, %xmm5, %xmm6
	vmulsd	%xmm4, %xmm5, %xmm7
	addq	$1, %rax
	jne	f
