# corecast: --cpu cascade_lake
# Regions of llvm-mca may nest and overlap as long as their names differ; each is analyzed by itself.
	.text
kernel:
# LLVM-MCA-BEGIN all
	vmovapd	(%rdi), %ymm0
# LLVM-MCA-BEGIN multiply
	vmulpd	(%rsi), %ymm0, %ymm1
# LLVM-MCA-BEGIN add
	vmulpd	%ymm1, %ymm1, %ymm1
# LLVM-MCA-END multiply
	vaddpd	%ymm1, %ymm2, %ymm2
# LLVM-MCA-END add
	vmovapd	%ymm1, (%rdx)
# LLVM-MCA-END all
	ret
