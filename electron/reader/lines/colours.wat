;; Counts line ends in coloured text, and looks for controls that are not colours. A test compares it with
;; `controlsPlain` in newlines.ts.
(module
  (import "env" "memory" (memory 20)) ;; of newlines.wat
  (import "env" "controls" (func $controls (param i32 i32 v128) (result i32)))
  (import "env" "count8" (func $count8 (param i32 i32) (result i32)))
  (import "env" "sum" (func $sum (param v128) (result i32)))

  ;; Returns twice the number of line ends in [at, end), plus 1 if not all controls there are colours (controls.ts says
  ;; what these are). Marks the seam of each colour (controls.ts) in the table at 0x120000, and sometimes that of two
  ;; NULs. Lists places at 0x130000. Reads up to 64 bytes past the end, and the byte before $at.
  (func (export "coloured") (param $at i32) (param $end i32) (result i32)
    (local $v v128) (local $w v128) (local $above v128) (local $below v128) (local $outside v128)
    (local $e0 v128) (local $e1 v128) (local $e2 v128) (local $e3 v128)
    (local $escape v128) (local $eleven v128) (local $zero v128)
    (local $m v128) (local $k v128) (local $third v128)
    (local $lf v128) (local $counts v128) (local $newlines i32)
    (local $from i32) (local $stop i32) (local $place i32) (local $odd i32) (local $mask i64) (local $final i32)
    (local $to i32) (local $last i32)
    (local.set $lf (i8x16.splat (i32.const 10)))
    (local.set $escape (i8x16.splat (i32.const 27)))
    (local.set $eleven (i8x16.splat (i32.const 11)))
    (local.set $zero (i8x16.splat (i32.const 0x30)))
    (local.set $m (i8x16.splat (i32.const 0x6d)))
    (local.set $k (i8x16.splat (i32.const 0x4b)))
    (local.set $third (v128.const i32x4 0x00ff0000 0 0 0))
    (block $rest
      (loop $bySums
        (local.set $from (local.get $at))
        (local.set $stop (i32.add (local.get $at) (i32.const 3840)))
        (local.set $stop (select (local.get $stop) (local.get $end) (i32.lt_u (local.get $stop) (local.get $end))))
        (br_if $rest (i32.gt_u (i32.add (local.get $at) (i32.const 64)) (local.get $stop)))
        (local.set $odd (i32.const 0))
        (local.set $to (i32.const 0x130000))
        (local.set $last (local.get $to))
        (local.set $counts (v128.const i32x4 0 0 0 0))
        (local.set $above (v128.const i32x4 0 0 0 0))
        (local.set $outside (v128.const i32x4 0 0 0 0))
        (local.set $below (v128.const i32x4 -1 -1 -1 -1))
        (loop $by64
          (local.set $v (v128.load (local.get $at)))
          (local.set $counts (i8x16.sub (local.get $counts) (i8x16.eq (local.get $v) (local.get $lf))))
          (local.set $e0 (i8x16.eq (local.get $v) (local.get $escape)))
          ;; An ESC becomes like a LF.
          (local.set $w (v128.or (i8x16.sub (local.get $v) (local.get $eleven)) (local.get $e0)))
          (local.set $above (i8x16.max_s (local.get $above) (local.get $w)))
          (local.set $outside (i8x16.min_s (local.get $outside) (local.get $w)))
          (local.set $below (i8x16.min_u (local.get $below) (local.get $w)))
          (local.set $v (v128.load offset=16 (local.get $at)))
          (local.set $counts (i8x16.sub (local.get $counts) (i8x16.eq (local.get $v) (local.get $lf))))
          (local.set $e1 (i8x16.eq (local.get $v) (local.get $escape)))
          (local.set $w (v128.or (i8x16.sub (local.get $v) (local.get $eleven)) (local.get $e1)))
          (local.set $above (i8x16.max_s (local.get $above) (local.get $w)))
          (local.set $outside (i8x16.min_s (local.get $outside) (local.get $w)))
          (local.set $below (i8x16.min_u (local.get $below) (local.get $w)))
          (local.set $v (v128.load offset=32 (local.get $at)))
          (local.set $counts (i8x16.sub (local.get $counts) (i8x16.eq (local.get $v) (local.get $lf))))
          (local.set $e2 (i8x16.eq (local.get $v) (local.get $escape)))
          (local.set $w (v128.or (i8x16.sub (local.get $v) (local.get $eleven)) (local.get $e2)))
          (local.set $above (i8x16.max_s (local.get $above) (local.get $w)))
          (local.set $outside (i8x16.min_s (local.get $outside) (local.get $w)))
          (local.set $below (i8x16.min_u (local.get $below) (local.get $w)))
          (local.set $v (v128.load offset=48 (local.get $at)))
          (local.set $counts (i8x16.sub (local.get $counts) (i8x16.eq (local.get $v) (local.get $lf))))
          (local.set $e3 (i8x16.eq (local.get $v) (local.get $escape)))
          (local.set $w (v128.or (i8x16.sub (local.get $v) (local.get $eleven)) (local.get $e3)))
          (local.set $above (i8x16.max_s (local.get $above) (local.get $w)))
          (local.set $outside (i8x16.min_s (local.get $outside) (local.get $w)))
          (local.set $below (i8x16.min_u (local.get $below) (local.get $w)))
          (local.set $mask (i64.or
            (i64.extend_i32_u (i32.or
              (i8x16.bitmask (local.get $e0))
              (i32.shl (i8x16.bitmask (local.get $e1)) (i32.const 16))))
            (i64.shl (i64.extend_i32_u (i32.or
              (i8x16.bitmask (local.get $e2))
              (i32.shl (i8x16.bitmask (local.get $e3)) (i32.const 16)))) (i64.const 32))))
          ;; List the places of four at once, whether or not there are so many: branches would mispredict.
          (local.set $last (i32.add (local.get $last)
            (i32.shl (i32.wrap_i64 (i64.popcnt (local.get $mask))) (i32.const 2))))
          (loop $by4
            (i32.store (local.get $to) (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $mask)))))
            (local.set $mask (i64.and (local.get $mask) (i64.sub (local.get $mask) (i64.const 1))))
            (i32.store offset=4 (local.get $to) (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $mask)))))
            (local.set $mask (i64.and (local.get $mask) (i64.sub (local.get $mask) (i64.const 1))))
            (i32.store offset=8 (local.get $to) (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $mask)))))
            (local.set $mask (i64.and (local.get $mask) (i64.sub (local.get $mask) (i64.const 1))))
            (i32.store offset=12 (local.get $to) (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $mask)))))
            (local.set $mask (i64.and (local.get $mask) (i64.sub (local.get $mask) (i64.const 1))))
            (local.set $to (i32.add (local.get $to) (i32.const 16)))
            (br_if $by4 (i32.lt_u (local.get $to) (local.get $last))))
          (local.set $to (local.get $last))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br_if $by64 (i32.le_u (i32.add (local.get $at) (i32.const 64)) (local.get $stop))))
        ;; Check each, and mark its seam.
        (local.set $to (i32.const 0x130000))
        (block $checked
          (loop $each
            (br_if $checked (i32.ge_u (local.get $to) (local.get $last)))
            (local.set $place (i32.load (local.get $to)))
            (local.set $to (i32.add (local.get $to) (i32.const 4)))
            (local.set $v (v128.load (local.get $place)))
            ;; The carry runs through the bits of digits and separators to the byte after them.
            (local.set $final (i32.and
              (i32.add (i32.const 4) (i8x16.bitmask (i8x16.le_u
                (i8x16.sub (local.get $v) (local.get $zero)) (local.get $eleven))))
              (i8x16.bitmask (v128.or
                (i8x16.eq (local.get $v) (local.get $m))
                (v128.and (i8x16.eq (local.get $v) (local.get $k)) (local.get $third))))))
            (local.set $odd (i32.or (local.get $odd) (i32.or
              (i32.ne (i32.load16_u (local.get $place)) (i32.const 0x5b1b))
              (i32.eqz (local.get $final)))))
            (i32.store8 offset=0x120000
              (select
                (i32.or
                  (i32.shl (i32.load8_u (i32.sub (local.get $place) (i32.const 1))) (i32.const 8))
                  (i32.load8_u offset=1 (i32.add (local.get $place) (i32.ctz (local.get $final)))))
                (i32.const 0)
                (local.get $final))
              (i32.const 1))
            (br $each)))
        (local.set $newlines (i32.add (local.get $newlines) (call $sum (local.get $counts))))
        (block $others
          (if (local.get $odd)
            (then (br_if $others (call $others (local.get $from) (local.get $at))) (br $bySums)))
          (br_if $bySums (i32.eqz (v128.any_true (v128.or
            (v128.or
              (i8x16.gt_s (local.get $above) (i8x16.splat (i32.const 115)))
              (i8x16.lt_s (local.get $outside) (i8x16.splat (i32.const -2))))
            (i8x16.lt_u (local.get $below) (i8x16.splat (i32.const 21)))))))
          (br_if $bySums (i32.eqz (call $controls (local.get $from) (local.get $at) (local.get $escape)))))
        ;; Nothing remains to be looked for but line ends.
        (return (i32.or
          (i32.const 1)
          (i32.shl (i32.add (local.get $newlines) (call $count8 (local.get $at) (local.get $end))) (i32.const 1))))))
    (i32.or
      (i32.shl (i32.add (local.get $newlines) (call $count8 (local.get $at) (local.get $end))) (i32.const 1))
      (call $others (local.get $at) (local.get $end))))

  ;; Returns 1 if [at, end) has controls that are not colours, otherwise 0.
  (func $others (param $at i32) (param $end i32) (result i32)
    (local $found i32) (local $place i32) (local $next i32) (local $escape v128)
    (local.set $escape (i8x16.splat (i32.const 27)))
    (if (call $controls (local.get $at) (local.get $end) (local.get $escape)) (then (return (i32.const 1))))
    (block $done
      (loop $by16
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $found (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (local.get $escape))))
        (block $none
          (loop $each
            (br_if $none (i32.eqz (local.get $found)))
            (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $found))))
            (local.set $found (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))
            (br_if $done (i32.ge_u (local.get $place) (local.get $end)))
            (if (i32.ne (i32.load16_u (local.get $place)) (i32.const 0x5b1b)) (then (return (i32.const 1))))
            (local.set $next (call $parameters (i32.add (local.get $place) (i32.const 2))))
            (if (i32.eq (local.get $next) (i32.add (local.get $place) (i32.const 18)))
              (then (local.set $next (call $parameters (local.get $next)))))
            ;; ESC [ K has no parameters.
            (if (i32.ne (i32.load8_u (local.get $next))
                  (select (i32.const 0x4b) (i32.const 0x6d) (i32.eq
                    (i32.load16_u offset=1 (local.get $place)) (i32.const 0x4b5b))))
              (then (return (i32.const 1))))
            (i32.store8 offset=0x120000
              (i32.or
                (i32.shl (i32.load8_u (i32.sub (local.get $place) (i32.const 1))) (i32.const 8))
                (i32.load8_u offset=1 (local.get $next)))
              (i32.const 1))
            (br $each)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $by16)))
    (i32.const 0))

  ;; Returns the address after the digits and separators (`0` to `;`) among the 16 bytes at $at.
  (func $parameters (param $at i32) (result i32)
    (i32.add (local.get $at) (i32.ctz (i32.xor
      (i32.const -1)
      (i8x16.bitmask (i8x16.lt_u
        (i8x16.sub (v128.load (local.get $at)) (i8x16.splat (i32.const 0x30)))
        (i8x16.splat (i32.const 12)))))))))
