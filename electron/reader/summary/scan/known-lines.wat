;; Remembers lines by a hash of their bytes in which all digits are one: such lines have one shape, and most lines of a
;; log differ from an earlier one in digits alone. An entry has its line's key, the hash of its shape, its length in
;; UTF-16 code units, and flags (line-end.wat). What it says is true of any text, so nothing ever clears the table. The
;; search for marks of sections has a table of its own, of lines that mark nothing (sections/scan.ts).
(module
  (import "env" "memory" (memory 1))

  ;; Random, so that nobody can print a line that is taken for another.
  (global $seed (export "seed") (mut i64) (i64.const 0))
  ;; The line looked for last: its start, the address of its LF, its key, its entry.
  (global $at (mut i32) (i32.const 0))
  (global $lf (export "lf") (mut i32) (i32.const 0))
  (global $key (mut i64) (i64.const 0))
  (global $entry (mut i32) (i32.const 0))

  (func $mix (param $hash i64) (param $bits i64) (result i64)
    (local.set $hash (i64.mul (i64.xor (local.get $hash) (local.get $bits)) (i64.const 0x9e3779b97f4a7c15)))
    (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 32))))

  ;; Returns the entry of the line at $p, which ends with LF; 0 if it is not known.
  (func $find (export "find") (param $p i32) (result i32)
    (local $v v128) (local $ends i32) (local $low i64) (local $high i64)
    (global.set $at (local.get $p))
    (local.set $low (global.get $seed))
    (local.set $high (global.get $seed))
    (loop $by16
      (local.set $v (v128.load (local.get $p)))
      (local.set $ends (i8x16.bitmask (i8x16.eq (local.get $v) (i8x16.splat (i32.const 10)))))
      ;; Digits become 0xff, which UTF-8 does not have.
      (local.set $v (v128.or (local.get $v) (i8x16.lt_u
        (i8x16.sub (local.get $v) (i8x16.splat (i32.const 0x30))) (i8x16.splat (i32.const 10)))))
      (if (local.get $ends)
        (then
          (global.set $lf (i32.add (local.get $p) (i32.ctz (local.get $ends))))
          ;; Bytes behind the line become 0.
          (local.set $v (v128.and (local.get $v) (i8x16.lt_u
            (v128.const i8x16 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
            (i8x16.splat (i32.ctz (local.get $ends))))))))
      ;; As `mix`: V8 does not inline calls, which took a sixth of the time of a scan.
      (local.set $low (i64.mul
        (i64.xor (local.get $low) (i64x2.extract_lane 0 (local.get $v))) (i64.const 0x9e3779b97f4a7c15)))
      (local.set $low (i64.xor (local.get $low) (i64.shr_u (local.get $low) (i64.const 32))))
      (local.set $high (i64.mul
        (i64.xor (local.get $high) (i64x2.extract_lane 1 (local.get $v))) (i64.const 0x9e3779b97f4a7c15)))
      (local.set $high (i64.xor (local.get $high) (i64.shr_u (local.get $high) (i64.const 32))))
      (local.set $p (i32.add (local.get $p) (i32.const 16)))
      (br_if $by16 (i32.eqz (local.get $ends))))
    (local.set $low (call $mix
      ;; Turned, or the same change in both halves would often cancel out.
      (call $mix (local.get $low) (i64.rotl (local.get $high) (i64.const 29)))
      (i64.extend_i32_u (i32.sub (global.get $lf) (global.get $at)))))
    (global.set $key (local.get $low))
    (global.set $entry (i32.add (i32.const 0x9e0000) (i32.shl
      (i32.and (i32.wrap_i64 (local.get $low)) (i32.const 0x1fff)) (i32.const 5))))
    (select (global.get $entry) (i32.const 0)
      (i64.eq (i64.load (global.get $entry)) (local.get $low))))

  ;; Skips the known lines from $p that begin with the $size bytes at $from; returns where they end, $to at most. Counts
  ;; them in $skipped. Only a line that `find` has looked for can be kept.
  (global $skipped (export "skipped") (mut i32) (i32.const 0))
  (func (export "skip") (param $p i32) (param $to i32) (param $from i32) (param $size i32) (result i32)
    (global.set $skipped (i32.const 0))
    (global.set $at (i32.const 0))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $p) (local.get $to)))
        (br_if $done (i32.eqz (call $isSame (local.get $p) (local.get $from) (local.get $size))))
        (br_if $done (i32.eqz (call $find (local.get $p))))
        (local.set $p (i32.add (global.get $lf) (i32.const 1)))
        (global.set $skipped (i32.add (global.get $skipped) (i32.const 1)))
        (br $each)))
    (local.get $p))

  (func $isSame (param $one i32) (param $other i32) (param $size i32) (result i32)
    (block $done
      (loop $each
        (br_if $done (i32.eqz (local.get $size)))
        (if (i32.ne (i32.load8_u (local.get $one)) (i32.load8_u (local.get $other))) (then (return (i32.const 0))))
        (local.set $one (i32.add (local.get $one) (i32.const 1)))
        (local.set $other (i32.add (local.get $other) (i32.const 1)))
        (local.set $size (i32.sub (local.get $size) (i32.const 1)))
        (br $each)))
    (i32.const 1))

  ;; Remembers the line at $at, if it is the one looked for last. Returns its entry, or else one that nothing reads.
  (func (export "keep") (param $at i32) (param $shape i64) (param $units i32) (param $flags i32) (result i32)
    (if (i32.ne (local.get $at) (global.get $at)) (then (return (i32.const 0xa20000))))
    (i64.store (global.get $entry) (global.get $key))
    (i64.store offset=8 (global.get $entry) (local.get $shape))
    (i32.store offset=16 (global.get $entry) (local.get $units))
    (i32.store offset=20 (global.get $entry) (local.get $flags))
    (global.get $entry)))
