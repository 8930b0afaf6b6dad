;; Finds the controls that may split a literal in a line's bytes. A test compares it with scanner-plain.ts.
(module
  (import "env" "memory" (memory 1)) ;; laid out in memory.ts
  (import "env" "count" (func $count (param i32 i32) (result i32))) ;; of lines.wat
  (import "env" "lineEnd" (func $lineEnd (param i32 i32) (result i32)))

  ;; Finds the lines whose text may hold a literal that their bytes don't. In such a line a control separates two
  ;; neighbours in a literal and is left out of the text, or a control does more (redraws, links).
  ;; Returns the same as `find`, with the place of the first such control, less $base.
  ;; Reads up to 80 bytes past the end. $scratch has room for 5000 places.
  ;; $nibbles is 0 unless all controls are colours. It finds each byte b where b | alike is the table's entry for the
  ;; lower half of b: the bytes with places in $before, and few others.
  ;;
  ;;   at         offset  bytes  contents
  ;;   $before    0       1024   for each byte, the places right after it in a literal, as 32 bits
  ;;   $behind    0       1024   for each byte, the places of the byte itself in a literal, as 32 bits
  ;;   $nibbles   0       16     table: an entry for each lower half of a byte
  ;;   $nibbles   16      16     alike: some upper bits, 16 times
  (func (export "seams")
    (param $at i32) (param $end i32) (param $before i32) (param $behind i32) (param $nibbles i32)
    (param $scratch i32) (param $base i32) (param $lines i32) (param $places i32) (result i32)
    (local $start i32) (local $line i32) (local $counted i32) (local $skip i32) (local $count i32)
    (local $special i32) (local $last i32) (local $place i32) (local $next i32)
    (local $near i32)
    (local $v v128) (local $zero v128) (local $eleven v128) (local $m v128)
    (local.set $zero (i8x16.splat (i32.const 0x30)))
    (local.set $eleven (i8x16.splat (i32.const 11)))
    (local.set $m (i8x16.splat (i32.const 0x6d)))
    (local.set $near (i32.sub (local.get $end) (i32.const 16)))
    (local.set $start (local.get $at))
    (local.set $counted (local.get $at))
    (block $done
      (loop $by4096
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        ;; Locate the controls first, then classify them: branches that depend on the text cost the most.
        (local.set $next (i32.add (local.get $at) (i32.const 4096)))
        (local.set $next (select (local.get $next) (local.get $end) (i32.lt_u (local.get $next) (local.get $end))))
        (local.set $last (if (result i32) (local.get $nibbles)
          (then (call $colours (local.get $at) (local.get $next) (local.get $nibbles) (local.get $scratch)))
          (else (call $specials (local.get $at) (local.get $next) (local.get $scratch)))))
        (local.set $at (local.get $next))
        (local.set $special (local.get $scratch))
        (block $none
          (loop $each
            (br_if $none (i32.ge_u (local.get $special) (local.get $last)))
            (local.set $place (i32.load (local.get $special)))
            (local.set $special (i32.add (local.get $special) (i32.const 4)))
            ;; Most controls are ESC [ digits and separators m, after a byte that no literal continues.
            (block $odd
              (br_if $odd (i32.gt_u (local.get $place) (local.get $near)))
              (br_if $odd (i32.ne (i32.load16_u (local.get $place)) (i32.const 0x5b1b)))
              (local.set $v (v128.load (local.get $place)))
              ;; The carry runs through the bits of digits and separators to the byte after them.
              (br_if $odd (i32.eqz (i32.and
                (i32.add (i32.const 4) (i8x16.bitmask (i8x16.le_u
                  (i8x16.sub (local.get $v) (local.get $zero)) (local.get $eleven))))
                (i8x16.bitmask (i8x16.eq (local.get $v) (local.get $m))))))
              (br_if $each (i32.eqz (i32.load (i32.add (local.get $before)
                (i32.shl (i32.load8_u (i32.sub (local.get $place) (i32.const 1))) (i32.const 2)))))))
            (br_if $each (i32.ge_u (local.get $place) (local.get $end)))
            (br_if $each (i32.lt_u (local.get $place) (local.get $skip)))
            (local.set $next (call $behind (local.get $place) (local.get $end)))
            (if (local.get $next)
              (then
                ;; Left out of the text: are the bytes before and after it neighbours in a literal?
                (br_if $each (i32.eq (local.get $place) (local.get $start)))
                (br_if $each (i32.ge_u (local.get $next) (local.get $end)))
                (br_if $each (i32.eqz (i32.and
                  (i32.load (i32.add (local.get $before)
                    (i32.shl (i32.load8_u (i32.sub (local.get $place) (i32.const 1))) (i32.const 2))))
                  (i32.load (i32.add (local.get $behind)
                    (i32.shl (i32.load8_u (local.get $next)) (i32.const 2)))))))))
            (local.set $line (i32.add (local.get $line) (call $count (local.get $counted) (local.get $place))))
            (local.set $counted (local.get $place))
            (i32.store (i32.add (local.get $lines) (i32.shl (local.get $count) (i32.const 2))) (local.get $line))
            (i32.store (i32.add (local.get $places) (i32.shl (local.get $count) (i32.const 2)))
              (i32.sub (local.get $place) (local.get $base)))
            (local.set $count (i32.add (local.get $count) (i32.const 1)))
            (local.set $skip (call $lineEnd (local.get $place) (local.get $end)))
            (br $each)))
        (br $by4096)))
    (local.get $count))

  ;; Lists the places of ESC in [at, end) at $out, if the table at $nibbles knows the byte before; returns the end of the
  ;; list. A few places may be past the end.
  (func $colours (param $at i32) (param $end i32) (param $nibbles i32) (param $out i32) (result i32)
    (local $mask i64) (local $v v128) (local $escape v128) (local $half v128) (local $table v128) (local $alike v128)
    (local $m0 v128) (local $m1 v128) (local $m2 v128) (local $m3 v128)
    (local.set $escape (i8x16.splat (i32.const 27)))
    (local.set $half (i8x16.splat (i32.const 15)))
    (local.set $table (v128.load (local.get $nibbles)))
    (local.set $alike (v128.load offset=16 (local.get $nibbles)))
    (loop $by64
      (local.set $v (v128.load (i32.sub (local.get $at) (i32.const 1))))
      (local.set $m0 (v128.and
        (i8x16.eq (v128.load (local.get $at)) (local.get $escape))
        (i8x16.eq
          (i8x16.swizzle (local.get $table) (v128.and (local.get $half) (local.get $v)))
          (v128.or (local.get $alike) (local.get $v)))))
      (local.set $v (v128.load offset=15 (local.get $at)))
      (local.set $m1 (v128.and
        (i8x16.eq (v128.load offset=16 (local.get $at)) (local.get $escape))
        (i8x16.eq
          (i8x16.swizzle (local.get $table) (v128.and (local.get $half) (local.get $v)))
          (v128.or (local.get $alike) (local.get $v)))))
      (local.set $v (v128.load offset=31 (local.get $at)))
      (local.set $m2 (v128.and
        (i8x16.eq (v128.load offset=32 (local.get $at)) (local.get $escape))
        (i8x16.eq
          (i8x16.swizzle (local.get $table) (v128.and (local.get $half) (local.get $v)))
          (v128.or (local.get $alike) (local.get $v)))))
      (local.set $v (v128.load offset=47 (local.get $at)))
      (local.set $m3 (v128.and
        (i8x16.eq (v128.load offset=48 (local.get $at)) (local.get $escape))
        (i8x16.eq
          (i8x16.swizzle (local.get $table) (v128.and (local.get $half) (local.get $v)))
          (v128.or (local.get $alike) (local.get $v)))))
      (if (i8x16.bitmask (v128.or
            (v128.or (local.get $m0) (local.get $m1))
            (v128.or (local.get $m2) (local.get $m3))))
        (then
          (local.set $mask (i64.or
            (i64.extend_i32_u (i32.or
              (i8x16.bitmask (local.get $m0))
              (i32.shl (i8x16.bitmask (local.get $m1)) (i32.const 16))))
            (i64.shl (i64.extend_i32_u (i32.or
              (i8x16.bitmask (local.get $m2))
              (i32.shl (i8x16.bitmask (local.get $m3)) (i32.const 16)))) (i64.const 32))))
          (loop $each
            (i32.store (local.get $out) (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $mask)))))
            (local.set $out (i32.add (local.get $out) (i32.const 4)))
            (local.set $mask (i64.and (local.get $mask) (i64.sub (local.get $mask) (i64.const 1))))
            (br_if $each (i64.ne (local.get $mask) (i64.const 0))))))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (br_if $by64 (i32.lt_u (local.get $at) (local.get $end))))
    (local.get $out))

  ;; Writes the places of controls in [at, end) to $out; returns the end of the list. A few may be past the end.
  (func $specials (param $at i32) (param $end i32) (param $out i32) (result i32)
    (local $mask i64) (local $to i32) (local $v v128)
    (local $m0 v128) (local $m1 v128) (local $m2 v128) (local $m3 v128)
    (local $controls v128) (local $tab v128) (local $lf v128) (local $delete v128) (local $c1 v128)
    (local.set $controls (i8x16.splat (i32.const 31)))
    (local.set $tab (i8x16.splat (i32.const 9)))
    (local.set $lf (i8x16.splat (i32.const 10)))
    (local.set $delete (i8x16.splat (i32.const 127)))
    (local.set $c1 (i8x16.splat (i32.const 0xc2)))
    (loop $by64
      ;; Controls except tab and LF, and the first byte of a C1 control.
      (local.set $v (v128.load (local.get $at)))
      (local.set $m0 (v128.or
        (v128.andnot
          (i8x16.le_u (local.get $v) (local.get $controls))
          (v128.or (i8x16.eq (local.get $v) (local.get $tab)) (i8x16.eq (local.get $v) (local.get $lf))))
        (v128.or (i8x16.eq (local.get $v) (local.get $delete)) (i8x16.eq (local.get $v) (local.get $c1)))))
      (local.set $v (v128.load offset=16 (local.get $at)))
      (local.set $m1 (v128.or
        (v128.andnot
          (i8x16.le_u (local.get $v) (local.get $controls))
          (v128.or (i8x16.eq (local.get $v) (local.get $tab)) (i8x16.eq (local.get $v) (local.get $lf))))
        (v128.or (i8x16.eq (local.get $v) (local.get $delete)) (i8x16.eq (local.get $v) (local.get $c1)))))
      (local.set $v (v128.load offset=32 (local.get $at)))
      (local.set $m2 (v128.or
        (v128.andnot
          (i8x16.le_u (local.get $v) (local.get $controls))
          (v128.or (i8x16.eq (local.get $v) (local.get $tab)) (i8x16.eq (local.get $v) (local.get $lf))))
        (v128.or (i8x16.eq (local.get $v) (local.get $delete)) (i8x16.eq (local.get $v) (local.get $c1)))))
      (local.set $v (v128.load offset=48 (local.get $at)))
      (local.set $m3 (v128.or
        (v128.andnot
          (i8x16.le_u (local.get $v) (local.get $controls))
          (v128.or (i8x16.eq (local.get $v) (local.get $tab)) (i8x16.eq (local.get $v) (local.get $lf))))
        (v128.or (i8x16.eq (local.get $v) (local.get $delete)) (i8x16.eq (local.get $v) (local.get $c1)))))
      (local.set $mask (i64.or
        (i64.extend_i32_u (i32.or
          (i8x16.bitmask (local.get $m0))
          (i32.shl (i8x16.bitmask (local.get $m1)) (i32.const 16))))
        (i64.shl (i64.extend_i32_u (i32.or
          (i8x16.bitmask (local.get $m2))
          (i32.shl (i8x16.bitmask (local.get $m3)) (i32.const 16)))) (i64.const 32))))
      (local.set $to (local.get $out))
      (local.set $out
        (i32.add (local.get $out) (i32.shl (i32.wrap_i64 (i64.popcnt (local.get $mask))) (i32.const 2))))
      ;; Write four at once; the next round overwrites the excess.
      (block $written
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
          (br_if $by4 (i32.lt_u (local.get $to) (local.get $out)))))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (br_if $by64 (i32.lt_u (local.get $at) (local.get $end))))
    (local.get $out))

  ;; Returns the address after the digits and separators (`0` to `;`) at $at. Reads 16 bytes.
  (func $parameters (param $at i32) (result i32)
    (i32.add (local.get $at) (i32.ctz (i32.xor
      (i32.const -1)
      (i8x16.bitmask (i8x16.lt_u
        (i8x16.sub (v128.load (local.get $at)) (i8x16.splat (i32.const 0x30)))
        (i8x16.splat (i32.const 12))))))))

  ;; Returns the address after a control that line text leaves out and that has no other effect; 0 if it may have
  ;; one. For a 0xC2 that begins no C1 control, and for the CR of a line's end, returns $end: nothing is hidden
  ;; there.
  (func $behind (param $at i32) (param $end i32) (result i32)
    (local $byte i32) (local $next i32) (local $final i32)
    (local.set $byte (i32.load8_u (local.get $at)))
    (local.set $next (i32.add (local.get $at) (i32.const 1)))
    (if (i32.eq (local.get $byte) (i32.const 27))
      (then
        (if (i32.ne (i32.load8_u (local.get $next)) (i32.const 0x5b)) (then (return (i32.const 0))))
        (local.set $next (call $parameters (i32.add (local.get $at) (i32.const 2))))
        (if (i32.ge_u (local.get $next) (local.get $end)) (then (return (i32.const 0))))
        (local.set $final (i32.load8_u (local.get $next)))
        (local.set $byte (i32.sub (local.get $next) (local.get $at)))
        (local.set $next (i32.add (local.get $next) (i32.const 1)))
        (if (i32.eq (local.get $final) (i32.const 0x6d)) (then (return (local.get $next))))
        ;; ESC [ K, ESC [ 0 K.
        (if (i32.ne (local.get $final) (i32.const 0x4b)) (then (return (i32.const 0))))
        (if (i32.eq (local.get $byte) (i32.const 2)) (then (return (local.get $next))))
        (if (i32.ne (local.get $byte) (i32.const 3)) (then (return (i32.const 0))))
        (return (select (local.get $next) (i32.const 0)
          (i32.eq (i32.load8_u offset=2 (local.get $at)) (i32.const 0x30))))))
    (if (i32.eq (local.get $byte) (i32.const 0xc2))
      (then
        (return (select (i32.const 0) (local.get $end)
          (i32.eq (i32.and (i32.load8_u (local.get $next)) (i32.const 0xe0)) (i32.const 0x80))))))
    ;; A bit each for 8, 11, 12 and 14: backspace moves, in place of vertical tab and form feed the text has a space,
    ;; and behind a shift out it may be drawn.
    (if (i32.and (i32.shr_u (i32.const 0x5900) (local.get $byte)) (i32.const 1)) (then (return (i32.const 0))))
    (if (i32.ne (local.get $byte) (i32.const 13)) (then (return (local.get $next))))
    (if (i32.ge_u (local.get $next) (local.get $end)) (then (return (local.get $end))))
    (select (local.get $end) (i32.const 0) (i32.eq (i32.load8_u (local.get $next)) (i32.const 10)))))
