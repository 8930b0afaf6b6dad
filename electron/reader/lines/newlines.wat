;; Counts line ends and looks for controls at memory speed: 16 bytes a step, four steps unrolled.
;; `countPlain` and `controlsPlain` in newlines.ts do the same without SIMD; a test compares them.
(module
  (memory (export "memory") 20) ;; 1 MiB of input, a page on each side, and two for colours.wat

  ;; Returns twice the number of line ends in [start, end), plus 1 if there are controls (controls.ts says which). Also
  ;; reads the byte at $end.
  (func (export "look8") (param $at i32) (param $end i32) (result i32)
    (local $v v128) (local $w v128) (local $lf v128) (local $counts v128) (local $from i32) (local $stop i32)
    (local $newlines i32) (local $above v128) (local $below v128) (local $outside v128)
    (local $eleven v128) (local $crs i32) (local $said i32)
    (local.set $lf (i8x16.splat (i32.const 10)))
    (local.set $eleven (i8x16.splat (i32.const 11)))
    (block $rest
      (loop $bySums
        ;; Until the 16 small counters could overflow.
        (local.set $from (local.get $at))
        (local.set $stop (i32.add (local.get $at) (i32.const 3840)))
        (local.set $stop (select (local.get $stop) (local.get $end) (i32.lt_u (local.get $stop) (local.get $end))))
        (br_if $rest (i32.gt_u (i32.add (local.get $at) (i32.const 64)) (local.get $stop)))
        (if (local.get $crs)
          (then
            (local.set $at (i32.add (local.get $at)
              (i32.and (i32.sub (local.get $stop) (local.get $at)) (i32.const -64))))
            (local.set $said (call $crlf (local.get $from) (local.get $at)))
            (local.set $newlines (i32.add (local.get $newlines) (i32.shr_u (local.get $said) (i32.const 1))))
            (br_if $bySums (i32.eqz (i32.and (local.get $said) (i32.const 1))))
            (local.set $crs (i32.const 0))
            (br_if $bySums (i32.eqz (call $controls (local.get $from) (local.get $at) (local.get $lf))))
            (return (i32.const 1))))
        (local.set $counts (v128.const i32x4 0 0 0 0))
        (local.set $above (v128.const i32x4 0 0 0 0))
        (local.set $outside (v128.const i32x4 0 0 0 0))
        (local.set $below (v128.const i32x4 -1 -1 -1 -1))
        (loop $by64
          (local.set $v (v128.load (local.get $at)))
          (local.set $w (i8x16.sub (local.get $v) (local.get $eleven)))
          (local.set $counts (i8x16.sub (local.get $counts) (i8x16.eq (local.get $v) (local.get $lf))))
          (local.set $above (i8x16.max_s (local.get $above) (local.get $w)))
          (local.set $outside (i8x16.min_s (local.get $outside) (local.get $w)))
          (local.set $below (i8x16.min_u (local.get $below) (local.get $w)))
          (local.set $v (v128.load offset=16 (local.get $at)))
          (local.set $w (i8x16.sub (local.get $v) (local.get $eleven)))
          (local.set $counts (i8x16.sub (local.get $counts) (i8x16.eq (local.get $v) (local.get $lf))))
          (local.set $above (i8x16.max_s (local.get $above) (local.get $w)))
          (local.set $outside (i8x16.min_s (local.get $outside) (local.get $w)))
          (local.set $below (i8x16.min_u (local.get $below) (local.get $w)))
          (local.set $v (v128.load offset=32 (local.get $at)))
          (local.set $w (i8x16.sub (local.get $v) (local.get $eleven)))
          (local.set $counts (i8x16.sub (local.get $counts) (i8x16.eq (local.get $v) (local.get $lf))))
          (local.set $above (i8x16.max_s (local.get $above) (local.get $w)))
          (local.set $outside (i8x16.min_s (local.get $outside) (local.get $w)))
          (local.set $below (i8x16.min_u (local.get $below) (local.get $w)))
          (local.set $v (v128.load offset=48 (local.get $at)))
          (local.set $w (i8x16.sub (local.get $v) (local.get $eleven)))
          (local.set $counts (i8x16.sub (local.get $counts) (i8x16.eq (local.get $v) (local.get $lf))))
          (local.set $above (i8x16.max_s (local.get $above) (local.get $w)))
          (local.set $outside (i8x16.min_s (local.get $outside) (local.get $w)))
          (local.set $below (i8x16.min_u (local.get $below) (local.get $w)))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br_if $by64 (i32.le_u (i32.add (local.get $at) (i32.const 64)) (local.get $stop))))
        (local.set $newlines (i32.add (local.get $newlines) (call $sum (local.get $counts))))
        ;; Less 11, tab and LF are -2 and -1, and printable ASCII is 21 to 115.
        (br_if $bySums (i32.eqz (v128.any_true (v128.or
          (v128.or
            (i8x16.gt_s (local.get $above) (i8x16.splat (i32.const 115)))
            (i8x16.lt_s (local.get $outside) (i8x16.splat (i32.const -2))))
          (i8x16.lt_u (local.get $below) (i8x16.splat (i32.const 21)))))))
        ;; The rest are CRs before LFs, or not ASCII.
        (local.set $crs (i32.const 1))
        (br_if $bySums (i32.eqz (call $controls (local.get $from) (local.get $at) (local.get $lf))))
        (return (i32.const 1))))
    ;; Less than 64 bytes remain.
    (i32.or
      (i32.shl (i32.add (local.get $newlines) (call $count8 (local.get $at) (local.get $end))) (i32.const 1))
      (call $controls (local.get $at) (local.get $end) (local.get $lf))))

  ;; Does what `look8` does with each 3840 bytes, for a multiple of 64 bytes up to that many. A CR before a LF becomes
  ;; like a LF. Returns twice the number of line ends, plus 1 if some bytes are neither that nor printable ASCII.
  (func $crlf (param $at i32) (param $end i32) (result i32)
    (local $v v128) (local $w v128) (local $c v128) (local $lf v128) (local $cr v128) (local $eleven v128)
    (local $counts v128) (local $lone v128) (local $above v128) (local $below v128) (local $outside v128)
    (local.set $lf (i8x16.splat (i32.const 10)))
    (local.set $cr (i8x16.splat (i32.const 13)))
    (local.set $eleven (i8x16.splat (i32.const 11)))
    (local.set $below (v128.const i32x4 -1 -1 -1 -1))
    (loop $by64
      (local.set $v (v128.load (local.get $at)))
      (local.set $c (i8x16.eq (local.get $v) (local.get $cr)))
      (local.set $w (v128.or (i8x16.sub (local.get $v) (local.get $eleven)) (local.get $c)))
      (local.set $lone (v128.or (local.get $lone) (v128.andnot
        (local.get $c) (i8x16.eq (v128.load offset=1 (local.get $at)) (local.get $lf)))))
      (local.set $counts (i8x16.sub (local.get $counts) (i8x16.eq (local.get $v) (local.get $lf))))
      (local.set $above (i8x16.max_s (local.get $above) (local.get $w)))
      (local.set $outside (i8x16.min_s (local.get $outside) (local.get $w)))
      (local.set $below (i8x16.min_u (local.get $below) (local.get $w)))
      (local.set $v (v128.load offset=16 (local.get $at)))
      (local.set $c (i8x16.eq (local.get $v) (local.get $cr)))
      (local.set $w (v128.or (i8x16.sub (local.get $v) (local.get $eleven)) (local.get $c)))
      (local.set $lone (v128.or (local.get $lone) (v128.andnot
        (local.get $c) (i8x16.eq (v128.load offset=17 (local.get $at)) (local.get $lf)))))
      (local.set $counts (i8x16.sub (local.get $counts) (i8x16.eq (local.get $v) (local.get $lf))))
      (local.set $above (i8x16.max_s (local.get $above) (local.get $w)))
      (local.set $outside (i8x16.min_s (local.get $outside) (local.get $w)))
      (local.set $below (i8x16.min_u (local.get $below) (local.get $w)))
      (local.set $v (v128.load offset=32 (local.get $at)))
      (local.set $c (i8x16.eq (local.get $v) (local.get $cr)))
      (local.set $w (v128.or (i8x16.sub (local.get $v) (local.get $eleven)) (local.get $c)))
      (local.set $lone (v128.or (local.get $lone) (v128.andnot
        (local.get $c) (i8x16.eq (v128.load offset=33 (local.get $at)) (local.get $lf)))))
      (local.set $counts (i8x16.sub (local.get $counts) (i8x16.eq (local.get $v) (local.get $lf))))
      (local.set $above (i8x16.max_s (local.get $above) (local.get $w)))
      (local.set $outside (i8x16.min_s (local.get $outside) (local.get $w)))
      (local.set $below (i8x16.min_u (local.get $below) (local.get $w)))
      (local.set $v (v128.load offset=48 (local.get $at)))
      (local.set $c (i8x16.eq (local.get $v) (local.get $cr)))
      (local.set $w (v128.or (i8x16.sub (local.get $v) (local.get $eleven)) (local.get $c)))
      (local.set $lone (v128.or (local.get $lone) (v128.andnot
        (local.get $c) (i8x16.eq (v128.load offset=49 (local.get $at)) (local.get $lf)))))
      (local.set $counts (i8x16.sub (local.get $counts) (i8x16.eq (local.get $v) (local.get $lf))))
      (local.set $above (i8x16.max_s (local.get $above) (local.get $w)))
      (local.set $outside (i8x16.min_s (local.get $outside) (local.get $w)))
      (local.set $below (i8x16.min_u (local.get $below) (local.get $w)))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (br_if $by64 (i32.lt_u (local.get $at) (local.get $end))))
    (i32.or
      (i32.shl (call $sum (local.get $counts)) (i32.const 1))
      (v128.any_true (v128.or
        (v128.or (local.get $lone) (i8x16.gt_s (local.get $above) (i8x16.splat (i32.const 115))))
        (v128.or
          (i8x16.lt_s (local.get $outside) (i8x16.splat (i32.const -2)))
          (i8x16.lt_u (local.get $below) (i8x16.splat (i32.const 21))))))))

  ;; Returns the sum of 16 small numbers.
  (func $sum (export "sum") (param $v v128) (result i32)
    (local.set $v (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $v))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $v)) (i32x4.extract_lane 1 (local.get $v)))
      (i32.add (i32x4.extract_lane 2 (local.get $v)) (i32x4.extract_lane 3 (local.get $v)))))

  ;; Returns 1 if there are controls in [at, end) other than the byte $also, otherwise 0.
  (func $controls (export "controls") (param $at i32) (param $end i32) (param $also v128) (result i32)
    (local $v v128) (local $next v128) (local $found i32) (local $all v128)
    (local $space v128) (local $tab v128) (local $lf v128) (local $cr v128) (local $delete v128)
    (local $c1 v128) (local $top v128) (local $high v128)
    (local.set $space (i8x16.splat (i32.const 32)))
    (local.set $tab (i8x16.splat (i32.const 9)))
    (local.set $lf (i8x16.splat (i32.const 10)))
    (local.set $cr (i8x16.splat (i32.const 13)))
    (local.set $delete (i8x16.splat (i32.const 127)))
    ;; C1 controls are 0xC2 and 0x80 to 0x9F in UTF-8.
    (local.set $c1 (i8x16.splat (i32.const 0xc2)))
    (local.set $top (i8x16.splat (i32.const 0xe0)))
    (local.set $high (i8x16.splat (i32.const 0x80)))
    (block $rest
      (loop $by32
        (br_if $rest (i32.gt_u (i32.add (local.get $at) (i32.const 32)) (local.get $end)))
        (local.set $all
          (v128.or
            (v128.or
              (v128.andnot
                (i8x16.lt_u (local.tee $v (v128.load (local.get $at))) (local.get $space))
                (v128.or
                  (v128.or (i8x16.eq (local.get $v) (local.get $cr)) (i8x16.eq (local.get $v) (local.get $also)))
                  (v128.or (i8x16.eq (local.get $v) (local.get $tab)) (i8x16.eq (local.get $v) (local.get $lf)))))
              (i8x16.eq (local.get $v) (local.get $delete)))
            (v128.or
              (v128.andnot
                (i8x16.eq (local.get $v) (local.get $cr))
                (i8x16.eq (local.tee $next (v128.load offset=1 (local.get $at))) (local.get $lf)))
              (v128.and
                (i8x16.eq (local.get $v) (local.get $c1))
                (i8x16.eq (v128.and (local.get $next) (local.get $top)) (local.get $high))))))
        (if (v128.any_true (v128.or (local.get $all)
          (v128.or
            (v128.or
              (v128.andnot
                (i8x16.lt_u (local.tee $v (v128.load offset=16 (local.get $at))) (local.get $space))
                (v128.or
                  (v128.or (i8x16.eq (local.get $v) (local.get $cr)) (i8x16.eq (local.get $v) (local.get $also)))
                  (v128.or (i8x16.eq (local.get $v) (local.get $tab)) (i8x16.eq (local.get $v) (local.get $lf)))))
              (i8x16.eq (local.get $v) (local.get $delete)))
            (v128.or
              (v128.andnot
                (i8x16.eq (local.get $v) (local.get $cr))
                (i8x16.eq (local.tee $next (v128.load offset=17 (local.get $at))) (local.get $lf)))
              (v128.and
                (i8x16.eq (local.get $v) (local.get $c1))
                (i8x16.eq (v128.and (local.get $next) (local.get $top)) (local.get $high)))))))
          (then (return (i32.const 1))))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br $by32)))
    (loop $by16
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (i32.const 0))))
      (local.set $found (i8x16.bitmask
        (v128.or
            (v128.or
              (v128.andnot
                (i8x16.lt_u (local.tee $v (v128.load (local.get $at))) (local.get $space))
                (v128.or
                  (v128.or (i8x16.eq (local.get $v) (local.get $cr)) (i8x16.eq (local.get $v) (local.get $also)))
                  (v128.or (i8x16.eq (local.get $v) (local.get $tab)) (i8x16.eq (local.get $v) (local.get $lf)))))
              (i8x16.eq (local.get $v) (local.get $delete)))
            (v128.or
              (v128.andnot
                (i8x16.eq (local.get $v) (local.get $cr))
                (i8x16.eq (local.tee $next (v128.load offset=1 (local.get $at))) (local.get $lf)))
              (v128.and
                (i8x16.eq (local.get $v) (local.get $c1))
                (i8x16.eq (v128.and (local.get $next) (local.get $top)) (local.get $high)))))))
      (if (local.get $found)
        (then (return (i32.lt_u (i32.add (local.get $at) (i32.ctz (local.get $found))) (local.get $end)))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $by16))
    (unreachable))

  ;; Bytes equal to 0x0A in [start, end).
  (func $count8 (export "count8") (param $at i32) (param $end i32) (result i32)
    (local $total i32) (local $stop i32) (local $nl v128)
    (local.set $nl (i8x16.splat (i32.const 10)))
    (local.set $stop (i32.sub (local.get $end) (i32.const 64)))
    (block $done64
      (loop $by64
        (br_if $done64 (i32.gt_s (local.get $at) (local.get $stop)))
        (local.set $total (i32.add (local.get $total) (i32.add
          (i32.add
            (i32.popcnt (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (local.get $nl))))
            (i32.popcnt (i8x16.bitmask (i8x16.eq (v128.load offset=16 (local.get $at)) (local.get $nl)))))
          (i32.add
            (i32.popcnt (i8x16.bitmask (i8x16.eq (v128.load offset=32 (local.get $at)) (local.get $nl))))
            (i32.popcnt (i8x16.bitmask (i8x16.eq (v128.load offset=48 (local.get $at)) (local.get $nl))))))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $by64)))
    (block $done
      (loop $by1
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $total (i32.add (local.get $total)
          (i32.eq (i32.load8_u (local.get $at)) (i32.const 10))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $by1)))
    (local.get $total))

  ;; 16-bit units equal to $unit (0x000A as it lies in memory) in [start, end); a half unit at the end is not counted.
  (func (export "count16") (param $at i32) (param $end i32) (param $unit i32) (result i32)
    (local $total i32) (local $stop i32) (local $nl v128)
    (local.set $nl (i16x8.splat (local.get $unit)))
    (local.set $stop (i32.sub (local.get $end) (i32.const 16)))
    (block $done16
      (loop $by16
        (br_if $done16 (i32.gt_s (local.get $at) (local.get $stop)))
        (local.set $total (i32.add (local.get $total)
          (i32.popcnt (i16x8.bitmask (i16x8.eq (v128.load (local.get $at)) (local.get $nl))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $by16)))
    (local.set $stop (i32.sub (local.get $end) (i32.const 2)))
    (block $done
      (loop $by2
        (br_if $done (i32.gt_s (local.get $at) (local.get $stop)))
        (local.set $total (i32.add (local.get $total)
          (i32.eq (i32.load16_u (local.get $at)) (local.get $unit))))
        (local.set $at (i32.add (local.get $at) (i32.const 2)))
        (br $by2)))
    (local.get $total)))
