	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zba1p0_zbb1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvl128b1p0_zvl32b1p0_zvl64b1p0"
	.file	"loops.c"
	.globl	daxpy                           # -- Begin function daxpy
	.p2align	1
	.type	daxpy,@function
daxpy:                                  # @daxpy
# %bb.0:
	blez	a0, .LBB0_8
# %bb.1:
	csrr	t0, vlenb
	srli	a7, t0, 2
	bgeu	a0, a7, .LBB0_3
# %bb.2:
	li	a6, 0
	j	.LBB0_6
.LBB0_3:
	neg	a3, a7
	and	a6, a3, a0
	slli	t0, t0, 1
	mv	t1, a6
	mv	a5, a1
	mv	a4, a2
	vsetvli	a3, zero, e64, m2, ta, ma
.LBB0_4:                                # =>This Inner Loop Header: Depth=1
	vl2re64.v	v8, (a4)
	vl2re64.v	v10, (a5)
	vfmacc.vf	v10, fa0, v8
	vs2r.v	v10, (a5)
	add	a4, a4, t0
	sub	t1, t1, a7
	add	a5, a5, t0
	bnez	t1, .LBB0_4
# %bb.5:
	beq	a6, a0, .LBB0_8
.LBB0_6:
	sub	a0, a0, a6
	sh3add	a1, a6, a1
	sh3add	a2, a6, a2
.LBB0_7:                                # =>This Inner Loop Header: Depth=1
	fld	fa5, 0(a2)
	fld	fa4, 0(a1)
	fmadd.d	fa5, fa5, fa0, fa4
	fsd	fa5, 0(a1)
	addi	a0, a0, -1
	addi	a1, a1, 8
	addi	a2, a2, 8
	bnez	a0, .LBB0_7
.LBB0_8:
	ret
.Lfunc_end0:
	.size	daxpy, .Lfunc_end0-daxpy
                                        # -- End function
	.globl	gather                          # -- Begin function gather
	.p2align	1
	.type	gather,@function
gather:                                 # @gather
# %bb.0:
	blez	a0, .LBB1_3
# %bb.1:
	csrr	a7, vlenb
	srli	a5, a7, 2
	bgeu	a0, a5, .LBB1_4
# %bb.2:
	li	a6, 0
	fmv.d.x	fa0, zero
	j	.LBB1_7
.LBB1_3:
	fmv.d.x	fa0, zero
	ret
.LBB1_4:
	neg	a3, a5
	and	a6, a3, a0
	vsetvli	a3, zero, e64, m2, ta, ma
	vmv.v.i	v8, 0
	mv	a3, a6
	mv	a4, a2
.LBB1_5:                                # =>This Inner Loop Header: Depth=1
	vl1re32.v	v10, (a4)
	vsext.vf2	v12, v10
	vsll.vi	v10, v12, 3
	vluxei64.v	v10, (a1), v10
	vfadd.vv	v8, v10, v8
	sub	a3, a3, a5
	add	a4, a4, a7
	bnez	a3, .LBB1_5
# %bb.6:
	vmv.s.x	v10, zero
	vfredusum.vs	v8, v8, v10
	vfmv.f.s	fa0, v8
	beq	a6, a0, .LBB1_9
.LBB1_7:
	sub	a0, a0, a6
	sh2add	a2, a6, a2
.LBB1_8:                                # =>This Inner Loop Header: Depth=1
	lw	a3, 0(a2)
	sh3add	a3, a3, a1
	fld	fa5, 0(a3)
	fadd.d	fa0, fa5, fa0
	addi	a0, a0, -1
	addi	a2, a2, 4
	bnez	a0, .LBB1_8
.LBB1_9:
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
	blt	a0, a3, .LBB2_7
# %bb.1:
	addi	t0, a0, -1
	csrr	a3, vlenb
	srli	a5, a3, 1
	li	a7, 1
	bltu	t0, a5, .LBB2_5
# %bb.2:
	neg	a4, a5
	and	a6, t0, a4
	addi	a7, a6, 1
	vsetvli	a4, zero, e32, m2, ta, ma
	vmv.v.x	v8, a2
	addi	a2, a1, 4
	slli	a3, a3, 1
	mv	a4, a6
.LBB2_3:                                # =>This Inner Loop Header: Depth=1
	vl2re32.v	v10, (a2)
	vmax.vv	v8, v10, v8
	sub	a4, a4, a5
	add	a2, a2, a3
	bnez	a4, .LBB2_3
# %bb.4:
	vredmax.vs	v8, v8, v8
	vmv.x.s	a2, v8
	beq	t0, a6, .LBB2_7
