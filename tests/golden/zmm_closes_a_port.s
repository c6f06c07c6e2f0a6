# corecast: --cpu skylake_x
# While 512-bit micro-ops are in flight, port 1 takes no vector micro-op; masks and broadcasts are part of the form.
	.text
.L2:
	vmovupd	(%rsi,%rax), %zmm0{%k1}{z}
	vfmadd213pd	(%rdx){1to8}, %zmm1, %zmm0
	vaddpd	%zmm0, %zmm2, %zmm2{%k1}
	vpaddq	%ymm3, %ymm4, %ymm4
	addq	$64, %rax
	cmpq	%rcx, %rax
	jne	.L2
