// Matrix times vector in 32-bit integers, as the Kunpeng 920 paper (section 7) studies it: once as the compiler leaves it, with one
// sum, and once with eight rows at a time, each with a sum of its own (its listings 7 and 12).
	.text
one_row:
.Lone:
	ldr	q2, [x0, x2]
	ldr	q1, [x1, x0]
	add	x0, x0, #16
	cmp	x0, x3
	mla	v0.4s, v2.4s, v1.4s
	b.ne	.Lone
	ret
eight_rows:
.Leight:
	ldr	q0, [x0, x10]
	ldr	q24, [x8, x0]
	ldr	q23, [x7, x0]
	ldr	q22, [x6, x0]
	ldr	q21, [x5, x0]
	ldr	q20, [x4, x0]
	ldr	q19, [x3, x0]
	ldr	q18, [x2, x0]
	ldr	q17, [x1, x0]
	add	x0, x0, #16
	mla	v2.4s, v0.4s, v24.4s
	cmp	x0, x9
	mla	v3.4s, v0.4s, v23.4s
	mla	v4.4s, v0.4s, v22.4s
	mla	v5.4s, v0.4s, v21.4s
	mla	v6.4s, v0.4s, v20.4s
	mla	v7.4s, v0.4s, v19.4s
	mla	v16.4s, v0.4s, v18.4s
	mla	v1.4s, v0.4s, v17.4s
	b.ne	.Leight
	ret
