;; Holds a line as the cells of a terminal, as cell-line.ts does; a test compares them. memory.ts lays out the memory.
(module
  (import "env" "memory" (memory 1))
  ;; See `cellWidth` in cell-line.ts.
  (import "js" "cellWidth" (func $cellWidth (param i32) (result i32)))

  ;; Cells of 32 bits at 0x5b0000: a code point, 0 if blank, 1 for the second half of a wide character.
  (global $length (mut i32) (i32.const 0))
  (global $column (export "column") (mut i32) (i32.const 0))
  ;; Cells blanked for controls.
  (global $cost (export "cost") (mut i32) (i32.const 0))
  ;; Address at which reading continues.
  (global $read (export "read") (mut i32) (i32.const 0))
  ;; 1 if the line has something not handled here.
  (global $odd (export "odd") (mut i32) (i32.const 0))

  (func $cell (param $column i32) (result i32)
    (i32.add (i32.const 0x5b0000) (i32.shl (local.get $column) (i32.const 2))))

  ;; Returns the cells of a code point: cached, plus 1, at 0x9d0000.
  (func $widthOf (param $code i32) (result i32)
    (local $width i32)
    (if (i32.lt_u (local.get $code) (i32.const 0x300)) (then (return (i32.const 1))))
    (if (i32.gt_u (local.get $code) (i32.const 0xffff)) (then (return (call $cellWidth (local.get $code)))))
    (local.set $width (i32.load8_u offset=0x9d0000 (local.get $code)))
    (if (i32.eqz (local.get $width))
      (then
        (local.set $width (i32.add (i32.const 1) (call $cellWidth (local.get $code))))
        (i32.store8 offset=0x9d0000 (local.get $code) (local.get $width))))
    (i32.sub (local.get $width) (i32.const 1)))

  (func $blank (param $from i32) (param $to i32)
    (global.set $cost (i32.add (global.get $cost) (i32.sub (local.get $to) (local.get $from))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $from) (local.get $to)))
        (i32.store (call $cell (local.get $from)) (i32.const 0))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $each))))

  ;; Replaces a wide character that crosses $at by spaces.
  (func $split (param $at i32)
    (if (i32.ge_u (local.get $at) (global.get $length)) (then (return)))
    (local.set $at (call $cell (local.get $at)))
    (if (i32.ne (i32.load (local.get $at)) (i32.const 1)) (then (return)))
    (i32.store (i32.sub (local.get $at) (i32.const 4)) (i32.const 0x20))
    (i32.store (local.get $at) (i32.const 0x20)))

  (func $put (param $code i32) (param $width i32)
    (local $end i32) (local $at i32)
    (local.set $end (i32.add (global.get $column) (local.get $width)))
    (if (i32.lt_u (global.get $column) (global.get $length))
      (then
        (call $split (global.get $column))
        (call $split (local.get $end)))
      (else (if (i32.gt_u (global.get $column) (global.get $length))
        (then (call $blank (global.get $length) (global.get $column))))))
    (local.set $at (call $cell (global.get $column)))
    (i32.store (local.get $at) (local.get $code))
    (if (i32.eq (local.get $width) (i32.const 2)) (then (i32.store offset=4 (local.get $at) (i32.const 1))))
    (if (i32.gt_u (local.get $end) (global.get $length)) (then (global.set $length (local.get $end))))
    (global.set $column (local.get $end)))

  ;; Writes text from $at up to $end, valid UTF-8, into cells, up to the first control. Tabs and marks are odd.
  (func $write (export "write") (param $at i32) (param $end i32)
    (local $code i32) (local $width i32)
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $code (i32.load8_u (local.get $at)))
        (if (i32.lt_u (i32.sub (local.get $code) (i32.const 0x20)) (i32.const 0x5f))
          (then
            ;; One cell, and no wide character under it.
            (local.set $width (call $cell (global.get $column)))
            (if (if (result i32) (i32.lt_u (global.get $column) (global.get $length))
                  (then (i32.and
                    (i32.ne (i32.load (local.get $width)) (i32.const 1))
                    (i32.ne (i32.load offset=4 (local.get $width)) (i32.const 1))))
                  (else (i32.eq (global.get $column) (global.get $length))))
              (then
                (i32.store (local.get $width) (local.get $code))
                (global.set $column (i32.add (global.get $column) (i32.const 1)))
                (if (i32.gt_u (global.get $column) (global.get $length)) (then (global.set $length (global.get $column))))
                (local.set $at (i32.add (local.get $at) (i32.const 1)))
                (br $each)))))
        (br_if $done (i32.or (i32.lt_u (local.get $code) (i32.const 0x20)) (i32.eq (local.get $code) (i32.const 0x7f))))
        (local.set $width (i32.const 1))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (if (i32.ge_u (local.get $code) (i32.const 0x80))
          (then
            (local.set $width (i32.sub (i32.clz (i32.xor (local.get $code) (i32.const 0xff))) (i32.const 25)))
            (local.set $code (i32.and (local.get $code) (i32.shr_u (i32.const 0x3f) (local.get $width))))
            (loop $more
              (local.set $code (i32.or (i32.shl (local.get $code) (i32.const 6))
                (i32.and (i32.load8_u (local.get $at)) (i32.const 0x3f))))
              (local.set $at (i32.add (local.get $at) (i32.const 1)))
              (local.set $width (i32.sub (local.get $width) (i32.const 1)))
              (br_if $more (local.get $width)))
            (local.set $width (call $widthOf (local.get $code)))
            (if (i32.or (i32.eqz (local.get $width)) (i32.lt_u (local.get $code) (i32.const 0xa0)))
              (then
                (global.set $odd (i32.const 1))
                (br $done)))))
        (call $put (local.get $code) (local.get $width))
        (br $each)))
    (global.set $read (local.get $at)))

  (func $erase (param $from i32) (param $to i32)
    (if (i32.ge_u (local.get $from) (global.get $length)) (then (return)))
    (call $split (local.get $from))
    (if (i32.ge_u (local.get $to) (global.get $length))
      (then
        (global.set $length (local.get $from))
        (return)))
    (call $split (local.get $to))
    (call $blank (local.get $from) (local.get $to)))

  ;; Erases, or moves the cursor. Rarer sequences, such as tabs and insertion, are odd.
  (func $act (export "act") (param $final i32) (param $value i32)
    (local $last i32) (local $many i32)
    (local.set $last (i32.sub
      (select (i32.add (global.get $length) (i32.const 1)) (i32.const 1024)
        (i32.gt_u (global.get $length) (i32.const 1023)))
      (i32.const 1)))
    (local.set $many (select (local.get $value) (i32.const 1) (local.get $value)))
    (if (i32.eq (i32.and (local.get $final) (i32.const 0xfe)) (i32.const 0x4a)) ;; J and K
      (then
        (if (i32.eqz (local.get $value))
          (then
            (call $split (global.get $column))
            (if (i32.lt_u (global.get $column) (global.get $length)) (then (global.set $length (global.get $column)))))
          (else (if (i32.eq (local.get $value) (i32.const 1))
            (then (call $erase (i32.const 0) (i32.add (global.get $column) (i32.const 1))))
            (else (global.set $length (i32.const 0))))))
        (return)))
    (if (i32.eq (local.get $final) (i32.const 0x58)) ;; X
      (then
        (call $erase (global.get $column) (i32.add (global.get $column) (local.get $many)))
        (return)))
    (if (i32.eq (local.get $final) (i32.const 0x44)) ;; D
      (then
        (global.set $column (i32.sub (global.get $column)
          (select (local.get $many) (global.get $column) (i32.lt_u (local.get $many) (global.get $column)))))
        (return)))
    (if (i32.or (i32.eq (local.get $final) (i32.const 0x47)) (i32.eq (local.get $final) (i32.const 0x60))) ;; G and `
      (then
        (local.set $many (i32.sub (local.get $many) (i32.const 1)))
        (global.set $column
          (select (local.get $many) (local.get $last) (i32.lt_u (local.get $many) (local.get $last))))
        (return)))
    (if (i32.or (i32.eq (local.get $final) (i32.const 0x43)) (i32.eq (local.get $final) (i32.const 0x61))) ;; C and a
      (then
        (local.set $many (i32.add (global.get $column) (local.get $many)))
        (local.set $many
          (select (local.get $many) (local.get $last) (i32.lt_u (local.get $many) (local.get $last))))
        (if (i32.gt_u (local.get $many) (global.get $column)) (then (global.set $column (local.get $many))))
        (return)))
    (global.set $odd (i32.const 1)))

  ;; Converts the text at 0x70000 up to $end to cells, with the cursor after it.
  (func $toCells (export "toCells") (param $end i32)
    (global.set $length (i32.const 0))
    (global.set $column (i32.const 0))
    (global.set $read (i32.const 0x70000))
    (call $write (i32.const 0x70000) (local.get $end))
    (if (i32.ne (global.get $read) (local.get $end)) (then (global.set $odd (i32.const 1)))))

  ;; Writes the cells as text to 0x70000; returns where it ends.
  (func $text (export "text") (result i32)
    (local $to i32) (local $at i32) (local $end i32) (local $code i32) (local $more i32) (local $shift i32)
    (local.set $to (i32.const 0x70000))
    (local.set $end (call $cell (global.get $length)))
    ;; Drop erased cells at the end.
    (block $trimmed
      (loop $back
        (br_if $trimmed (i32.le_u (local.get $end) (call $cell (i32.const 0))))
        (br_if $trimmed (i32.load (i32.sub (local.get $end) (i32.const 4))))
        (local.set $end (i32.sub (local.get $end) (i32.const 4)))
        (br $back)))
    (local.set $at (call $cell (i32.const 0)))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $code (i32.load (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br_if $each (i32.eq (local.get $code) (i32.const 1)))
        (if (i32.eqz (local.get $code)) (then (local.set $code (i32.const 0x20))))
        (if (i32.lt_u (local.get $code) (i32.const 0x80))
          (then
            (i32.store8 (local.get $to) (local.get $code))
            (local.set $to (i32.add (local.get $to) (i32.const 1)))
            (br $each)))
        ;; It takes two bytes and this many more.
        (local.set $more (i32.add
          (i32.gt_u (local.get $code) (i32.const 0x7ff)) (i32.gt_u (local.get $code) (i32.const 0xffff))))
        (local.set $shift (i32.mul (local.get $more) (i32.const 6)))
        (i32.store8 (local.get $to) (i32.or
          (i32.shr_u (local.get $code) (i32.add (local.get $shift) (i32.const 6)))
          (i32.shr_u (i32.const 0xf0e0c0) (i32.shl (local.get $more) (i32.const 3)))))
        (local.set $to (i32.add (local.get $to) (i32.const 1)))
        (loop $next
          (i32.store8 (local.get $to) (i32.or (i32.const 0x80)
            (i32.and (i32.shr_u (local.get $code) (local.get $shift)) (i32.const 0x3f))))
          (local.set $to (i32.add (local.get $to) (i32.const 1)))
          (local.set $shift (i32.sub (local.get $shift) (i32.const 6)))
          (br_if $next (i32.ge_s (local.get $shift) (i32.const 0))))
        (br $each)))
    (local.get $to)))
