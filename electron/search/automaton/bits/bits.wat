;; Simulates an automaton with a bit for each position (positions.ts). A test compares this with transitions.ts.
;; tables.ts lays out the memory from $base on. Where a table has two parts, the first is for what follows no word
;; character, the second for what follows one.
;;
;;   offset   bytes      contents
;;   0x0000   2 * 1024   address of the record of each byte
;;   0x0800   2 * 2048   address of the record of each class of characters
;;   0x1800   512        by class: 1 for word characters
;;   0x1a00   256        by byte: 1 for word characters
;;   0x2000   256        the state: a bit for each position
;;   0x2100   256        the bits that follow by exception, while a character is read
;;   0x2200   256        the positions with exceptions: they lead elsewhere than to themselves and to the next
;;   0x2300   2 * 256    the positions that match if the line ends
;;   0x2800   1024 each  how bytes are decoded, in each phase and each part of a character
;;
;; A record, with n vectors of 128 positions:
;;
;;   offset   bytes      contents
;;   0        n * 64     four vectors each: the positions that can follow the one before them, that can follow
;;                       themselves, that begin a match, that read the character
;;   n * 64   4          address of the table of exceptions
;;            4          1 for a word character
;;
;; A byte that begins a character of several bytes has, instead of a record's address, the address of 64 such entries
;; for the next byte, plus 1. A byte that begins none has 1.
(module
  (import "env" "memory" (memory 1))
  (import "env" "word" (global $word (mut i32))) ;; of loops.wat
  (import "env" "behind" (global $behind (mut i32)))
  (import "env" "long" (func $long (param i32 i32 i32 i32) (result i32)))
  (import "env" "any" (func $any (param i32 i32 i32 i32) (result i32)))
  (import "env" "one" (func $one (param i32 i32 i32 i32) (result i32)))
  (import "env" "two" (func $two (param i32 i32 i32 i32) (result i32)))

  ;; The state between two bytes. $place: a phase or a part of a character. $high: 16 times the number of the highest
  ;; vector that may have bits.
  (global $place (mut i32) (i32.const 0))
  (global $high (mut i32) (i32.const 0))
  ;; Where the next event is written. Events are those of kernel.wat.
  (global $out (export "out") (mut i32) (i32.const 0))
  (global $unsure (export "unsure") (mut i32) (i32.const 0))

  ;; Properties of the expression. $least and $last: of vectors, times 16: the highest that begins a match, the last.
  ;; $exceptional: not 0 if there are exceptions. $matches: bit 0 if every line matches at its end, bit 1 if so after a
  ;; word character. $replacement, $first, $second: the classes of U+FFFD and of the halves of surrogate pairs.
  (global $base (mut i32) (i32.const 0))
  (global $least (mut i32) (i32.const 0))
  (global $last (mut i32) (i32.const 0))
  (global $exceptional (mut i32) (i32.const 0))
  (global $matches (mut i32) (i32.const 0))
  (global $replacement (mut i32) (i32.const 0))
  (global $first (mut i32) (i32.const 0))
  (global $second (mut i32) (i32.const 0))

  (func (export "load")
    (param $base i32) (param $least i32) (param $last i32) (param $exceptional i32) (param $matches i32)
    (param $replacement i32) (param $first i32) (param $second i32)
    (global.set $base (local.get $base))
    (global.set $least (local.get $least))
    (global.set $last (local.get $last))
    (global.set $exceptional (local.get $exceptional))
    (global.set $matches (local.get $matches))
    (global.set $replacement (local.get $replacement))
    (global.set $first (local.get $first))
    (global.set $second (local.get $second)))

  ;; Begins a line.
  (func $begin (export "begin")
    (local $v i32)
    (loop $vectors
      (v128.store offset=0x2000 (i32.add (global.get $base) (local.get $v)) (v128.const i64x2 0 0))
      (local.set $v (i32.add (local.get $v) (i32.const 16)))
      (br_if $vectors (i32.le_u (local.get $v) (global.get $high))))
    (i32.store8 (i32.add (global.get $base) (i32.const 0x2000)) (i32.const 1))
    (global.set $place (i32.const 0))
    (global.set $word (i32.const 0))
    (global.set $high (global.get $least)))

  (func $clear
    (local $v i32)
    (loop $vectors
      (v128.store offset=0x2100 (i32.add (global.get $base) (local.get $v)) (v128.const i64x2 0 0))
      (local.set $v (i32.add (local.get $v) (i32.const 16)))
      (br_if $vectors (i32.le_u (local.get $v) (global.get $last)))))

  ;; Collects the bits that follow by exception; returns 0 if there are none.
  (func $collect (param $record i32) (result i32)
    (local $v i32) (local $bits i64) (local $table i32) (local $row i32) (local $k i32) (local $any i32)
    (loop $words
      (local.set $bits (i64.and
        (i64.load offset=0x2000 (i32.add (global.get $base) (local.get $v)))
        (i64.load offset=0x2200 (i32.add (global.get $base) (local.get $v)))))
      (block $next
        (br_if $next (i64.eqz (local.get $bits)))
        (local.set $table (i32.load offset=64 (i32.add (local.get $record) (i32.shl (global.get $last) (i32.const 2)))))
        (if (i32.eqz (local.get $any)) (then (call $clear)))
        (local.set $any (i32.const 1))
        (loop $each
          ;; The table has four bytes for each position.
          (local.set $row (i32.load (i32.add (local.get $table) (i32.shl
            (i32.add (i32.shl (local.get $v) (i32.const 3)) (i32.wrap_i64 (i64.ctz (local.get $bits))))
            (i32.const 2)))))
          (local.set $k (i32.const 0))
          (loop $vectors
            (v128.store offset=0x2100 (i32.add (global.get $base) (local.get $k)) (v128.or
              (v128.load offset=0x2100 (i32.add (global.get $base) (local.get $k)))
              (v128.load (i32.add (local.get $row) (local.get $k)))))
            (local.set $k (i32.add (local.get $k) (i32.const 16)))
            (br_if $vectors (i32.le_u (local.get $k) (global.get $last))))
          (local.set $bits (i64.and (local.get $bits) (i64.sub (local.get $bits) (i64.const 1))))
          (br_if $each (i64.ne (local.get $bits) (i64.const 0)))))
      (local.set $v (i32.add (local.get $v) (i32.const 8)))
      (br_if $words (i32.le_u (local.get $v) (i32.add (global.get $high) (i32.const 8)))))
    (local.get $any))

  ;; Adds the collected bits that read the character.
  (func $add (param $record i32)
    (local $v i32)
    (loop $vectors
      (v128.store offset=0x2000 (i32.add (global.get $base) (local.get $v)) (v128.or
        (v128.load offset=0x2000 (i32.add (global.get $base) (local.get $v)))
        (v128.and
          (v128.load offset=0x2100 (i32.add (global.get $base) (local.get $v)))
          (v128.load offset=48 (i32.add (local.get $record) (i32.shl (local.get $v) (i32.const 2)))))))
      (local.set $v (i32.add (local.get $v) (i32.const 16)))
      (br_if $vectors (i32.le_u (local.get $v) (global.get $last))))
    (global.set $high (global.get $last)))

  ;; Reads a character.
  (func $step (param $record i32)
    (local $at i32) (local $stop i32) (local $of i32) (local $s v128) (local $carry v128) (local $up v128)
    (local $any i32)
    (if (global.get $exceptional) (then (local.set $any (call $collect (local.get $record)))))
    (local.set $at (global.get $base))
    (local.set $stop (i32.add (local.get $at) (global.get $high)))
    (local.set $of (local.get $record))
    (loop $vectors
      (local.set $s (v128.load offset=0x2000 (local.get $at)))
      (local.set $up (i64x2.shr_u (local.get $s) (i32.const 63)))
      (v128.store offset=0x2000 (local.get $at) (v128.or
        (v128.load offset=32 (local.get $of))
        (v128.or
          (v128.and (local.get $s) (v128.load offset=16 (local.get $of)))
          (v128.and
            (v128.load (local.get $of))
            (v128.or
              (i64x2.shl (local.get $s) (i32.const 1))
              (i8x16.shuffle 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 (local.get $carry) (local.get $up)))))))
      (local.set $carry (local.get $up))
      (local.set $of (i32.add (local.get $of) (i32.const 64)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $vectors (i32.le_u (local.get $at) (local.get $stop))))
    (if (i32.ne (global.get $least) (global.get $last))
      (then
        (if (i32.and
              (i32.wrap_i64 (i64x2.extract_lane 1 (local.get $carry)))
              (i32.lt_u (global.get $high) (global.get $last)))
          (then
            (v128.store offset=0x2000 (local.get $at) (v128.and
              (v128.load (local.get $of))
              (i8x16.shuffle 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 (local.get $carry) (v128.const i64x2 0 0))))
            (global.set $high (i32.add (global.get $high) (i32.const 16))))
          (else
            (if (i32.gt_u (global.get $high) (global.get $least))
              (then (if (i32.eqz (v128.any_true (v128.load offset=0x2000 (local.get $stop))))
                (then (global.set $high (i32.sub (global.get $high) (i32.const 16)))))))))))
    (if (local.get $any) (then (call $add (local.get $record)))))

  ;; Reads a character of a class.
  (func $read (param $class i32)
    (call $step (i32.load offset=0x800 (i32.add
      (i32.add (global.get $base) (i32.shl (global.get $word) (i32.const 1)))
      (i32.shl (local.get $class) (i32.const 2)))))
    (global.set $word (i32.load8_u offset=0x1800 (i32.add (global.get $base) (local.get $class))))
    (global.set $word (i32.shl (global.get $word) (i32.const 10))))

  ;; Returns whether the line matches if it ends here.
  (func $matched (result i32)
    (local $v i32) (local $ends i32)
    (if (i32.and (i32.const 1) (i32.shr_u (global.get $matches) (i32.shr_u (global.get $word) (i32.const 10))))
      (then (return (i32.const 1))))
    (local.set $ends (i32.add (global.get $base) (i32.shr_u (global.get $word) (i32.const 2))))
    (loop $vectors
      (if (v128.any_true (v128.and
            (v128.load offset=0x2000 (i32.add (global.get $base) (local.get $v)))
            (v128.load offset=0x2300 (i32.add (local.get $ends) (local.get $v)))))
        (then (return (i32.const 1))))
      (local.set $v (i32.add (local.get $v) (i32.const 16)))
      (br_if $vectors (i32.le_u (local.get $v) (global.get $high))))
    (i32.const 0))

  ;; Ends a line at $at, with an event: 2 for `match` if it matches, 4 for `unsure`.
  (func $end (param $at i32) (param $event i32)
    (if (i32.or (i32.eq (local.get $event) (i32.const 4)) (call $matched))
      (then
        (i32.store (global.get $out) (i32.or (local.get $at) (i32.shl (local.get $event) (i32.const 27))))
        (global.set $out (i32.add (global.get $out) (i32.const 4)))
        (global.set $unsure (i32.or (global.get $unsure) (i32.and (local.get $event) (i32.const 4))))))
    (call $begin))

  ;; Reads the bytes at [$at, $end).
  (func (export "run") (param $at i32) (param $end i32)
    (local $entry i32) (local $action i32)
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (if (i32.eqz (global.get $place))
          (then
            (if (i32.eqz (global.get $high))
              (then
                (local.set $at (call $one (local.get $at) (local.get $end) (global.get $base) (global.get $last)))
                (if (i32.and
                      (i32.lt_u (local.get $at) (local.get $end))
                      (i32.ge_u (i32.load8_u (local.get $at)) (i32.const 0xc2)))
                  (then (local.set $at
                    (call $any (local.get $at) (local.get $end) (global.get $base) (global.get $last)))))))
            (if (i32.eq (global.get $high) (i32.const 16))
              (then (local.set $at (call $two (local.get $at) (local.get $end) (global.get $base) (global.get $last)))))
            (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
            (local.set $entry (i32.load (i32.add
              (i32.add (global.get $base) (global.get $word))
              (i32.shl (i32.load8_u (local.get $at)) (i32.const 2)))))
            (if (i32.and (local.get $entry) (i32.const 1))
              (then
                (local.set $entry
                  (call $long (local.get $entry) (local.get $at) (local.get $end) (global.get $last)))
                (if (local.get $entry)
                  (then
                    (call $step (local.get $entry))
                    (local.set $at (global.get $behind))
                    (br $each))))
              (else
                (call $step (local.get $entry))
                (global.set $word (i32.shl
                  (i32.load8_u offset=0x1a00 (i32.add (global.get $base) (i32.load8_u (local.get $at))))
                  (i32.const 10)))
                (local.set $at (i32.add (local.get $at) (i32.const 1)))
                (br $each)))))
        ;; Meaning of a byte: the operation (bits 0 to 2) and its operand (above).
        (local.set $entry (i32.load offset=0x2800 (i32.add (global.get $base) (i32.add
          (i32.shl (global.get $place) (i32.const 10))
          (i32.shl (i32.load8_u (local.get $at)) (i32.const 2))))))
        (local.set $action (i32.and (local.get $entry) (i32.const 7)))
        (local.set $entry (i32.shr_u (local.get $entry) (i32.const 3)))
        (block $move (block $class (block $pair (block $invalid (block $line
          (br_table $move $class $pair $invalid $line (local.get $action)))
          (call $end (local.get $at) (local.get $entry))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $each))
          (call $read (global.get $replacement))
          (global.set $place (i32.const 0))
          (local.set $at (i32.add (local.get $at) (local.get $entry)))
          (br $each))
          (call $read (global.get $first))
          (call $read (global.get $second))
          (global.set $place (i32.const 0))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $each))
          (call $read (local.get $entry))
          (global.set $place (i32.const 0))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $each))
        (global.set $place (local.get $entry))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $each)))))
