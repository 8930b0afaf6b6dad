;; Finds the kinds of bytes in a block and counts its lines. A test compares it with scanner-plain.ts.
(module
  (import "env" "memory" (memory 1)) ;; laid out in memory.ts

  ;; Returns the kinds of bytes in [at, end), as bits: 1 not ASCII, 2 CR, 4 controls that a line's text leaves out or
  ;; applies; with 4, bit 2 may be missing. Adds line ends to `newlines`. Reads up to 65 bytes past the end; counts a
  ;; line end among the first 63 of them.
  (global $newlines (export "newlines") (mut i32) (i32.const 0))
  (func (export "classify") (param $at i32) (param $end i32) (result i32)
    (local $v v128) (local $next v128)
    (local $high v128) (local $cr v128) (local $control v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $stop i32)
    (local $n v128) (local $counts v128) (local $total v128) (local $rounds i32)
    (local $tab v128) (local $lf v128) (local $one v128) (local $first v128)
    (local.set $tab (i8x16.splat (i32.const 9)))
    (local.set $lf (i8x16.splat (i32.const 10)))
    (local.set $one (i8x16.splat (i32.const 1)))
    (local.set $first (i8x16.splat (i32.const 33)))
    (block $done
      (loop $by64
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $a (v128.load (local.get $at)))
        (local.set $b (v128.load offset=16 (local.get $at)))
        (local.set $c (v128.load offset=32 (local.get $at)))
        (local.set $d (v128.load offset=48 (local.get $at)))
        ;; As a signed number, a byte plus one is at least 33 only for printable ASCII. Line ends (-1 where equal)
        ;; and tabs are fine too; no byte is both.
        (local.set $n (i8x16.eq (local.get $a) (local.get $lf)))
        (local.set $counts (i8x16.sub (local.get $counts) (local.get $n)))
        (local.set $v (v128.xor (v128.xor
          (i8x16.lt_s (i8x16.add (local.get $a) (local.get $one)) (local.get $first)) (local.get $n))
          (i8x16.eq (local.get $a) (local.get $tab))))
        (local.set $n (i8x16.eq (local.get $b) (local.get $lf)))
        (local.set $counts (i8x16.sub (local.get $counts) (local.get $n)))
        (local.set $v (v128.or (local.get $v) (v128.xor (v128.xor
          (i8x16.lt_s (i8x16.add (local.get $b) (local.get $one)) (local.get $first)) (local.get $n))
          (i8x16.eq (local.get $b) (local.get $tab)))))
        (local.set $n (i8x16.eq (local.get $c) (local.get $lf)))
        (local.set $counts (i8x16.sub (local.get $counts) (local.get $n)))
        (local.set $v (v128.or (local.get $v) (v128.xor (v128.xor
          (i8x16.lt_s (i8x16.add (local.get $c) (local.get $one)) (local.get $first)) (local.get $n))
          (i8x16.eq (local.get $c) (local.get $tab)))))
        (local.set $n (i8x16.eq (local.get $d) (local.get $lf)))
        (local.set $counts (i8x16.sub (local.get $counts) (local.get $n)))
        (local.set $v (v128.or (local.get $v) (v128.xor (v128.xor
          (i8x16.lt_s (i8x16.add (local.get $d) (local.get $one)) (local.get $first)) (local.get $n))
          (i8x16.eq (local.get $d) (local.get $tab)))))
        ;; Each round adds at most 4 to each of the 16 small counters: empty them before they overflow.
        (local.set $rounds (i32.add (local.get $rounds) (i32.const 1)))
        (if (i32.eq (local.get $rounds) (i32.const 60))
          (then
            (local.set $total (i32x4.add (local.get $total)
              (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $counts)))))
            (local.set $counts (v128.const i32x4 0 0 0 0))
            (local.set $rounds (i32.const 0))))
        (if (i32.eqz (v128.any_true (local.get $v)))
          (then
            (local.set $at (i32.add (local.get $at) (i32.const 64)))
            (br $by64)))
        ;; These 64 bytes have something special: find out which kind.
        (local.set $stop (i32.add (local.get $at) (i32.const 64)))
        (loop $by16
          (local.set $v (v128.load (local.get $at)))
          (local.set $next (v128.load offset=1 (local.get $at)))
          (local.set $high (v128.or (local.get $high) (local.get $v)))
          (local.set $a (i8x16.eq (local.get $v) (i8x16.splat (i32.const 13))))
          (local.set $cr (v128.or (local.get $cr) (local.get $a)))
          (local.set $control (v128.or (local.get $control) (v128.or
            (v128.or
              (v128.andnot
                (i8x16.lt_u (local.get $v) (i8x16.splat (i32.const 32)))
                (v128.or (local.get $a) (v128.or
                  (i8x16.eq (local.get $v) (i8x16.splat (i32.const 9)))
                  (i8x16.eq (local.get $v) (i8x16.splat (i32.const 10))))))
              (i8x16.eq (local.get $v) (i8x16.splat (i32.const 127))))
            ;; A CR that is not before LF; C1 controls, which are 0xC2 and 0x80 to 0x9F in UTF-8.
            (v128.or
              (v128.andnot (local.get $a) (i8x16.eq (local.get $next) (i8x16.splat (i32.const 10))))
              (v128.and
                (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0xc2)))
                (i8x16.eq
                  (v128.and (local.get $next) (i8x16.splat (i32.const 0xe0)))
                  (i8x16.splat (i32.const 0x80))))))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $by16 (i32.lt_u (local.get $at) (local.get $stop))))
        ;; A control was found, the worst kind: for the rest, only count line ends and check for ASCII.
        (br_if $done (v128.any_true (local.get $control)))
        (br $by64)))
    (local.set $total (i32x4.add (local.get $total)
      (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $counts)))))
    (global.set $newlines (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $total)) (i32x4.extract_lane 1 (local.get $total)))
      (i32.add (i32x4.extract_lane 2 (local.get $total)) (i32x4.extract_lane 3 (local.get $total)))))
    (if (i32.lt_u (local.get $at) (local.get $end))
      (then
        (local.set $high (v128.or (local.get $high) (call $rest (local.get $at) (local.get $end))))))
    (i32.or
      (i32.ne (i8x16.bitmask (local.get $high)) (i32.const 0))
      (select
        (i32.const 4)
        (i32.shl (v128.any_true (local.get $cr)) (i32.const 1))
        (v128.any_true (local.get $control)))))

  ;; Returns the bitwise OR of all bytes in [at, end), as 16 bytes. Adds line ends to `newlines`, and reads past the
  ;; end, as `classify` does.
  (func $rest (param $at i32) (param $end i32) (result v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $lf v128)
    (local $high v128) (local $counts v128) (local $total v128) (local $rounds i32)
    (local.set $lf (i8x16.splat (i32.const 10)))
    (loop $by64
      (local.set $a (v128.load (local.get $at)))
      (local.set $b (v128.load offset=16 (local.get $at)))
      (local.set $c (v128.load offset=32 (local.get $at)))
      (local.set $d (v128.load offset=48 (local.get $at)))
      (local.set $high (v128.or (local.get $high) (v128.or
        (v128.or (local.get $a) (local.get $b)) (v128.or (local.get $c) (local.get $d)))))
      (local.set $counts (i8x16.sub (local.get $counts) (i8x16.add
        (i8x16.add (i8x16.eq (local.get $a) (local.get $lf)) (i8x16.eq (local.get $b) (local.get $lf)))
        (i8x16.add (i8x16.eq (local.get $c) (local.get $lf)) (i8x16.eq (local.get $d) (local.get $lf))))))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (local.set $rounds (i32.add (local.get $rounds) (i32.const 1)))
      (if (i32.or (i32.eq (local.get $rounds) (i32.const 60)) (i32.ge_u (local.get $at) (local.get $end)))
        (then
          (local.set $total (i32x4.add (local.get $total)
            (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $counts)))))
          (local.set $counts (v128.const i32x4 0 0 0 0))
          (local.set $rounds (i32.const 0))))
      (br_if $by64 (i32.lt_u (local.get $at) (local.get $end))))
    (global.set $newlines (i32.add (global.get $newlines) (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $total)) (i32x4.extract_lane 1 (local.get $total)))
      (i32.add (i32x4.extract_lane 2 (local.get $total)) (i32x4.extract_lane 3 (local.get $total))))))
    (local.get $high)))
