;; Finds literals in a block. A test compares it with scanner-plain.ts.
(module
  (import "env" "memory" (memory 1)) ;; laid out in memory.ts
  (import "env" "count" (func $count (param i32 i32) (result i32))) ;; of lines.wat
  (import "env" "lineEnd" (func $lineEnd (param i32 i32) (result i32)))

  ;; The places among the last 64 at which both bytes were found, as bits.
  (global $found (mut i64) (i64.const 0))

  ;; Returns the first of $at, $at + 64 and so on where, among the next 64 places, the first byte occurs, and the second
  ;; $apart bytes after it; or one at or after $end. Sets $found. A bit that one of the folds ignores is ignored in both
  ;; bytes: `find` compares them anyway. The differences of bytes take fewer instructions than comparing each byte.
  (func $seek (param $at i32) (param $end i32) (param $apart i32)
    (param $byte1 i32) (param $byte2 i32) (param $fold1 i32) (param $fold2 i32) (result i32)
    (local $c1 v128) (local $c2 v128) (local $p2 i32) (local $wanted v128) (local $none v128)
    (local $m0 v128) (local $m1 v128) (local $m2 v128) (local $m3 v128)
    (local.set $c1 (i8x16.splat (local.get $byte1)))
    (local.set $c2 (i8x16.splat (local.get $byte2)))
    (local.set $wanted (v128.not (i8x16.splat (i32.or (local.get $fold1) (local.get $fold2)))))
    (loop $by64
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (local.get $at))))
      (local.set $p2 (i32.add (local.get $at) (local.get $apart)))
      (local.set $m0 (v128.and (local.get $wanted) (v128.or
        (v128.xor (local.get $c1) (v128.load (local.get $at)))
        (v128.xor (local.get $c2) (v128.load (local.get $p2))))))
      (local.set $m1 (v128.and (local.get $wanted) (v128.or
        (v128.xor (local.get $c1) (v128.load offset=16 (local.get $at)))
        (v128.xor (local.get $c2) (v128.load offset=16 (local.get $p2))))))
      (local.set $m2 (v128.and (local.get $wanted) (v128.or
        (v128.xor (local.get $c1) (v128.load offset=32 (local.get $at)))
        (v128.xor (local.get $c2) (v128.load offset=32 (local.get $p2))))))
      (local.set $m3 (v128.and (local.get $wanted) (v128.or
        (v128.xor (local.get $c1) (v128.load offset=48 (local.get $at)))
        (v128.xor (local.get $c2) (v128.load offset=48 (local.get $p2))))))
      (if (i8x16.bitmask (i8x16.eq (local.get $none) (i8x16.min_u
            (i8x16.min_u (local.get $m0) (local.get $m1))
            (i8x16.min_u (local.get $m2) (local.get $m3)))))
        (then
          (global.set $found (call $bits
            (i8x16.eq (local.get $none) (local.get $m0))
            (i8x16.eq (local.get $none) (local.get $m1))
            (i8x16.eq (local.get $none) (local.get $m2))
            (i8x16.eq (local.get $none) (local.get $m3))))
          (return (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (br $by64))
    (unreachable))

  ;; Returns the highest bits of 64 bytes.
  (func $bits (param $m0 v128) (param $m1 v128) (param $m2 v128) (param $m3 v128) (result i64)
    (i64.or
      (i64.extend_i32_u (i32.or
        (i8x16.bitmask (local.get $m0))
        (i32.shl (i8x16.bitmask (local.get $m1)) (i32.const 16))))
      (i64.shl
        (i64.extend_i32_u (i32.or
          (i8x16.bitmask (local.get $m2))
          (i32.shl (i8x16.bitmask (local.get $m3)) (i32.const 16))))
        (i64.const 32))))

  ;; Finds a literal. Looks at 64 places at a time for its two bytes that are rarest in text; where both are,
  ;; compares the whole. Writes the number of each matching line, from 0 on, to $lines and the place of
  ;; its first match, less $base, to $places; returns how many.
  ;; Reads up to 64 bytes and the literal's length past the end.
  (func (export "find")
    (param $at i32) (param $end i32)
    (param $literal i32) (param $fold i32) (param $length i32) (param $rare1 i32) (param $rare2 i32)
    (param $base i32) (param $lines i32) (param $places i32) (result i32)
    (local $line i32) (local $counted i32) (local $first i32) (local $stop i32) (local $apart i32)
    (local $byte1 i32) (local $byte2 i32) (local $fold1 i32) (local $fold2 i32)
    (local $found i64) (local $place i32) (local $head v128) (local $folds v128) (local $wanted i32)
    (local.set $byte1 (i32.load8_u (i32.add (local.get $literal) (local.get $rare1))))
    (local.set $byte2 (i32.load8_u (i32.add (local.get $literal) (local.get $rare2))))
    (local.set $fold1 (i32.load8_u (i32.add (local.get $fold) (local.get $rare1))))
    (local.set $fold2 (i32.load8_u (i32.add (local.get $fold) (local.get $rare2))))
    (local.set $apart (i32.sub (local.get $rare2) (local.get $rare1)))
    (local.set $head (v128.load (local.get $literal)))
    (local.set $folds (v128.load (local.get $fold)))
    ;; A bit for each of the literal's first 16 bytes.
    (local.set $wanted (select
      (i32.const 0xffff)
      (i32.sub (i32.shl (i32.const 1) (local.get $length)) (i32.const 1))
      (i32.ge_u (local.get $length) (i32.const 16))))
    (local.set $first (local.get $lines))
    (local.set $counted (local.get $at))
    (block $done
      (loop $by64
        (local.set $at (i32.add (local.get $at) (local.get $rare1)))
        (local.set $stop (i32.add (local.get $end) (local.get $rare1)))
        (local.set $at (call $seek (local.get $at) (local.get $stop) (local.get $apart)
          (local.get $byte1) (local.get $byte2) (local.get $fold1) (local.get $fold2)))
        (br_if $done (i32.ge_u (local.get $at) (local.get $stop)))
        (local.set $found (global.get $found))
        (global.set $found (i64.const 0))
        (local.set $at (i32.sub (local.get $at) (local.get $rare1)))
        (block $next
          (loop $candidates
            (br_if $next (i64.eqz (local.get $found)))
            (local.set $place (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $found)))))
            (local.set $found (i64.and (local.get $found) (i64.sub (local.get $found) (i64.const 1))))
            (br_if $done (i32.gt_u (i32.add (local.get $place) (local.get $length)) (local.get $end)))
            (br_if $candidates (i32.ne
              (local.get $wanted)
              (i32.and (local.get $wanted) (i8x16.bitmask (i8x16.eq
                (local.get $head)
                (v128.or (local.get $folds) (v128.load (local.get $place))))))))
            (if (i32.gt_u (local.get $length) (i32.const 16))
              (then (br_if $candidates (i32.eqz
                (call $rest (local.get $place) (local.get $literal) (local.get $fold) (local.get $length))))))
            ;; Count lines only up to the match, and go on after its line.
            (local.set $line (i32.add (local.get $line) (call $count (local.get $counted) (local.get $place))))
            (i32.store (local.get $lines) (local.get $line))
            (local.set $lines (i32.add (local.get $lines) (i32.const 4)))
            (i32.store (local.get $places) (i32.sub (local.get $place) (local.get $base)))
            (local.set $places (i32.add (local.get $places) (i32.const 4)))
            (local.set $line (i32.add (local.get $line) (i32.const 1)))
            (local.set $counted (i32.add (call $lineEnd (local.get $place) (local.get $end)) (i32.const 1)))
            (local.set $at (local.get $counted))
            (br $by64)))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $by64)))
    (i32.shr_u (i32.sub (local.get $lines) (local.get $first)) (i32.const 2)))

  ;; Returns whether a literal matches at $place from its 17th byte on.
  (func $rest (export "rest") (param $place i32) (param $literal i32) (param $fold i32) (param $length i32) (result i32)
    (local $i i32)
    (local.set $i (i32.const 16))
    (loop $compare
      (if (i32.ne
            (i32.or
              (i32.load8_u (i32.add (local.get $place) (local.get $i)))
              (i32.load8_u (i32.add (local.get $fold) (local.get $i))))
            (i32.load8_u (i32.add (local.get $literal) (local.get $i))))
        (then (return (i32.const 0))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $compare (i32.lt_u (local.get $i) (local.get $length))))
    (i32.const 1)))
