;; Renders lines with controls that return, erase or move within the line: progress bars, mostly. Does what
;; line-text.ts does, for the controls that are common; a test compares them. memory.ts lays out the memory.
(module
  (import "env" "memory" (memory 1))
  (import "cells" "toCells" (func $toCells (param i32)))
  (import "cells" "write" (func $write (param i32 i32)))
  (import "cells" "act" (func $act (param i32 i32)))
  (import "cells" "text" (func $text (result i32)))
  (import "cells" "column" (global $column (mut i32)))
  (import "cells" "cost" (global $cost (mut i32)))
  (import "cells" "read" (global $read (mut i32)))
  (import "cells" "odd" (global $odd (mut i32)))

  ;; Copies text up to $end that needs no cells yet to $to; returns the copy's end.
  (func $copy (param $at i32) (param $end i32) (param $to i32) (result i32)
    (local $v v128) (local $mask i32)
    (loop $next
      (local.set $v (v128.load (local.get $at)))
      (v128.store (local.get $to) (local.get $v))
      (local.set $mask (i8x16.bitmask (v128.or
        (v128.or
          (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x7f)))
          (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0xc2))))
        (v128.andnot
          (i8x16.lt_u (local.get $v) (i8x16.splat (i32.const 0x20)))
          (i8x16.eq (local.get $v) (i8x16.splat (i32.const 9)))))))
      (local.set $mask (i32.ctz (i32.or (local.get $mask) (i32.const 0x10000))))
      (local.set $at (i32.add (local.get $at) (local.get $mask)))
      (local.set $to (i32.add (local.get $to) (local.get $mask)))
      (br_if $next (i32.eq (local.get $mask) (i32.const 16)))
      ;; U+0080 to U+009F are controls; the other characters with this first byte are not.
      (if (i32.and (i32.eq (i32.load8_u (local.get $at)) (i32.const 0xc2)) (i32.lt_u (local.get $at) (local.get $end)))
        (then
          (if (i32.lt_u (i32.load8_u offset=1 (local.get $at)) (i32.const 0xa0))
            (then (global.set $odd (i32.const 1)))
            (else
              (i32.store16 (local.get $to) (i32.load16_u (local.get $at)))
              (local.set $at (i32.add (local.get $at) (i32.const 2)))
              (local.set $to (i32.add (local.get $to) (i32.const 2)))
              (br $next))))))
    (global.set $read (local.get $at))
    (local.get $to))

  ;; The end of the bytes from $first to $last; at most $end.
  (func $run (param $at i32) (param $end i32) (param $first i32) (param $last i32) (result i32)
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (br_if $done (i32.gt_u
          (i32.sub (i32.load8_u (local.get $at)) (local.get $first)) (i32.sub (local.get $last) (local.get $first))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $each)))
    (local.get $at))

  ;; Reads the sequence after ESC [ at $at. Returns its final character times 2^24 plus its first parameter, or 0 if it
  ;; has no effect on text. A parameter from 65,536 on is odd.
  (func $csi (param $at i32) (param $end i32) (result i32)
    (local $from i32) (local $params i32) (local $value i32) (local $final i32) (local $byte i32)
    (local.set $from (local.get $at))
    (local.set $params (call $run (local.get $at) (local.get $end) (i32.const 0x30) (i32.const 0x3f)))
    (local.set $at (call $run (local.get $params) (local.get $end) (i32.const 0x20) (i32.const 0x2f)))
    (global.set $read (local.get $at))
    (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (i32.const 0))))
    (local.set $final (i32.load8_u (local.get $at)))
    ;; A control within the sequence.
    (if (i32.lt_u (local.get $final) (i32.const 0x20)) (then (global.set $odd (i32.const 1))))
    (if (i32.gt_u (i32.sub (local.get $final) (i32.const 0x40)) (i32.const 0x3e)) (then (return (i32.const 0))))
    (global.set $read (i32.add (local.get $at) (i32.const 1)))
    (if (i32.ne (local.get $params) (local.get $at)) (then (return (i32.const 0))))
    (local.set $byte (i32.load8_u (local.get $from)))
    (if (i32.and (i32.lt_u (local.get $from) (local.get $params)) (i32.ge_u (local.get $byte) (i32.const 0x3c)))
      (then
        ;; CSI ? K and CSI ? J erase.
        (if (i32.or (i32.ne (local.get $byte) (i32.const 0x3f))
              (i32.ne (i32.and (local.get $final) (i32.const 0xfe)) (i32.const 0x4a)))
          (then (return (i32.const 0))))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))))
    ;; CSI 4 h inserts.
    (if (i32.eq (i32.and (local.get $final) (i32.const 0xfb)) (i32.const 0x68))
      (then (global.set $odd (i32.const 1))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $from) (local.get $params)))
        (local.set $byte (i32.sub (i32.load8_u (local.get $from)) (i32.const 0x30)))
        (br_if $done (i32.gt_u (local.get $byte) (i32.const 9)))
        (local.set $value (i32.add (i32.mul (local.get $value) (i32.const 10)) (local.get $byte)))
        (if (i32.gt_u (local.get $value) (i32.const 0xffff))
          (then
            (global.set $odd (i32.const 1))
            (return (i32.const 0))))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $each)))
    (i32.or (i32.shl (local.get $final) (i32.const 24)) (local.get $value)))

  ;; Skips the title or link that follows ESC ] at $at.
  (func $osc (param $at i32) (param $end i32)
    (local $byte i32) (local $i i32)
    ;; If it does not end, only its introducer is dropped.
    (global.set $read (local.get $at))
    (local.set $i (local.get $at))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $i) (local.get $end)))
        (local.set $byte (i32.load8_u (local.get $i)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $each (i32.and (i32.ge_u (local.get $byte) (i32.const 0x20)) (i32.ne (local.get $byte) (i32.const 0xc2))))
        (if (i32.eq (local.get $byte) (i32.const 0xc2))
          (then
            (br_if $each (i32.ge_u (i32.load8_u (local.get $i)) (i32.const 0xa0)))
            (global.set $odd (i32.const 1))
            (br $done)))
        (if (i32.eq (local.get $byte) (i32.const 7))
          (then
            ;; It may be the mark at the end of a command's output.
            (if (i32.eq (i32.load8_u (i32.sub (local.get $i) (i32.const 2))) (i32.const 0x45))
              (then (global.set $odd (i32.const 1))))
            (global.set $read (local.get $i))
            (br $done)))
        (if (i32.eq (local.get $byte) (i32.const 0x1b))
          (then
            (if (i32.and
                  (i32.lt_u (local.get $i) (local.get $end))
                  (i32.eq (i32.load8_u (local.get $i)) (i32.const 0x5c)))
              (then (global.set $read (i32.add (local.get $i) (i32.const 1)))))
            (br $done)))
        (br_if $each (i32.and
          (i32.ne (local.get $byte) (i32.const 0x18)) (i32.ne (local.get $byte) (i32.const 0x1a)))))))

  ;; Reads the escape sequence at $at; returns as `csi`.
  (func $escape (param $at i32) (param $end i32) (result i32)
    (local $next i32) (local $byte i32)
    (local.set $next (i32.add (local.get $at) (i32.const 1)))
    (if (i32.lt_u (local.get $next) (local.get $end))
      (then (local.set $byte (i32.load8_u (local.get $next)))))
    (if (i32.eq (local.get $byte) (i32.const 0x5b))
      (then (return (call $csi (i32.add (local.get $next) (i32.const 1)) (local.get $end)))))
    (if (i32.eq (local.get $byte) (i32.const 0x5d))
      (then
        (call $osc (i32.add (local.get $next) (i32.const 1)) (local.get $end))
        (return (i32.const 0))))
    (if (i32.le_u (i32.sub (local.get $byte) (i32.const 0x40)) (i32.const 0x1f))
      (then
        ;; Device strings: P, X, ^ and _.
        (if (i32.and (i32.const 1) (i32.shr_u
              (i32.const 0xc1010000) (i32.sub (local.get $byte) (i32.const 0x40))))
          (then (global.set $odd (i32.const 1))))
        (global.set $read (i32.add (local.get $next) (i32.const 1)))
        (return (i32.const 0))))
    (local.set $at (call $run (local.get $next) (local.get $end) (i32.const 0x20) (i32.const 0x2f)))
    (global.set $read (local.get $at))
    (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (i32.const 0))))
    (local.set $byte (i32.load8_u (local.get $at)))
    (if (i32.gt_u (i32.sub (local.get $byte) (i32.const 0x30)) (i32.const 0x4e)) (then (return (i32.const 0))))
    (global.set $read (i32.add (local.get $at) (i32.const 1)))
    ;; ESC ( 0 draws lines.
    (if (i32.and
          (i32.ne (local.get $at) (local.get $next))
          (i32.eq (local.get $byte) (i32.const 0x30)))
      (then (global.set $odd (i32.const 1))))
    ;; ESC 7 and ESC 8 save and restore the cursor.
    (if (i32.and
          (i32.eq (local.get $at) (local.get $next))
          (i32.eq (i32.and (local.get $byte) (i32.const 0xf0)) (i32.const 0x30)))
      (then (global.set $odd (i32.const 1))))
    (i32.const 0))

  ;; Whether a CSI with this final character does something within a line, of: @ C D G I J K P X Z ` a b s u
  (func $acts (param $final i32) (result i32)
    (i32.wrap_i64 (i64.and (i64.const 1) (i64.shr_u
      (i64.const 0x0028000705010e99) (i64.extend_i32_u (i32.sub (local.get $final) (i32.const 0x40)))))))

  ;; Writes the text of the line from $at up to $end, which follows its LF, to 0x70000, with its line ending. Returns
  ;; the text's end; 0 if the line has other controls, or is longer than a MiB.
  (func (export "redrawn") (param $at i32) (param $end i32) (result i32)
    (local $textEnd i32) (local $to i32) (local $byte i32) (local $act i32)
    ;; Whether the text is in cells; whether the cursor is at the first column of text that is not.
    (local $cells i32) (local $home i32)
    (if (i32.gt_u (i32.sub (local.get $end) (local.get $at)) (i32.const 0x100000)) (then (return (i32.const 0))))
    (local.set $textEnd (i32.sub (local.get $end) (i32.const 1)))
    (if (i32.gt_u (local.get $textEnd) (local.get $at))
      (then (local.set $textEnd (i32.sub (local.get $textEnd)
        (i32.eq (i32.load8_u (i32.sub (local.get $textEnd) (i32.const 1))) (i32.const 13))))))
    (local.set $to (i32.const 0x70000))
    (global.set $cost (i32.const 0))
    (global.set $odd (i32.const 0))
    (block $done
      (loop $next
        (if (i32.or (global.get $odd) (i32.ge_u (global.get $cost) (i32.const 0x10000))) (then (return (i32.const 0))))
        (br_if $done (i32.ge_u (local.get $at) (local.get $textEnd)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (if (i32.or (i32.eq (local.get $byte) (i32.const 9))
              (i32.and (i32.ge_u (local.get $byte) (i32.const 0x20)) (i32.ne (local.get $byte) (i32.const 0x7f))))
          (then
            (if (i32.eqz (i32.or (local.get $cells) (local.get $home)))
              (then (local.set $to (call $copy (local.get $at) (local.get $textEnd) (local.get $to))))
              (else
                (if (i32.eqz (local.get $cells))
                  (then
                    (call $toCells (local.get $to))
                    (global.set $column (i32.const 0))
                    (local.set $cells (i32.const 1))))
                (if (i32.eq (local.get $byte) (i32.const 9)) (then (return (i32.const 0))))
                (if (global.get $odd) (then (return (i32.const 0))))
                (call $write (local.get $at) (local.get $textEnd))))
            (local.set $at (global.get $read))
            (br $next)))
        (if (i32.eq (local.get $byte) (i32.const 0x1b))
          (then
            (local.set $act (call $escape (local.get $at) (local.get $textEnd)))
            (local.set $at (global.get $read))
            (local.set $byte (i32.shr_u (local.get $act) (i32.const 24)))
            (br_if $next (i32.eqz (local.get $byte)))
            (br_if $next (i32.eqz (call $acts (local.get $byte))))
            (local.set $act (i32.and (local.get $act) (i32.const 0xffff)))
            (if (i32.eq (i32.and (local.get $byte) (i32.const 0xfe)) (i32.const 0x4a))
              (then
                (br_if $next (i32.gt_u (local.get $act) (i32.const 3)))
                (if (i32.eqz (i32.or (local.get $cells) (i32.eq (local.get $act) (i32.const 1))))
                  (then
                    (if (local.get $home) (then (local.set $to (i32.const 0x70000))))
                    (local.set $home (i32.const 0))
                    (br_if $next (i32.eqz (local.get $act)))
                    (br_if $next (i32.eq (local.get $to) (i32.const 0x70000))))))))
          (else
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (if (i32.eq (local.get $byte) (i32.const 13))
              (then
                (local.set $home (i32.and
                  (i32.eqz (local.get $cells)) (i32.gt_u (local.get $to) (i32.const 0x70000))))
                (global.set $column (i32.const 0))
                (br $next)))
            ;; Shifts draw lines.
            (if (i32.eq (i32.and (local.get $byte) (i32.const 0xfe)) (i32.const 14))
              (then (return (i32.const 0))))
            ;; Vertical tabs and form feeds are spaces.
            (if (i32.eq (i32.and (i32.add (local.get $byte) (i32.const 1)) (i32.const 0xfe)) (i32.const 12))
              (then (return (i32.const 0))))
            (br_if $next (i32.ne (local.get $byte) (i32.const 8)))
            ;; A backspace is CSI 1 D.
            (local.set $byte (i32.const 0x44))
            (local.set $act (i32.const 1))))
        (if (i32.eqz (local.get $cells))
          (then
            (call $toCells (local.get $to))
            (if (local.get $home) (then (global.set $column (i32.const 0))))
            (local.set $home (i32.const 0))
            (local.set $cells (i32.const 1))))
        (call $act (local.get $byte) (local.get $act))
        (br $next)))
    (if (local.get $cells) (then (local.set $to (call $text))))
    (i32.store16 (local.get $to) (i32.load16_u (local.get $textEnd)))
    (i32.add (local.get $to) (i32.sub (local.get $end) (local.get $textEnd)))))
