;; Finds several literals in one pass. A test compares it with scanner-plain.ts. Each literal has a bit, and a window of
;; three bytes: three tables tell of a byte's hash which windows it may be part of, and where (after "Teddy", by
;; G. Langdale, which looks up both halves of each byte).
(module
  (import "env" "memory" (memory 1)) ;; laid out in memory.ts
  (import "env" "count" (func $count (param i32 i32) (result i32))) ;; of lines.wat
  (import "env" "lineEnd" (func $lineEnd (param i32 i32) (result i32)))
  (import "env" "rest" (func $rest (param i32 i32 i32 i32) (result i32))) ;; of scan.wat

  ;; Finds up to eight literals. $several has 16 times the bits of a byte that tell literals apart, and the tables for
  ;; the first, second and third byte of a window, by (byte ^ byte >> 4) & 15. Behind them, 16 bytes for each literal:
  ;; where it lies, where its folds lie, its length, where its window begins. Then 64 bytes of scratch. Results as of
  ;; `find`, with the place of a match in each line. Reads up to 80 bytes past the end.
  (func (export "findAny")
    (param $at i32) (param $end i32) (param $several i32) (param $base i32) (param $lines i32) (param $places i32)
    (result i32)
    (local $line i32) (local $counted i32) (local $first i32) (local $begin i32) (local $place i32)
    (local $found i64) (local $bits i32) (local $literal i32)
    (local $half v128) (local $v v128) (local $before1 v128) (local $before2 v128) (local $r1 v128) (local $r2 v128)
    (local $c0 v128) (local $c1 v128) (local $c2 v128) (local $c3 v128)
    (local $mask v128) (local $table1 v128) (local $table2 v128) (local $table3 v128)
    (local.set $half (i8x16.splat (i32.const 15)))
    (local.set $mask (v128.load (local.get $several)))
    (local.set $table1 (v128.load offset=16 (local.get $several)))
    (local.set $table2 (v128.load offset=32 (local.get $several)))
    (local.set $table3 (v128.load offset=48 (local.get $several)))
    (local.set $begin (local.get $at))
    (local.set $counted (local.get $at))
    (local.set $first (local.get $lines))
    (block $done
      (loop $by64
        ;; A window of three may reach one byte past the end, if its literal has two.
        (br_if $done (i32.gt_u (local.get $at) (local.get $end)))
        (local.set $v (v128.and (local.get $mask) (v128.load (local.get $at))))
        (local.set $v (v128.and (local.get $half)
          (v128.xor (local.get $v) (i16x8.shr_u (local.get $v) (i32.const 4)))))
        (local.set $r1 (i8x16.swizzle (local.get $table1) (local.get $v)))
        (local.set $r2 (i8x16.swizzle (local.get $table2) (local.get $v)))
        (local.set $c0 (v128.and (i8x16.swizzle (local.get $table3) (local.get $v)) (v128.and
          (i8x16.shuffle 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 (local.get $before1) (local.get $r1))
          (i8x16.shuffle 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 (local.get $before2) (local.get $r2)))))
        (local.set $before1 (local.get $r1))
        (local.set $before2 (local.get $r2))
        (local.set $v (v128.and (local.get $mask) (v128.load offset=16 (local.get $at))))
        (local.set $v (v128.and (local.get $half)
          (v128.xor (local.get $v) (i16x8.shr_u (local.get $v) (i32.const 4)))))
        (local.set $r1 (i8x16.swizzle (local.get $table1) (local.get $v)))
        (local.set $r2 (i8x16.swizzle (local.get $table2) (local.get $v)))
        (local.set $c1 (v128.and (i8x16.swizzle (local.get $table3) (local.get $v)) (v128.and
          (i8x16.shuffle 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 (local.get $before1) (local.get $r1))
          (i8x16.shuffle 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 (local.get $before2) (local.get $r2)))))
        (local.set $before1 (local.get $r1))
        (local.set $before2 (local.get $r2))
        (local.set $v (v128.and (local.get $mask) (v128.load offset=32 (local.get $at))))
        (local.set $v (v128.and (local.get $half)
          (v128.xor (local.get $v) (i16x8.shr_u (local.get $v) (i32.const 4)))))
        (local.set $r1 (i8x16.swizzle (local.get $table1) (local.get $v)))
        (local.set $r2 (i8x16.swizzle (local.get $table2) (local.get $v)))
        (local.set $c2 (v128.and (i8x16.swizzle (local.get $table3) (local.get $v)) (v128.and
          (i8x16.shuffle 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 (local.get $before1) (local.get $r1))
          (i8x16.shuffle 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 (local.get $before2) (local.get $r2)))))
        (local.set $before1 (local.get $r1))
        (local.set $before2 (local.get $r2))
        (local.set $v (v128.and (local.get $mask) (v128.load offset=48 (local.get $at))))
        (local.set $v (v128.and (local.get $half)
          (v128.xor (local.get $v) (i16x8.shr_u (local.get $v) (i32.const 4)))))
        (local.set $r1 (i8x16.swizzle (local.get $table1) (local.get $v)))
        (local.set $r2 (i8x16.swizzle (local.get $table2) (local.get $v)))
        (local.set $c3 (v128.and (i8x16.swizzle (local.get $table3) (local.get $v)) (v128.and
          (i8x16.shuffle 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 (local.get $before1) (local.get $r1))
          (i8x16.shuffle 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 (local.get $before2) (local.get $r2)))))
        (local.set $before1 (local.get $r1))
        (local.set $before2 (local.get $r2))
        (if (v128.any_true (v128.or
              (v128.or (local.get $c0) (local.get $c1))
              (v128.or (local.get $c2) (local.get $c3))))
          (then
            (v128.store offset=192 (local.get $several) (local.get $c0))
            (v128.store offset=208 (local.get $several) (local.get $c1))
            (v128.store offset=224 (local.get $several) (local.get $c2))
            (v128.store offset=240 (local.get $several) (local.get $c3))
            (local.set $found (i64.or
              (i64.extend_i32_u (i32.or
                (call $set (local.get $c0))
                (i32.shl (call $set (local.get $c1)) (i32.const 16))))
              (i64.shl
                (i64.extend_i32_u (i32.or
                  (call $set (local.get $c2))
                  (i32.shl (call $set (local.get $c3)) (i32.const 16))))
                (i64.const 32))))
            (block $none
              (loop $candidates
                (br_if $none (i64.eqz (local.get $found)))
                (local.set $bits (i32.wrap_i64 (i64.ctz (local.get $found))))
                (local.set $found (i64.and (local.get $found) (i64.sub (local.get $found) (i64.const 1))))
                (local.set $place (i32.sub (i32.add (local.get $at) (local.get $bits)) (i32.const 2)))
                (local.set $bits (i32.load8_u offset=192 (i32.add (local.get $several) (local.get $bits))))
                (loop $literals
                  (local.set $literal (i32.add (local.get $several) (i32.shl (i32.ctz (local.get $bits)) (i32.const 4))))
                  (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
                  (if (call $is (i32.sub (local.get $place) (i32.load offset=76 (local.get $literal)))
                        (local.get $literal) (local.get $begin) (local.get $end))
                    (then
                      ;; Count lines only up to the match, and go on after its line.
                      (local.set $place (i32.sub (local.get $place) (i32.load offset=76 (local.get $literal))))
                      (local.set $line
                        (i32.add (local.get $line) (call $count (local.get $counted) (local.get $place))))
                      (i32.store (local.get $lines) (local.get $line))
                      (local.set $lines (i32.add (local.get $lines) (i32.const 4)))
                      (i32.store (local.get $places) (i32.sub (local.get $place) (local.get $base)))
                      (local.set $places (i32.add (local.get $places) (i32.const 4)))
                      (local.set $line (i32.add (local.get $line) (i32.const 1)))
                      (local.set $at (i32.add (call $lineEnd (local.get $place) (local.get $end)) (i32.const 1)))
                      (local.set $counted (local.get $at))
                      (local.set $before1 (v128.const i32x4 0 0 0 0))
                      (local.set $before2 (v128.const i32x4 0 0 0 0))
                      (br $by64)))
                  (br_if $literals (local.get $bits)))
                (br $candidates)))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $by64)))
    (i32.shr_u (i32.sub (local.get $lines) (local.get $first)) (i32.const 2)))

  ;; Returns a bit for each byte that is not 0.
  (func $set (param $v v128) (result i32)
    (i8x16.bitmask (i8x16.ne (local.get $v) (v128.const i32x4 0 0 0 0))))

  ;; Returns whether the literal of this entry matches at $place, within [begin, end).
  (func $is (param $place i32) (param $entry i32) (param $begin i32) (param $end i32) (result i32)
    (local $length i32) (local $bytes i32) (local $fold i32) (local $wanted i32)
    (local.set $bytes (i32.load offset=64 (local.get $entry)))
    (local.set $fold (i32.load offset=68 (local.get $entry)))
    (local.set $length (i32.load offset=72 (local.get $entry)))
    (if (i32.or
          (i32.lt_u (local.get $place) (local.get $begin))
          (i32.gt_u (i32.add (local.get $place) (local.get $length)) (local.get $end)))
      (then (return (i32.const 0))))
    (local.set $wanted (select
      (i32.const 0xffff)
      (i32.sub (i32.shl (i32.const 1) (local.get $length)) (i32.const 1))
      (i32.ge_u (local.get $length) (i32.const 16))))
    (if (i32.ne (local.get $wanted) (i32.and (local.get $wanted) (i8x16.bitmask (i8x16.eq
          (v128.load (local.get $bytes))
          (v128.or (v128.load (local.get $fold)) (v128.load (local.get $place)))))))
      (then (return (i32.const 0))))
    (if (i32.le_u (local.get $length) (i32.const 16)) (then (return (i32.const 1))))
    (call $rest (local.get $place) (local.get $bytes) (local.get $fold) (local.get $length))))
