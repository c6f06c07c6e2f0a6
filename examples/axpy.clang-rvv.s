	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zifencei2p0_zmmul1p0_zve32f1p0_zve32x1p0_zve64d1p0_zve64f1p0_zve64x1p0_zvl128b1p0_zvl32b1p0_zvl64b1p0"
	.file	"axpy.c"
	.globl	axpy                            # -- Begin function axpy
	.p2align	1
	.type	axpy,@function
axpy:                                   # @axpy
	.cfi_startproc
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
	vsetvli	a3, zero, e64, m2, ta, ma
	vfmv.v.f	v8, fa0
	slli	t0, t0, 1
	mv	a3, a6
	mv	a5, a0
	mv	a4, a1
.LBB0_4:                                # =>This Inner Loop Header: Depth=1
	vl2re64.v	v10, (a4)
	vl2re64.v	v12, (a5)
	vfmacc.vv	v12, v8, v10
	vs2r.v	v12, (a5)
	add	a4, a4, t0
	sub	a3, a3, a7
	add	a5, a5, t0
	bnez	a3, .LBB0_4
# %bb.5:
	beq	a6, a2, .LBB0_8
.LBB0_6:
	sub	a2, a2, a6
	slli	a6, a6, 3
	add	a0, a0, a6
	add	a1, a1, a6
.LBB0_7:                                # =>This Inner Loop Header: Depth=1
	fld	fa5, 0(a1)
	fld	fa4, 0(a0)
	fmadd.d	fa5, fa0, fa5, fa4
	fsd	fa5, 0(a0)
	addi	a2, a2, -1
	addi	a0, a0, 8
	addi	a1, a1, 8
	bnez	a2, .LBB0_7
.LBB0_8:
	ret
.Lfunc_end0:
	.size	axpy, .Lfunc_end0-axpy
	.cfi_endproc
                                        # -- End function
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
