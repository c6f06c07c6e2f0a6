	.file	"sample.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.globl	daxpy
	.type	daxpy, @function
daxpy:
	ble	a2,zero,.L1
	slli	a2,a2,3
	add	a5,a0,a2
.L3:
	fld	fa4,0(a0)
	fld	fa5,0(a1)
	addi	a0,a0,8
	addi	a1,a1,8
	fmadd.d	fa5,fa5,fa0,fa4
	fsd	fa5,-8(a0)
	bne	a0,a5,.L3
.L1:
	ret
	.size	daxpy, .-daxpy
	.align	1
	.globl	nested
	.type	nested, @function
nested:
	ble	a1,zero,.L12
	fmv.d.x	fa0,zero
	slli	a6,a2,3
	add	a4,a0,a6
	li	a3,0
.L8:
	sub	a5,a4,a6
	ble	a2,zero,.L11
.L9:
	fld	fa5,0(a5)
	addi	a5,a5,8
	fadd.d	fa0,fa0,fa5
	bne	a5,a4,.L9
.L11:
	addi	a3,a3,1
	add	a4,a4,a6
	bne	a1,a3,.L8
	ret
.L12:
	fmv.d.x	fa0,zero
	ret
	.size	nested, .-nested
	.align	1
	.globl	widen
	.type	widen, @function
widen:
	lui	a5,%tprel_hi(.LANCHOR0)
	add	a5,a5,tp,%tprel_add(.LANCHOR0)
	addi	a5,a5,%tprel_lo(.LANCHOR0)
	lw	a4,0(a5)
	ld	a3,.LANCHOR1
	mv	a5,a0
	add	a0,a4,a3
	ble	a2,zero,.L15
	slli	a2,a2,2
	add	a2,a5,a2
.L17:
	lw	a4,0(a5)
	lb	a3,0(a1)
	addi	a5,a5,4
	addi	a1,a1,1
	mul	a4,a4,a3
	add	a0,a0,a4
	bne	a2,a5,.L17
.L15:
	ret
	.size	widen, .-widen
	.align	1
	.globl	states
	.type	states, @function
states:
	ble	a1,zero,.L30
	slli	a1,a1,2
	add	a2,a0,a1
	mv	a4,a0
	li	a1,5
	li	a0,0
	lla	a3,.L23
.L29:
	lw	a5,0(a4)
	bgtu	a5,a1,.L21
	lwu	a5,0(a4)
	slli	a5,a5,2
	add	a5,a5,a3
	lw	a5,0(a5)
	add	a5,a5,a3
	jr	a5
	.section	.rodata
	.align	2
	.align	2
.L23:
	.word	.L21-.L23
	.word	.L27-.L23
	.word	.L26-.L23
	.word	.L25-.L23
	.word	.L24-.L23
	.word	.L22-.L23
	.text
.L22:
	slliw	a0,a0,2
.L28:
	addi	a4,a4,4
	bne	a4,a2,.L29
	ret
.L24:
	not	a0,a0
	j	.L28
.L25:
	lw	a5,4(a4)
	subw	a0,a0,a5
	j	.L28
.L26:
	xori	a0,a0,7
	j	.L28
.L27:
	slliw	a5,a0,1
	addw	a0,a5,a0
	j	.L28
.L21:
	addiw	a0,a0,1
	j	.L28
.L30:
	li	a0,0
	ret
	.size	states, .-states
	.align	1
	.globl	calls
	.type	calls, @function
calls:
	ble	a1,zero,.L37
	addi	sp,sp,-48
	sd	s0,32(sp)
	sd	s1,24(sp)
	sd	s2,16(sp)
	sd	s3,8(sp)
	sd	ra,40(sp)
	mv	s3,a1
	mv	s0,a0
	mv	s1,a2
	li	s2,0
.L34:
	fld	fa0,0(s0)
	addi	s0,s0,8
	addi	s2,s2,1
	call	work@plt
	ld	a5,0(s1)
	fsd	fa0,-8(s0)
	addi	s1,s1,8
	jalr	a5
	bne	s3,s2,.L34
	ld	ra,40(sp)
	ld	s0,32(sp)
	ld	s1,24(sp)
	ld	s2,16(sp)
	ld	s3,8(sp)
	addi	sp,sp,48
	jr	ra
.L37:
	ret
	.size	calls, .-calls
	.globl	per_thread
	.globl	offset
	.bss
	.align	3
	.set	.LANCHOR1,. + 0
	.type	offset, @object
	.size	offset, 8
offset:
	.zero	8
	.section	.tbss,"awT",@nobits
	.align	2
	.set	.LANCHOR0,. + 0
	.type	per_thread, @object
	.size	per_thread, 4
per_thread:
	.zero	4
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
