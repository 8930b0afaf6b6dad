;; Finds words, numbers and blanks among 64 bytes, for lines.wat.
(module
  (import "env" "memory" (memory 1))

  ;; Stores sets of the 64 bytes from $at on, as bits of 64-bit numbers, from 0x1800 on: words; words with digits; bytes
  ;; that may continue a number; blanks; likely timestamps. A word that reaches the last byte may continue after it, so
  ;; the sets are not final for it.
  (func (export "look") (param $at i32)
    (local $n i32) (local $v v128) (local $d v128) (local $l v128)
    (local $words i64) (local $digits i64) (local $numbers i64) (local $numeric i64) (local $blanks i64)
    (local $high i64) (local $hex i64) (local $colons i64) (local $times i64) (local $set i64) (local $bits i64)
    (local.set $n (i32.const 48))
    (loop $by16
      (local.set $v (v128.load (i32.add (local.get $at) (local.get $n))))
      (local.set $d (i8x16.lt_u
        (i8x16.sub (local.get $v) (i8x16.splat (i32.const 0x30))) (i8x16.splat (i32.const 10))))
      (local.set $digits (i64.or
        (i64.shl (local.get $digits) (i64.const 16)) (i64.extend_i32_u (i8x16.bitmask (local.get $d)))))
      (local.set $l (i8x16.sub
        (v128.or (local.get $v) (i8x16.splat (i32.const 0x20))) (i8x16.splat (i32.const 0x61))))
      (local.set $words (i64.or
        (i64.shl (local.get $words) (i64.const 16))
        (i64.extend_i32_u (i8x16.bitmask (v128.or
          (v128.or (local.get $d) (local.get $v))
          (v128.or
            (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x5f)))
            (i8x16.lt_u (local.get $l) (i8x16.splat (i32.const 26)))))))))
      (local.set $high (i64.or
        (i64.shl (local.get $high) (i64.const 16)) (i64.extend_i32_u (i8x16.bitmask (local.get $v)))))
      (local.set $hex (i64.or
        (i64.shl (local.get $hex) (i64.const 16))
        (i64.extend_i32_u (i8x16.bitmask (i8x16.lt_u (local.get $l) (i8x16.splat (i32.const 6)))))))
      (local.set $d (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x3a))))
      (local.set $colons (i64.or
        (i64.shl (local.get $colons) (i64.const 16)) (i64.extend_i32_u (i8x16.bitmask (local.get $d)))))
      (local.set $l (v128.or
        (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x20)))
        (i8x16.eq (local.get $v) (i8x16.splat (i32.const 9)))))
      (local.set $blanks (i64.or
        (i64.shl (local.get $blanks) (i64.const 16)) (i64.extend_i32_u (i8x16.bitmask (local.get $l)))))
      ;; Also + , - and . but not /, which may make a path.
      (local.set $numeric (i64.or
        (i64.shl (local.get $numeric) (i64.const 16))
        (i64.extend_i32_u (i8x16.bitmask (v128.or
          (v128.or (local.get $d) (local.get $l))
          (i8x16.lt_u
            (i8x16.sub (local.get $v) (i8x16.splat (i32.const 0x2b))) (i8x16.splat (i32.const 4))))))))
      (local.set $n (i32.sub (local.get $n) (i32.const 16)))
      (br_if $by16 (i32.ge_s (local.get $n) (i32.const 0))))
    ;; Spread digits to the starts of their words, then from there over the words: the sum's carry clears a word.
    (local.set $bits (local.get $digits))
    (local.set $set (local.get $words))
    (local.set $bits (i64.or (local.get $bits) (i64.and (local.get $set) (i64.shr_u (local.get $bits) (i64.const 1)))))
    (local.set $set (i64.and (local.get $set) (i64.shr_u (local.get $set) (i64.const 1))))
    (local.set $bits (i64.or (local.get $bits) (i64.and (local.get $set) (i64.shr_u (local.get $bits) (i64.const 2)))))
    (local.set $set (i64.and (local.get $set) (i64.shr_u (local.get $set) (i64.const 2))))
    (local.set $bits (i64.or (local.get $bits) (i64.and (local.get $set) (i64.shr_u (local.get $bits) (i64.const 4)))))
    (local.set $set (i64.and (local.get $set) (i64.shr_u (local.get $set) (i64.const 4))))
    (local.set $times (i64.and (local.get $set) (i64.shr_u (local.get $words) (i64.const 9))))
    (local.set $bits (i64.or (local.get $bits) (i64.and (local.get $set) (i64.shr_u (local.get $bits) (i64.const 8)))))
    (local.set $set (i64.and (local.get $set) (i64.shr_u (local.get $set) (i64.const 8))))
    (local.set $bits (i64.or (local.get $bits) (i64.and (local.get $set) (i64.shr_u (local.get $bits) (i64.const 16)))))
    (local.set $set (i64.and (local.get $set) (i64.shr_u (local.get $set) (i64.const 16))))
    (local.set $bits (i64.or (local.get $bits) (i64.and (local.get $set) (i64.shr_u (local.get $bits) (i64.const 32)))))
    (local.set $set (i64.and (local.get $words) (i64.xor (i64.const -1) (i64.shl (local.get $words) (i64.const 1)))))
    (local.set $numbers (i64.and (local.get $words) (i64.xor (i64.const -1)
      (i64.add (local.get $words) (i64.and (local.get $set) (local.get $bits))))))
    ;; A word that begins beyond ASCII may be quoted.
    (local.set $high (i64.xor (i64.const -1) (i64.and (local.get $set) (local.get $high))))
    ;; Words of two hexadecimal letters may be parts of a number.
    (local.set $hex (i64.and
      (i64.and (i64.and (local.get $set) (local.get $hex)) (i64.shr_u (local.get $hex) (i64.const 1)))
      (i64.xor (i64.const -1) (i64.shr_u (local.get $words) (i64.const 2)))))
    (local.set $numeric (i64.and (local.get $high) (i64.or
      (i64.or (local.get $numeric) (local.get $numbers))
      (i64.or (local.get $hex) (i64.shl (local.get $hex) (i64.const 1))))))
    (local.set $times (i64.or (local.get $times) (i64.and (local.get $colons) (i64.and
      (i64.shr_u (local.get $digits) (i64.const 1)) (i64.shr_u (local.get $digits) (i64.const 2))))))
    (i64.store offset=0x1800 (i32.const 0) (local.get $words))
    (i64.store offset=0x1808 (i32.const 0) (local.get $numbers))
    (i64.store offset=0x1810 (i32.const 0) (local.get $numeric))
    (i64.store offset=0x1818 (i32.const 0) (local.get $blanks))
    (i64.store offset=0x1820 (i32.const 0) (local.get $times))))