.LBB2_5:
	sub	a0, a0, a7
	sh2add	a1, a7, a1
.LBB2_6:                                # =>This Inner Loop Header: Depth=1
	lw	a3, 0(a1)
	max	a2, a3, a2
	addi	a0, a0, -1
	addi	a1, a1, 4
	bnez	a0, .LBB2_6
.LBB2_7:
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
	blez	a0, .LBB3_8
# %bb.1:
	csrr	t0, vlenb
	srli	t1, t0, 2
	bgeu	a0, t1, .LBB3_3
# %bb.2:
	li	a6, 0
	j	.LBB3_6
.LBB3_3:
	srli	a4, t0, 3
	neg	a5, t1
	and	a6, a5, a0
	srli	a7, t0, 1
	slli	t0, t0, 1
	sub	a5, a6, t1
	divu	a5, a5, t1
	slli	a5, a5, 1
	addi	a5, a5, 2
	mul	t2, a5, a4
	add	t2, t2, a3
	mv	t4, a1
	mv	a4, a3
	mv	t3, a2
	vsetvli	a5, zero, e32, m1, ta, ma
.LBB3_4:                                # =>This Inner Loop Header: Depth=1
	vle16.v	v8, (t3)
	vle8.v	v9, (a4)
	vl2re64.v	v10, (t4)
	vsext.vf2	v12, v8
	vzext.vf4	v8, v9
	vsetvli	zero, zero, e64, m2, ta, ma
	vsra.vi	v10, v10, 3
	vsetvli	zero, zero, e32, m1, ta, ma
	vwmaccsu.vv	v10, v12, v8
	vs2r.v	v10, (t4)
	add	t3, t3, a7
	add	a4, a4, t1
	add	t4, t4, t0
	bne	a4, t2, .LBB3_4
# %bb.5:
	beq	a6, a0, .LBB3_8
.LBB3_6:
	sh3add	a1, a6, a1
	add	a4, a3, a6
	sh1add	a2, a6, a2
	add	a6, a3, a0
.LBB3_7:                                # =>This Inner Loop Header: Depth=1
	lh	a3, 0(a2)
	lbu	a5, 0(a4)
	ld	a0, 0(a1)
	mul	a3, a5, a3
	srai	a0, a0, 3
	add	a0, a0, a3
	sd	a0, 0(a1)
	addi	a1, a1, 8
	addi	a4, a4, 1
	addi	a2, a2, 2
	bne	a4, a6, .LBB3_7
.LBB3_8:
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
	csrr	t0, vlenb
	srli	a7, t0, 1
	bgeu	a0, a7, .LBB4_3
# %bb.2:
	li	a6, 0
	j	.LBB4_7
.LBB4_3:
	neg	a3, a7
	and	a6, a3, a0
	slli	t0, t0, 1
	fmv.w.x	fa5, zero
	mv	t1, a6
	mv	a5, a1
	mv	a4, a2
	vsetvli	a3, zero, e32, m2, ta, mu
.LBB4_4:                                # =>This Inner Loop Header: Depth=1
	vl2re32.v	v8, (a4)
	vl2re32.v	v10, (a5)
	vmfle.vf	v0, v8, fa5
	vfdiv.vv	v8, v10, v8
	vfneg.v	v8, v10, v0.t
	vs2r.v	v8, (a5)
	add	a4, a4, t0
	sub	t1, t1, a7
	add	a5, a5, t0
	bnez	t1, .LBB4_4
# %bb.5:
	bne	a6, a0, .LBB4_7
.LBB4_6:
	ret
.LBB4_7:
	sub	a0, a0, a6
	sh2add	a1, a6, a1
	sh2add	a2, a6, a2
	fmv.w.x	fa5, zero
	j	.LBB4_10
.LBB4_8:                                #   in Loop: Header=BB4_10 Depth=1
	fneg.s	fa4, fa3
.LBB4_9:                                #   in Loop: Header=BB4_10 Depth=1
	fsw	fa4, 0(a1)
	addi	a0, a0, -1
	addi	a1, a1, 4
	addi	a2, a2, 4
	beqz	a0, .LBB4_6
.LBB4_10:                               # =>This Inner Loop Header: Depth=1
	flw	fa4, 0(a2)
	flw	fa3, 0(a1)
	fle.s	a3, fa4, fa5
	bnez	a3, .LBB4_8
# %bb.11:                               #   in Loop: Header=BB4_10 Depth=1
	fdiv.s	fa4, fa3, fa4
	j	.LBB4_9
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
