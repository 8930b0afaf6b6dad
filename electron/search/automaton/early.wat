;; Runs the automaton like kernel.wat, which explains the terms, but line by line, each only until its outcome is known.
;; For expressions that match or fail near a line's start. A test compares it with kernel.wat.
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

  ;; Reads lines $i to $count, whose ends are at $ends: line $i from $at in $state, the others from their starts in
  ;; $first. Stops a line in the states $matched and $dead. Writes the numbers of lines that match to $out. Returns
  ;; $count; less at an entry that is unknown, which is then the first lane's (kernel.wat).
  (func (export "early")
    (param $ends i32) (param $i i32) (param $count i32) (param $at i32) (param $state i32)
    (param $first i32) (param $matched i32) (param $dead i32) (param $out i32) (result i32)
    (local $end i32) (local $entry i32) (local $start i32)
    (local.set $start (local.get $at))
    (block $stopped
      (loop $line
        (br_if $stopped (i32.ge_u (local.get $i) (local.get $count)))
        (local.set $end (i32.load (i32.add (local.get $ends) (i32.shl (local.get $i) (i32.const 2)))))
        (block $settled
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
