# corecast: --cpu spacemit_x60
# clang 19 --target=riscv64 -O2 -march=rv64gcv: vector loops of a compiler.
	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvl128b1p0_zvl32b1p0_zvl64b1p0"
	.file	"source.c"
	.globl	scale                           # -- Begin function scale
	.p2align	1
	.type	scale,@function
scale:                                  # @scale
# %bb.0:
	blez	a2, .LBB0_8
# %bb.1:
	csrr	t0, vlenb
	srli	a7, t0, 2
	bgeu	a2, a7, .LBB0_3
# %bb.2:
	li	a6, 0
	j	.LBB0_6
.LBB0_3:
	neg	a3, a7
	and	a6, a3, a2
	slli	t0, t0, 1
	mv	t1, a6
	mv	a5, a0
	mv	a4, a1
	vsetvli	a3, zero, e64, m2, ta, ma
.LBB0_4:                                # =>This Inner Loop Header: Depth=1
	vl2re64.v	v8, (a4)
	vfmul.vf	v8, v8, fa0
	vs2r.v	v8, (a5)
	add	a4, a4, t0
	sub	t1, t1, a7
	add	a5, a5, t0
	bnez	t1, .LBB0_4
# %bb.5:
	beq	a6, a2, .LBB0_8
.LBB0_6:
	sub	a2, a2, a6
	slli	a6, a6, 3
	add	a0, a0, a6
	add	a1, a1, a6
.LBB0_7:                                # =>This Inner Loop Header: Depth=1
	fld	fa5, 0(a1)
	fmul.d	fa5, fa5, fa0
	fsd	fa5, 0(a0)
	addi	a2, a2, -1
	addi	a0, a0, 8
	addi	a1, a1, 8
	bnez	a2, .LBB0_7
.LBB0_8:
	ret
.Lfunc_end0:
	.size	scale, .Lfunc_end0-scale
                                        # -- End function
	.globl	count                           # -- Begin function count
	.p2align	1
	.type	count,@function
count:                                  # @count
# %bb.0:
	blez	a1, .LBB1_3
# %bb.1:
	csrr	a3, vlenb
	srli	a2, a3, 2
	bgeu	a1, a2, .LBB1_4
# %bb.2:
	li	a3, 0
	li	a2, 0
	j	.LBB1_7
.LBB1_3:
	li	a2, 0
	mv	a0, a2
	ret
.LBB1_4:
	srli	a4, a3, 3
	neg	a3, a2
	and	a3, a3, a1
	sub	a5, a3, a2
	divu	a5, a5, a2
	slli	a5, a5, 1
	addi	a5, a5, 2
	mul	a4, a5, a4
	add	a4, a4, a0
	vsetvli	a5, zero, e64, m2, ta, ma
	vmv.v.i	v8, 0
	mv	a5, a0
.LBB1_5:                                # =>This Inner Loop Header: Depth=1
	vsetvli	zero, zero, e8, mf4, ta, ma
	vle8.v	v10, (a5)
	vmseq.vi	v0, v10, 10
	add	a5, a5, a2
	vsetvli	zero, zero, e64, m2, ta, mu
	vadd.vi	v8, v8, 1, v0.t
	bne	a5, a4, .LBB1_5
# %bb.6:
	vmv.s.x	v10, zero
	vredsum.vs	v8, v8, v10
	vmv.x.s	a2, v8
	beq	a3, a1, .LBB1_9
.LBB1_7:
	add	a3, a3, a0
	add	a0, a0, a1
.LBB1_8:                                # =>This Inner Loop Header: Depth=1
	lbu	a1, 0(a3)
	addi	a1, a1, -10
	seqz	a1, a1
	addi	a3, a3, 1
	add	a2, a2, a1
	bne	a3, a0, .LBB1_8
.LBB1_9:
	mv	a0, a2
	ret
.Lfunc_end1:
	.size	count, .Lfunc_end1-count
                                        # -- End function
	.globl	length                          # -- Begin function length
	.p2align	1
	.type	length,@function
length:                                 # @length
# %bb.0:
	blez	a1, .LBB2_3
# %bb.1:
	csrr	a2, vlenb
	srli	a7, a2, 1
	bgeu	a1, a7, .LBB2_4
# %bb.2:
	li	a6, 0
	fmv.d.x	fa0, zero
	j	.LBB2_7
.LBB2_3:
	fmv.d.x	fa0, zero
	j	.LBB2_9
.LBB2_4:
	neg	a4, a7
	and	a6, a4, a1
	vsetvli	a4, zero, e64, m1, ta, ma
	vmv.s.x	v8, zero
	slli	a2, a2, 1
	mv	a5, a6
	mv	a4, a0
.LBB2_5:                                # =>This Inner Loop Header: Depth=1
	vl2re32.v	v10, (a4)
	vsetvli	a3, zero, e32, m2, ta, ma
	vfwcvt.f.f.v	v12, v10
	vsetvli	zero, zero, e64, m4, ta, ma
	vfmul.vv	v12, v12, v12
	vfredosum.vs	v8, v12, v8
	sub	a5, a5, a7
	add	a4, a4, a2
	bnez	a5, .LBB2_5
# %bb.6:
	vfmv.f.s	fa0, v8
	beq	a6, a1, .LBB2_9
.LBB2_7:
	sub	a1, a1, a6
	slli	a6, a6, 2
	add	a0, a0, a6
.LBB2_8:                                # =>This Inner Loop Header: Depth=1
	flw	fa5, 0(a0)
	fcvt.d.s	fa5, fa5
	fmadd.d	fa0, fa5, fa5, fa0
	addi	a1, a1, -1
	addi	a0, a0, 4
	bnez	a1, .LBB2_8
.LBB2_9:
	fsqrt.d	fa5, fa0
	feq.d	a0, fa5, fa5
	beqz	a0, .LBB2_11
# %bb.10:
	fmv.d	fa0, fa5
	ret
.LBB2_11:
	tail	sqrt
.Lfunc_end2:
	.size	length, .Lfunc_end2-length
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
