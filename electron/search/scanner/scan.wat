;; The loops of a search that run over every byte. A test compares them with scanner-plain.ts.
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
      (i64.or
        (i64.extend_i32_u (i32.or
          (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (local.get $lf)))
          (i32.shl (i8x16.bitmask (i8x16.eq (v128.load offset=16 (local.get $at)) (local.get $lf))) (i32.const 16))))
        (i64.shl (i64.extend_i32_u (i32.or
          (i8x16.bitmask (i8x16.eq (v128.load offset=32 (local.get $at)) (local.get $lf)))
          (i32.shl (i8x16.bitmask (i8x16.eq (v128.load offset=48 (local.get $at)) (local.get $lf))) (i32.const 16))))
          (i64.const 32))))))))

  ;; Finds a literal. Looks at 64 places at a time for its two bytes that are rarest in text; where both are,
  ;; compares the whole. A byte matches when (byte | fold) = literal byte, which ignores the case of ASCII letters.
  ;; Writes the number of each matching line, from 0 on, to $lines and the place of its first match to $places;
  ;; returns how many. Reads up to 64 bytes and the literal's length past the end.
  (func (export "find")
    (param $at i32) (param $end i32)
    (param $literal i32) (param $fold i32) (param $length i32) (param $rare1 i32) (param $rare2 i32)
    (param $lines i32) (param $places i32) (result i32)
    (local $line i32) (local $counted i32) (local $last i32) (local $count i32)
    (local $c1 v128) (local $f1 v128) (local $c2 v128) (local $f2 v128)
    (local $m0 v128) (local $m1 v128) (local $m2 v128) (local $m3 v128)
    (local $found i64) (local $place i32) (local $i i32) (local $p1 i32) (local $p2 i32)
    (local.set $c1 (v128.load8_splat (i32.add (local.get $literal) (local.get $rare1))))
    (local.set $f1 (v128.load8_splat (i32.add (local.get $fold) (local.get $rare1))))
    (local.set $c2 (v128.load8_splat (i32.add (local.get $literal) (local.get $rare2))))
    (local.set $f2 (v128.load8_splat (i32.add (local.get $fold) (local.get $rare2))))
    (local.set $last (i32.const -1))
    (local.set $counted (local.get $at))
    (block $done
      (loop $by64
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $p1 (i32.add (local.get $at) (local.get $rare1)))
        (local.set $p2 (i32.add (local.get $at) (local.get $rare2)))
        (local.set $m0 (v128.and
          (i8x16.eq (local.get $c1) (v128.or (local.get $f1) (v128.load (local.get $p1))))
          (i8x16.eq (local.get $c2) (v128.or (local.get $f2) (v128.load (local.get $p2))))))
        (local.set $m1 (v128.and
          (i8x16.eq (local.get $c1) (v128.or (local.get $f1) (v128.load offset=16 (local.get $p1))))
          (i8x16.eq (local.get $c2) (v128.or (local.get $f2) (v128.load offset=16 (local.get $p2))))))
        (local.set $m2 (v128.and
          (i8x16.eq (local.get $c1) (v128.or (local.get $f1) (v128.load offset=32 (local.get $p1))))
          (i8x16.eq (local.get $c2) (v128.or (local.get $f2) (v128.load offset=32 (local.get $p2))))))
        (local.set $m3 (v128.and
          (i8x16.eq (local.get $c1) (v128.or (local.get $f1) (v128.load offset=48 (local.get $p1))))
          (i8x16.eq (local.get $c2) (v128.or (local.get $f2) (v128.load offset=48 (local.get $p2))))))
        (if (v128.any_true (v128.or
              (v128.or (local.get $m0) (local.get $m1)) (v128.or (local.get $m2) (local.get $m3))))
          (then
            (local.set $found (i64.or
              (i64.or
                (i64.extend_i32_u (i8x16.bitmask (local.get $m0)))
                (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $m1))) (i64.const 16)))
              (i64.or
                (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $m2))) (i64.const 32))
                (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $m3))) (i64.const 48)))))
            (block $next
              (loop $candidates
                (br_if $next (i64.eqz (local.get $found)))
                (local.set $place (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $found)))))
                (local.set $found (i64.and (local.get $found) (i64.sub (local.get $found) (i64.const 1))))
                (br_if $next (i32.gt_u (i32.add (local.get $place) (local.get $length)) (local.get $end)))
                (local.set $i (i32.const 0))
                (block $differs
                  (loop $compare
                    (br_if $differs (i32.ne
                      (i32.or
                        (i32.load8_u (i32.add (local.get $place) (local.get $i)))
                        (i32.load8_u (i32.add (local.get $fold) (local.get $i))))
                      (i32.load8_u (i32.add (local.get $literal) (local.get $i)))))
                    (local.set $i (i32.add (local.get $i) (i32.const 1)))
                    (br_if $compare (i32.lt_u (local.get $i) (local.get $length))))
                  ;; Count lines only up to the match.
                  (local.set $line (i32.add (local.get $line) (call $count (local.get $counted) (local.get $place))))
                  (local.set $counted (local.get $place))
                  (br_if $differs (i32.eq (local.get $line) (local.get $last)))
                  (local.set $last (local.get $line))
                  (i32.store (i32.add (local.get $lines) (i32.shl (local.get $count) (i32.const 2))) (local.get $line))
                  (i32.store (i32.add (local.get $places) (i32.shl (local.get $count) (i32.const 2))) (local.get $place))
                  (local.set $count (i32.add (local.get $count) (i32.const 1))))
                (br $candidates)))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $by64)))
    (local.get $count))

  ;; Writes the numbers of the lines that end at the $count places at $places, from 0 for the line at $start. The
  ;; places rise; their highest four bits are ignored.
  (func (export "number") (param $start i32) (param $places i32) (param $count i32) (param $lines i32)
    (local $line i32) (local $at i32) (local $next i32) (local $end i32)
    (local.set $at (local.get $start))
    (local.set $end (i32.add (local.get $places) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $places) (local.get $end)))
        (local.set $next (i32.and (i32.load (local.get $places)) (i32.const 0x0fffffff)))
        (local.set $line (i32.add (local.get $line)
          (if (result i32) (i32.eq (local.get $next) (i32.add (local.get $at) (i32.const 1)))
            (then (i32.eq (i32.load8_u (local.get $at)) (i32.const 10)))
            (else (call $count (local.get $at) (local.get $next))))))
        (i32.store (local.get $lines) (local.get $line))
        (local.set $at (local.get $next))
        (local.set $places (i32.add (local.get $places) (i32.const 4)))
        (local.set $lines (i32.add (local.get $lines) (i32.const 4)))
        (br $each)))))
