;; Runs the automaton like kernel.wat, which explains the terms, but line by line, each only until its outcome is known.
;; For expressions that match or fail near a line's start. The first bytes of four lines at a time are read in turns,
;; whether or not an outcome is known: asking after each step would be mispredicted once a line, which takes longer than
;; to read 20 bytes. A test compares it with kernel.wat.
(module
  (import "env" "memory" (memory 1))
  (import "env" "unsure" (global $unsure (mut i32)))
  (import "env" "one" (func $one (param i32 i32 i32) (result i32)))
  (import "env" "two" (func $two (param i32 i32 i32) (result i32)))

  ;; Where `early` stopped, and the bytes it has read.
  (global $place (export "place") (mut i32) (i32.const 0))
  (global $state (export "state") (mut i32) (i32.const 0))
  (global $out (export "out") (mut i32) (i32.const 0))
  (global $read (export "read") (mut i32) (i32.const 0))
  ;; Lines that were read in turns, and how many of them had no outcome then.
  (global $turns (export "turns") (mut i32) (i32.const 0))
  (global $open (export "open") (mut i32) (i32.const 0))

  ;; Writes the addresses of the line ends in [at, end) to $to; returns their number. Reads up to 63 bytes past the end,
  ;; and may overwrite three entries more.
  (func (export "lineEnds") (param $at i32) (param $end i32) (param $to i32) (result i32)
    (local $lf v128) (local $found i64) (local $next i32) (local $first i32)
    (local.set $first (local.get $to))
    (local.set $lf (i8x16.splat (i32.const 10)))
    (block $done
      (loop $by64
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $found (i64.or
          (i64.extend_i32_u (i32.or
            (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (local.get $lf)))
            (i32.shl (i8x16.bitmask (i8x16.eq (v128.load offset=16 (local.get $at)) (local.get $lf))) (i32.const 16))))
          (i64.shl (i64.extend_i32_u (i32.or
            (i8x16.bitmask (i8x16.eq (v128.load offset=32 (local.get $at)) (local.get $lf)))
            (i32.shl (i8x16.bitmask (i8x16.eq (v128.load offset=48 (local.get $at)) (local.get $lf))) (i32.const 16))))
            (i64.const 32))))
        (if (i32.lt_u (i32.sub (local.get $end) (local.get $at)) (i32.const 64))
          (then (local.set $found (i64.and (local.get $found) (i64.sub
            (i64.shl (i64.const 1) (i64.extend_i32_u (i32.sub (local.get $end) (local.get $at))))
            (i64.const 1))))))
        (local.set $next (i32.add
          (local.get $to) (i32.shl (i32.wrap_i64 (i64.popcnt (local.get $found))) (i32.const 2))))
        ;; Always write two: a branch for none or one would be mispredicted. The next round overwrites the excess.
        (loop $by2
          (i32.store (local.get $to) (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $found)))))
          (local.set $found (i64.and (local.get $found) (i64.sub (local.get $found) (i64.const 1))))
          (i32.store offset=4 (local.get $to) (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $found)))))
          (local.set $found (i64.and (local.get $found) (i64.sub (local.get $found) (i64.const 1))))
          (local.set $to (i32.add (local.get $to) (i32.const 8)))
          (br_if $by2 (i32.lt_u (local.get $to) (local.get $next))))
        (local.set $to (local.get $next))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $by64)))
    (i32.shr_u (i32.sub (local.get $to) (local.get $first)) (i32.const 2)))

  ;; Makes the pairs' entries that reading $ahead bytes from $at in $state needs; returns 0 if one is still unknown,
  ;; which is then the first lane's.
  (func $fill (param $at i32) (param $ahead i32) (param $state i32) (result i32)
    (local $stop i32) (local $entry i32)
    (local.set $stop (i32.add (local.get $at) (local.get $ahead)))
    (loop $each
      (local.set $entry (i32.load (i32.add (local.get $state)
        (i32.load16_u offset=0x20000 (i32.shl (i32.load16_u (local.get $at)) (i32.const 1))))))
      (if (i32.and (local.get $entry) (i32.const 1))
        (then
          (local.set $entry (call $two (i32.const 0x10400) (local.get $state) (local.get $at)))
          (if (i32.eqz (local.get $entry)) (then (return (i32.const 0))))))
      (local.set $state (local.get $entry))
      (local.set $at (i32.add (local.get $at) (i32.const 2)))
      (br_if $each (i32.lt_u (local.get $at) (local.get $stop))))
    (i32.const 1))

  ;; Reads lines $i to $count, whose ends are at $ends: line $i from $at in $state, the others from their starts in
  ;; $first. Four lines are read in turns for $ahead bytes, a multiple of four, unless one is shorter. A line ends early
  ;; in the states $matched and $dead. Writes the numbers of lines that match to $out. Returns
  ;; $count; less at an entry that is unknown, which is then the first lane's (kernel.wat).
  (func (export "early")
    (param $ends i32) (param $i i32) (param $count i32) (param $at i32) (param $state i32)
    (param $first i32) (param $matched i32) (param $dead i32) (param $out i32) (param $ahead i32) (result i32)
    (local $end i32) (local $entry i32) (local $start i32) (local $four i32) (local $stop i32)
    (local $p1 i32) (local $p2 i32) (local $p3 i32)
    (local $s0 i32) (local $s1 i32) (local $s2 i32) (local $s3 i32)
    (local $e0 i32) (local $e1 i32) (local $e2 i32) (local $e3 i32)
    (local.set $start (local.get $at))
    (block $stopped
      (loop $line
        (br_if $stopped (i32.ge_u (local.get $i) (local.get $count)))
        (block $alone
          (br_if $alone (local.get $four))
          (br_if $alone (i32.eqz (local.get $ahead)))
          (br_if $alone (i32.ne (local.get $state) (local.get $first)))
          (br_if $alone (i32.gt_u (i32.add (local.get $i) (i32.const 4)) (local.get $count)))
          (local.set $end (i32.add (local.get $ends) (i32.shl (local.get $i) (i32.const 2))))
          (local.set $p1 (i32.add (i32.load (local.get $end)) (i32.const 1)))
          (local.set $p2 (i32.add (i32.load offset=4 (local.get $end)) (i32.const 1)))
          (local.set $p3 (i32.add (i32.load offset=8 (local.get $end)) (i32.const 1)))
          ;; Each place is the one after the end of the line before.
          (br_if $alone (i32.or
            (i32.or
              (i32.le_u (i32.sub (local.get $p1) (local.get $at)) (local.get $ahead))
              (i32.le_u (i32.sub (local.get $p2) (local.get $p1)) (local.get $ahead)))
            (i32.or
              (i32.le_u (i32.sub (local.get $p3) (local.get $p2)) (local.get $ahead))
              (i32.lt_u (i32.sub (i32.load offset=12 (local.get $end)) (local.get $p3)) (local.get $ahead)))))
          (local.set $stop (i32.add (local.get $at) (local.get $ahead)))
          (local.set $s0 (local.get $first))
          (local.set $s1 (local.get $first))
          (local.set $s2 (local.get $first))
          (local.set $s3 (local.get $first))
          (loop $turns
            (local.set $e0 (i32.load (i32.add (local.get $s0)
              (i32.load16_u offset=0x20000 (i32.shl (i32.load16_u (local.get $at)) (i32.const 1))))))
            (local.set $e1 (i32.load (i32.add (local.get $s1)
              (i32.load16_u offset=0x20000 (i32.shl (i32.load16_u (local.get $p1)) (i32.const 1))))))
            (local.set $e2 (i32.load (i32.add (local.get $s2)
              (i32.load16_u offset=0x20000 (i32.shl (i32.load16_u (local.get $p2)) (i32.const 1))))))
            (local.set $e3 (i32.load (i32.add (local.get $s3)
              (i32.load16_u offset=0x20000 (i32.shl (i32.load16_u (local.get $p3)) (i32.const 1))))))
            ;; An entry that is unknown leads to a place without meaning, which is read but not followed further.
            (local.set $s0 (i32.load (i32.add (local.get $e0)
              (i32.load16_u offset=0x20000 (i32.shl (i32.load16_u offset=2 (local.get $at)) (i32.const 1))))))
            (local.set $s1 (i32.load (i32.add (local.get $e1)
              (i32.load16_u offset=0x20000 (i32.shl (i32.load16_u offset=2 (local.get $p1)) (i32.const 1))))))
            (local.set $s2 (i32.load (i32.add (local.get $e2)
              (i32.load16_u offset=0x20000 (i32.shl (i32.load16_u offset=2 (local.get $p2)) (i32.const 1))))))
            (local.set $s3 (i32.load (i32.add (local.get $e3)
              (i32.load16_u offset=0x20000 (i32.shl (i32.load16_u offset=2 (local.get $p3)) (i32.const 1))))))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (local.set $p1 (i32.add (local.get $p1) (i32.const 4)))
            (local.set $p2 (i32.add (local.get $p2) (i32.const 4)))
            (local.set $p3 (i32.add (local.get $p3) (i32.const 4)))
            (if (i32.and (i32.const 1) (i32.or
                  (i32.or
                    (i32.or (local.get $e0) (local.get $e1)) (i32.or (local.get $e2) (local.get $e3)))
                  (i32.or
                    (i32.or (local.get $s0) (local.get $s1)) (i32.or (local.get $s2) (local.get $s3)))))
              (then
                (local.set $at (local.get $start))
                (br_if $stopped (i32.eqz (call $fill (local.get $at) (local.get $ahead) (local.get $first))))
                (br_if $stopped (i32.eqz (call $fill
                  (i32.add (i32.load (local.get $end)) (i32.const 1)) (local.get $ahead) (local.get $first))))
                (br_if $stopped (i32.eqz (call $fill
                  (i32.add (i32.load offset=4 (local.get $end)) (i32.const 1)) (local.get $ahead) (local.get $first))))
                (br_if $stopped (i32.eqz (call $fill
                  (i32.add (i32.load offset=8 (local.get $end)) (i32.const 1)) (local.get $ahead) (local.get $first))))
                (br $line)))
            (br_if $turns (i32.lt_u (local.get $at) (local.get $stop))))
          (global.set $turns (i32.add (global.get $turns) (i32.const 4)))
          (local.set $e0 (i32.eq (local.get $s0) (local.get $matched)))
          (local.set $e1 (i32.eq (local.get $s1) (local.get $matched)))
          (local.set $e2 (i32.eq (local.get $s2) (local.get $matched)))
          (local.set $e3 (i32.eq (local.get $s3) (local.get $matched)))
          ;; Without a branch for each line, which would be mispredicted.
          (if (i32.and
                (i32.and
                  (i32.or (local.get $e0) (i32.eq (local.get $s0) (local.get $dead)))
                  (i32.or (local.get $e1) (i32.eq (local.get $s1) (local.get $dead))))
                (i32.and
                  (i32.or (local.get $e2) (i32.eq (local.get $s2) (local.get $dead)))
                  (i32.or (local.get $e3) (i32.eq (local.get $s3) (local.get $dead)))))
            (then
              (i32.store (local.get $out) (local.get $i))
              (local.set $out (i32.add (local.get $out) (i32.shl (local.get $e0) (i32.const 2))))
              (i32.store (local.get $out) (i32.add (local.get $i) (i32.const 1)))
              (local.set $out (i32.add (local.get $out) (i32.shl (local.get $e1) (i32.const 2))))
              (i32.store (local.get $out) (i32.add (local.get $i) (i32.const 2)))
              (local.set $out (i32.add (local.get $out) (i32.shl (local.get $e2) (i32.const 2))))
              (i32.store (local.get $out) (i32.add (local.get $i) (i32.const 3)))
              (local.set $out (i32.add (local.get $out) (i32.shl (local.get $e3) (i32.const 2))))
              (local.set $i (i32.add (local.get $i) (i32.const 4)))
              (local.set $at (i32.add (i32.load offset=12 (local.get $end)) (i32.const 1)))
              (local.set $start (local.get $at))
              (br $line)))
          (local.set $at (local.get $start))
          (i32.store offset=0x10440 (i32.const 0) (local.get $s0))
          (i32.store offset=0x10444 (i32.const 0) (local.get $s1))
          (i32.store offset=0x10448 (i32.const 0) (local.get $s2))
          (i32.store offset=0x1044c (i32.const 0) (local.get $s3))
          (local.set $four (i32.const 4)))
        (local.set $end (i32.load (i32.add (local.get $ends) (i32.shl (local.get $i) (i32.const 2)))))
        (block $settled
          (if (local.get $four)
            (then
              (local.set $state (i32.load offset=0x10440
                (i32.shl (i32.sub (i32.const 4) (local.get $four)) (i32.const 2))))
              (local.set $four (i32.sub (local.get $four) (i32.const 1)))
              (local.set $at (i32.add (local.get $at) (local.get $ahead)))
              (local.set $start (local.get $at))
              (br_if $settled (i32.eq (local.get $state) (local.get $matched)))
              (br_if $settled (i32.eq (local.get $state) (local.get $dead)))
              (global.set $open (i32.add (global.get $open) (i32.const 1)))))
          (block $tail
            (loop $pairs
              (br_if $tail (i32.ge_u (i32.add (local.get $at) (i32.const 1)) (local.get $end)))
              (local.set $entry (i32.load (i32.add (local.get $state)
                (i32.load16_u offset=0x20000 (i32.shl (i32.load16_u (local.get $at)) (i32.const 1))))))
              (if (i32.and (local.get $entry) (i32.const 1))
                (then
                  (local.set $entry (call $two (i32.const 0x10400) (local.get $state) (local.get $at)))
                  (br_if $stopped (i32.eqz (local.get $entry)))))
              (local.set $state (local.get $entry))
              (local.set $at (i32.add (local.get $at) (i32.const 2)))
              (br_if $settled (i32.eq (local.get $state) (local.get $matched)))
              (br_if $settled (i32.eq (local.get $state) (local.get $dead)))
              (br $pairs)))
          ;; The line end, and maybe a byte before it.
          (loop $singles
            (local.set $entry (i32.load (i32.add (local.get $state)
              (i32.load16_u offset=0x10000 (i32.shl (i32.load8_u (local.get $at)) (i32.const 1))))))
            (if (i32.eq (local.get $entry) (i32.const 1))
              (then
                (drop (call $one (i32.const 0x10400) (local.get $state) (local.get $at)))
                (br $stopped)))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (local.set $state (local.get $entry))
            (br_if $singles (i32.le_u (local.get $at) (local.get $end))))
          (global.set $unsure (i32.or (global.get $unsure) (i32.and (local.get $entry) (i32.const 4))))
          (local.set $state (select (local.get $matched) (local.get $dead)
            (i32.eq (i32.and (local.get $entry) (i32.const 3)) (i32.const 3)))))
        (i32.store (local.get $out) (local.get $i))
        (local.set $out (i32.add (local.get $out)
          (i32.shl (i32.eq (local.get $state) (local.get $matched)) (i32.const 2))))
        (global.set $read (i32.add (global.get $read) (i32.sub (local.get $at) (local.get $start))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (local.set $at (i32.add (local.get $end) (i32.const 1)))
        (local.set $start (local.get $at))
        (local.set $state (local.get $first))
        (br $line)))
    (global.set $place (local.get $at))
    (global.set $state (local.get $state))
    (global.set $out (local.get $out))
    (local.get $i)))
