;; Counts, numbers and copies the lines of a block. A test compares it with scanner-plain.ts.
(module
  (import "env" "memory" (memory 1)) ;; laid out in memory.ts

  ;; Counts the line ends in [at, end). Reads up to 64 bytes past the end.
  (func $count (export "count") (param $at i32) (param $end i32) (result i32)
    (local $count i32) (local $stop i32) (local $lf v128) (local $sum v128)
    (local.set $lf (i8x16.splat (i32.const 10)))
    ;; Count 64 bytes at a time, until the 16 small counters could overflow.
    (loop $bySums
      (local.set $stop (i32.add (local.get $at) (i32.const 3840)))
      (local.set $stop (select (local.get $stop) (local.get $end) (i32.lt_u (local.get $stop) (local.get $end))))
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (block $done64
        (loop $by64
          (br_if $done64 (i32.gt_u (i32.add (local.get $at) (i32.const 64)) (local.get $stop)))
          (local.set $sum (i8x16.sub (local.get $sum) (i8x16.add
            (i8x16.add
              (i8x16.eq (v128.load (local.get $at)) (local.get $lf))
              (i8x16.eq (v128.load offset=16 (local.get $at)) (local.get $lf)))
            (i8x16.add
              (i8x16.eq (v128.load offset=32 (local.get $at)) (local.get $lf))
              (i8x16.eq (v128.load offset=48 (local.get $at)) (local.get $lf))))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br $by64)))
      (local.set $sum (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $sum))))
      (local.set $count (i32.add (local.get $count) (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
        (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum))))))
      (br_if $bySums (i32.ge_u (i32.sub (local.get $end) (local.get $at)) (i32.const 64))))
    ;; Less than 64 bytes remain.
    (i32.add (local.get $count) (i32.wrap_i64 (i64.popcnt (i64.and
      (i64.sub (i64.shl (i64.const 1) (i64.extend_i32_u (i32.sub (local.get $end) (local.get $at)))) (i64.const 1))
      (call $endsIn64 (local.get $at)))))))

  ;; Returns the place of the first LF in [at, end); the end if there is none. Reads up to 64 bytes past the end. Most
  ;; lines end in the first 64 bytes, so the branch is easy to predict.
  (func $lineEnd (export "lineEnd") (param $at i32) (param $end i32) (result i32)
    (local $found i64)
    (loop $by64
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (local.get $end))))
      (local.set $found (call $endsIn64 (local.get $at)))
      (if (i64.eqz (local.get $found))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br $by64))))
    (local.set $at (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $found)))))
    (select (local.get $at) (local.get $end) (i32.lt_u (local.get $at) (local.get $end))))

  ;; Returns the place after the last LF in [start, at); $start if there is none.
  (func $lineStart (param $start i32) (param $at i32) (result i32)
    (local $found i32)
    (loop $by16
      (local.set $found (i8x16.bitmask
        (i8x16.eq (v128.load (i32.sub (local.get $at) (i32.const 16))) (i8x16.splat (i32.const 10)))))
      (local.set $at (i32.sub (local.get $at) (select
        (i32.sub (i32.clz (local.get $found)) (i32.const 16)) (i32.const 16) (local.get $found))))
      (br_if $by16 (i32.and (i32.eqz (local.get $found)) (i32.gt_u (local.get $at) (local.get $start)))))
    (select (local.get $at) (local.get $start) (i32.gt_u (local.get $at) (local.get $start))))

  ;; Copies the lines of [start, end) that hold the $count places at $places to $to, with their line ends; returns the
  ;; end of the copy. Writes up to 15 bytes after it.
  (func (export "gather")
    (param $start i32) (param $end i32) (param $places i32) (param $count i32) (param $to i32) (result i32)
    (local $at i32) (local $behind i32) (local $last i32)
    (local.set $last (i32.add (local.get $places) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $places) (local.get $last)))
        (local.set $at (call $lineStart (local.get $start) (i32.load (local.get $places))))
        (local.set $behind (i32.add (local.get $to) (i32.add (i32.const 1)
          (i32.sub (call $lineEnd (i32.load (local.get $places)) (local.get $end)) (local.get $at)))))
        (loop $by16
          (v128.store (local.get $to) (v128.load (local.get $at)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (local.set $to (i32.add (local.get $to) (i32.const 16)))
          (br_if $by16 (i32.lt_u (local.get $to) (local.get $behind))))
        (local.set $to (local.get $behind))
        (local.set $places (i32.add (local.get $places) (i32.const 4)))
        (br $each)))
    (local.get $to))

  ;; Writes the numbers of the lines that end at the $count places at $places, from 0 for the line at $start. The
  ;; places rise; their highest four bits are ignored. Reads up to 64 bytes past the last.
  (func (export "number") (param $start i32) (param $places i32) (param $count i32) (param $lines i32)
    (local $line i32) (local $at i32) (local $next i32) (local $end i32) (local $ends i64)
    ;; The line ends among the 64 bytes at $at are in $ends; $line counts those before.
    (local.set $at (local.get $start))
    (local.set $ends (call $endsIn64 (local.get $at)))
    (local.set $end (i32.add (local.get $places) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $places) (local.get $end)))
        (local.set $next (i32.and (i32.load (local.get $places)) (i32.const 0x0fffffff)))
        (if (i32.ge_u (i32.sub (local.get $next) (local.get $at)) (i32.const 512))
          (then
            (local.set $line (i32.add (local.get $line) (call $count (local.get $at) (local.get $next))))
            (local.set $at (local.get $next))
            (local.set $ends (call $endsIn64 (local.get $at)))))
        (block $here
          (loop $by64
            (br_if $here (i32.lt_u (i32.sub (local.get $next) (local.get $at)) (i32.const 64)))
            (local.set $line (i32.add (local.get $line) (i32.wrap_i64 (i64.popcnt (local.get $ends)))))
            (local.set $at (i32.add (local.get $at) (i32.const 64)))
            (local.set $ends (call $endsIn64 (local.get $at)))
            (br $by64)))
        (i32.store (local.get $lines) (i32.add (local.get $line) (i32.wrap_i64 (i64.popcnt (i64.and
          (local.get $ends)
          (i64.sub
            (i64.shl (i64.const 1) (i64.extend_i32_u (i32.sub (local.get $next) (local.get $at))))
            (i64.const 1)))))))
        (local.set $places (i32.add (local.get $places) (i32.const 4)))
        (local.set $lines (i32.add (local.get $lines) (i32.const 4)))
        (br $each))))

  ;; Returns a bit for each line end among the 64 bytes at $at.
  (func $endsIn64 (param $at i32) (result i64)
    (local $lf v128)
    (local.set $lf (i8x16.splat (i32.const 10)))
    (i64.or
      (i64.extend_i32_u (i32.or
        (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (local.get $lf)))
        (i32.shl (i8x16.bitmask (i8x16.eq (v128.load offset=16 (local.get $at)) (local.get $lf))) (i32.const 16))))
      (i64.shl (i64.extend_i32_u (i32.or
        (i8x16.bitmask (i8x16.eq (v128.load offset=32 (local.get $at)) (local.get $lf)))
        (i32.shl (i8x16.bitmask (i8x16.eq (v128.load offset=48 (local.get $at)) (local.get $lf))) (i32.const 16))))
        (i64.const 32)))))
