# corecast: --cpu zen4
# clang 19 -O2 -march=znver4 -fno-unroll-loops: vectorized loops and their scalar remainders, all innermost.
	.text
	.file	"source.c"
	.globl	scale                           # -- Begin function scale
	.p2align	4, 0x90
	.type	scale,@function
scale:                                  # @scale
# %bb.0:
	testq	%rdx, %rdx
	jle	.LBB0_7
# %bb.1:
	cmpq	$7, %rdx
	ja	.LBB0_3
# %bb.2:
	xorl	%eax, %eax
	jmp	.LBB0_6
.LBB0_3:
	movabsq	$9223372036854775800, %rax      # imm = 0x7FFFFFFFFFFFFFF8
	vbroadcastsd	%xmm0, %zmm1
	xorl	%ecx, %ecx
	andq	%rdx, %rax
	.p2align	4, 0x90
.LBB0_4:                                # =>This Inner Loop Header: Depth=1
	vmulpd	(%rsi,%rcx,8), %zmm1, %zmm2
	vmovupd	%zmm2, (%rdi,%rcx,8)
	addq	$8, %rcx
	cmpq	%rcx, %rax
	jne	.LBB0_4
# %bb.5:
	cmpq	%rdx, %rax
	je	.LBB0_7
	.p2align	4, 0x90
.LBB0_6:                                # =>This Inner Loop Header: Depth=1
	vmulsd	(%rsi,%rax,8), %xmm0, %xmm1
	vmovsd	%xmm1, (%rdi,%rax,8)
	incq	%rax
	cmpq	%rax, %rdx
	jne	.LBB0_6
.LBB0_7:
	vzeroupper
	retq
.Lfunc_end0:
	.size	scale, .Lfunc_end0-scale
                                        # -- End function
	.section	.rodata.cst16,"aM",@progbits,16
	.p2align	4, 0x0                          # -- Begin function count
.LCPI1_0:
	.byte	10                              # 0xa
	.byte	10                              # 0xa
	.byte	10                              # 0xa
	.byte	10                              # 0xa
	.byte	10                              # 0xa
	.byte	10                              # 0xa
	.byte	10                              # 0xa
	.byte	10                              # 0xa
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.section	.rodata,"a",@progbits
.LCPI1_1:
	.byte	10                              # 0xa
	.text
	.globl	count
	.p2align	4, 0x90
	.type	count,@function
count:                                  # @count
# %bb.0:
	testq	%rsi, %rsi
	jle	.LBB1_1
# %bb.3:
	cmpq	$7, %rsi
	ja	.LBB1_5
# %bb.4:
	xorl	%ecx, %ecx
	xorl	%eax, %eax
	jmp	.LBB1_8
.LBB1_1:
	xorl	%eax, %eax
	retq
.LBB1_5:
	vpbroadcastb	.LCPI1_1(%rip), %xmm1   # xmm1 = [10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10]
	movabsq	$9223372036854775800, %rcx      # imm = 0x7FFFFFFFFFFFFFF8
	vpxor	%xmm0, %xmm0, %xmm0
	xorl	%eax, %eax
	andq	%rsi, %rcx
	.p2align	4, 0x90
.LBB1_6:                                # =>This Inner Loop Header: Depth=1
	vmovq	(%rdi,%rax), %xmm2              # xmm2 = mem[0],zero
	addq	$8, %rax
	vpcmpeqb	%xmm1, %xmm2, %k0
	vpmovm2q	%k0, %zmm2
	vpsubq	%zmm2, %zmm0, %zmm0
	cmpq	%rax, %rcx
	jne	.LBB1_6
# %bb.7:
	vextracti64x4	$1, %zmm0, %ymm1
	vpaddq	%zmm1, %zmm0, %zmm0
	vextracti128	$1, %ymm0, %xmm1
	vpaddq	%xmm1, %xmm0, %xmm0
	vpshufd	$238, %xmm0, %xmm1              # xmm1 = xmm0[2,3,2,3]
	vpaddq	%xmm1, %xmm0, %xmm0
	vmovq	%xmm0, %rax
	cmpq	%rsi, %rcx
	je	.LBB1_2
	.p2align	4, 0x90
.LBB1_8:                                # =>This Inner Loop Header: Depth=1
	xorl	%edx, %edx
	cmpb	$10, (%rdi,%rcx)
	sete	%dl
	incq	%rcx
	addq	%rdx, %rax
	cmpq	%rcx, %rsi
	jne	.LBB1_8
.LBB1_2:
	vzeroupper
	retq
.Lfunc_end1:
	.size	count, .Lfunc_end1-count
                                        # -- End function
	.globl	length                          # -- Begin function length
	.p2align	4, 0x90
	.type	length,@function
length:                                 # @length
# %bb.0:
	vxorpd	%xmm1, %xmm1, %xmm1
	vxorps	%xmm0, %xmm0, %xmm0
	testq	%rsi, %rsi
	jle	.LBB2_3
# %bb.1:
	xorl	%eax, %eax
	.p2align	4, 0x90
.LBB2_2:                                # =>This Inner Loop Header: Depth=1
	vmovss	(%rdi,%rax,4), %xmm2            # xmm2 = mem[0],zero,zero,zero
	incq	%rax
	vcvtss2sd	%xmm2, %xmm2, %xmm2
	vfmadd231sd	%xmm2, %xmm2, %xmm0     # xmm0 = (xmm2 * xmm2) + xmm0
	cmpq	%rax, %rsi
	jne	.LBB2_2
.LBB2_3:
	vucomisd	%xmm1, %xmm0
	jb	sqrt@PLT                        # TAILCALL
# %bb.4:
	vsqrtsd	%xmm0, %xmm0, %xmm0
	retq
.Lfunc_end2:
	.size	length, .Lfunc_end2-length
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
