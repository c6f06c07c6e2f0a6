	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0_zmmul1p0_zba1p0_zbb1p0"
	.file	"loops.c"
	.globl	daxpy                           # -- Begin function daxpy
	.p2align	1
	.type	daxpy,@function
daxpy:                                  # @daxpy
# %bb.0:
	blez	a0, .LBB0_3
# %bb.1:
	sh3add	a0, a0, a1
.LBB0_2:                                # =>This Inner Loop Header: Depth=1
	fld	fa5, 0(a2)
	fld	fa4, 0(a1)
	fmadd.d	fa5, fa0, fa5, fa4
	fsd	fa5, 0(a1)
	addi	a1, a1, 8
	addi	a2, a2, 8
	bne	a1, a0, .LBB0_2
.LBB0_3:
	ret
.Lfunc_end0:
	.size	daxpy, .Lfunc_end0-daxpy
                                        # -- End function
	.globl	gather                          # -- Begin function gather
	.p2align	1
	.type	gather,@function
gather:                                 # @gather
# %bb.0:
	blez	a0, .LBB1_4
# %bb.1:
	sh2add	a0, a0, a2
	fmv.d.x	fa0, zero
.LBB1_2:                                # =>This Inner Loop Header: Depth=1
	lw	a3, 0(a2)
	sh3add	a3, a3, a1
	fld	fa5, 0(a3)
	addi	a2, a2, 4
	fadd.d	fa0, fa0, fa5
	bne	a2, a0, .LBB1_2
# %bb.3:
	ret
.LBB1_4:
	fmv.d.x	fa0, zero
	ret
.Lfunc_end1:
	.size	gather, .Lfunc_end1-gather
                                        # -- End function
	.globl	largest                         # -- Begin function largest
	.p2align	1
	.type	largest,@function
largest:                                # @largest
# %bb.0:
	lw	a2, 0(a1)
	li	a3, 2
	blt	a0, a3, .LBB2_3
# %bb.1:
	addi	a3, a1, 4
	sh2add	a0, a0, a1
.LBB2_2:                                # =>This Inner Loop Header: Depth=1
	lw	a1, 0(a3)
	addi	a3, a3, 4
	max	a2, a1, a2
	bne	a3, a0, .LBB2_2
.LBB2_3:
	mv	a0, a2
	ret
.Lfunc_end2:
	.size	largest, .Lfunc_end2-largest
                                        # -- End function
	.globl	widen                           # -- Begin function widen
	.p2align	1
	.type	widen,@function
widen:                                  # @widen
# %bb.0:
	blez	a0, .LBB3_3
# %bb.1:
	sh3add	a6, a0, a1
.LBB3_2:                                # =>This Inner Loop Header: Depth=1
	lh	a4, 0(a2)
	lbu	a5, 0(a3)
	ld	a0, 0(a1)
	mul	a4, a5, a4
	srai	a0, a0, 3
	add	a0, a0, a4
	sd	a0, 0(a1)
	addi	a1, a1, 8
	addi	a3, a3, 1
	addi	a2, a2, 2
	bne	a1, a6, .LBB3_2
.LBB3_3:
	ret
.Lfunc_end3:
	.size	widen, .Lfunc_end3-widen
                                        # -- End function
	.globl	divide                          # -- Begin function divide
	.p2align	1
	.type	divide,@function
divide:                                 # @divide
# %bb.0:
	blez	a0, .LBB4_6
# %bb.1:
	sh2add	a0, a0, a1
	fmv.w.x	fa5, zero
	j	.LBB4_4
.LBB4_2:                                #   in Loop: Header=BB4_4 Depth=1
	fdiv.s	fa4, fa3, fa4
.LBB4_3:                                #   in Loop: Header=BB4_4 Depth=1
	fsw	fa4, 0(a1)
	addi	a1, a1, 4
	addi	a2, a2, 4
	beq	a1, a0, .LBB4_6
.LBB4_4:                                # =>This Inner Loop Header: Depth=1
	flw	fa4, 0(a2)
	flw	fa3, 0(a1)
	flt.s	a3, fa5, fa4
	bnez	a3, .LBB4_2
# %bb.5:                                #   in Loop: Header=BB4_4 Depth=1
	fneg.s	fa4, fa3
	j	.LBB4_3
.LBB4_6:
	ret
.Lfunc_end4:
	.size	divide, .Lfunc_end4-divide
                                        # -- End function
	.globl	chase                           # -- Begin function chase
	.p2align	1
	.type	chase,@function
chase:                                  # @chase
# %bb.0:
	li	a2, 0
	blez	a0, .LBB5_2
.LBB5_1:                                # =>This Inner Loop Header: Depth=1
	sh3add	a2, a2, a1
	ld	a2, 0(a2)
	addi	a0, a0, -1
	bnez	a0, .LBB5_1
.LBB5_2:
	mv	a0, a2
	ret
.Lfunc_end5:
	.size	chase, .Lfunc_end5-chase
                                        # -- End function
	.section	".note.GNU-stack","",@progbits
	.addrsig
