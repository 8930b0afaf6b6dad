;; Reads parts of lines for lines.wat. A test compares it with shape.ts and others, through
;; `plainLineScanner`; memory.ts lays out the memory.
(module
  (import "env" "memory" (memory 1))
  (import "js" "isTimely" (func $isTimelyInFull (param i32 i32) (result i32)))
  (import "redrawn" "redrawn" (func $redrawn (param i32 i32) (result i32)))
  (import "js" "isCalendarName" (func $isCalendarName (param i32 i32 i32) (result i32)))

  (global $mayCount (export "mayCount") (mut i32) (i32.const 0))

  ;; The kind of a byte (shape.ts).
  (func $kindOf (param $at i32) (result i32)
    (i32.load16_u (i32.shl (i32.load8_u (local.get $at)) (i32.const 1))))

  (func $isLetter (param $byte i32) (result i32)
    (i32.lt_u
      (i32.sub (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x61)) (i32.const 26)))

  ;; Adds 64 bits to a hash.
  (func $mix (export "mix") (param $hash i64) (param $bits i64) (result i64)
    (local.set $hash (i64.mul
      (i64.xor (local.get $hash) (local.get $bits)) (i64.const 0x9e3779b97f4a7c15)))
    (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 32))))

  ;; Adds a word of $n bytes to a hash, eight bytes at a time.
  (func (export "mixWord") (param $hash i64) (param $at i32) (param $n i32) (result i64)
    (block $last
      (loop $by8
        (br_if $last (i32.le_u (local.get $n) (i32.const 8)))
        (local.set $hash (call $mix (local.get $hash) (i64.load (local.get $at))))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (local.set $n (i32.sub (local.get $n) (i32.const 8)))
        (br $by8)))
    (call $mix (local.get $hash) (i64.and (i64.load (local.get $at)) (i64.shr_u (i64.const -1)
      (i64.extend_i32_u (i32.sub (i32.const 64) (i32.shl (local.get $n) (i32.const 3))))))))

  ;; Returns the end of the bytes of these kinds.
  (func (export "end") (param $at i32) (param $kinds i32) (result i32)
    (loop $each
      ;; `kindOf` by hand: V8 calls it otherwise.
      (if (i32.and (i32.load16_u (i32.shl (i32.load8_u (local.get $at)) (i32.const 1))) (local.get $kinds))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $each))))
    (local.get $at))

  ;; See `quotedEnd` in shape.ts; lines.wat looks at what is before the quote.
  (func (export "quotedEnd") (param $at i32) (param $limit i32) (result i32)
    (local $i i32) (local $quote i32) (local $byte i32) (local $mask i32) (local $v v128) (local $other i32)
    (local.set $quote (i32.load8_u (local.get $at)))
    ;; `…' ends with an apostrophe, too.
    (local.set $other (select
      (i32.const 0x27) (local.get $quote) (i32.eq (local.get $quote) (i32.const 0x60))))
    (local.set $i (i32.add (local.get $at) (i32.const 1)))
    (loop $by16
      (if (i32.ge_u (local.get $i) (local.get $limit)) (then (return (local.get $at))))
      (local.set $v (v128.load (local.get $i)))
      ;; Quotes, blanks and controls.
      (local.set $mask (i8x16.bitmask (v128.or
        (v128.or
          (i8x16.eq (local.get $v) (i8x16.splat (local.get $quote)))
          (i8x16.eq (local.get $v) (i8x16.splat (local.get $other))))
        (v128.or
          (i8x16.le_u (local.get $v) (i8x16.splat (i32.const 0x20)))
          (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x7f)))))))
      (if (i32.eqz (local.get $mask))
        (then
          (local.set $i (i32.add (local.get $i) (i32.const 16)))
          (br $by16))))
    (local.set $i (i32.add (local.get $i) (i32.ctz (local.get $mask))))
    (if (i32.ge_u (local.get $i) (local.get $limit)) (then (return (local.get $at))))
    (local.set $byte (i32.load8_u (local.get $i)))
    (if (i32.and
          (i32.ne (local.get $byte) (local.get $quote)) (i32.ne (local.get $byte) (local.get $other)))
      (then (return (local.get $at))))
    (if (i32.eq (local.get $i) (i32.add (local.get $at) (i32.const 1))) (then (return (local.get $at))))
    (select
      (local.get $at)
      (i32.add (local.get $i) (i32.const 1))
      (i32.and
        (i32.eq (local.get $quote) (i32.const 0x22))
        (i32.eq (i32.load8_u offset=1 (local.get $i)) (i32.const 0x3a)))))

  ;; Returns the end of the last blank, comma or colon in [from, to); 0 if there is none.
  (func (export "gapEnd") (param $from i32) (param $to i32) (result i32)
    (local $byte i32)
    (loop $each
      (if (i32.le_u (local.get $to) (local.get $from)) (then (return (i32.const 0))))
      (local.set $to (i32.sub (local.get $to) (i32.const 1)))
      (local.set $byte (i32.load8_u (local.get $to)))
      (br_if $each (i32.and
        (i32.and (i32.ne (local.get $byte) (i32.const 0x20)) (i32.ne (local.get $byte) (i32.const 9)))
        (i32.and (i32.ne (local.get $byte) (i32.const 0x2c)) (i32.ne (local.get $byte) (i32.const 0x3a))))))
    (i32.add (local.get $to) (i32.const 1)))

  ;; Adds the bytes between a word and $to to a hash; blanks count as one space.
  (func (export "mixGap") (param $hash i64) (param $to i32) (result i64)
    (local $at i32)
    (local.set $at (local.get $to))
    (loop $back
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (br_if $back (i32.eqz (i32.and
        (call $kindOf (i32.sub (local.get $at) (i32.const 1))) (i32.const 7)))))
    (loop $each
      (if (i32.and (call $kindOf (local.get $at)) (i32.const 64))
        (then
          (if (i32.eqz (i32.and (call $kindOf (i32.sub (local.get $at) (i32.const 1))) (i32.const 64)))
            (then (local.set $hash (call $mix (local.get $hash) (i64.const 0x20))))))
        (else (local.set $hash (call $mix (local.get $hash) (i64.load8_u (local.get $at))))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $each (i32.lt_u (local.get $at) (local.get $to))))
    (local.get $hash))

  (func (export "kindsOf") (param $at i32) (param $end i32) (result i32)
    (local $kinds i32)
    (loop $each
      (local.set $kinds (i32.or
        (local.get $kinds)
        (i32.load16_u (i32.shl (i32.load8_u (local.get $at)) (i32.const 1)))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $each (i32.lt_u (local.get $at) (local.get $end))))
    (local.get $kinds))

  (func (export "lineFeed") (param $at i32) (result i32)
    (loop $each
      (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 10))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $each))))
    (local.get $at))

  ;; Whether names with a slash are a path.
  (func (export "isPath") (param $from i32) (param $to i32) (result i32)
    (local $at i32) (local $byte i32) (local $slashes i32) (local $letters i32) (local $suffix i32)
    (local.set $at (local.get $from))
    (loop $each
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.eq (local.get $byte) (i32.const 0x2f))
        (then (local.set $slashes (i32.add (local.get $slashes) (i32.const 1))))
        (else (if (i32.or (call $isLetter (local.get $byte)) (i32.ge_u (local.get $byte) (i32.const 0x80)))
          (then
            (local.set $letters (i32.const 1))
            (local.set $suffix (i32.or (local.get $suffix) (i32.and
              (i32.eq (local.get $slashes) (i32.const 1))
              (i32.eq (i32.load8_u (i32.sub (local.get $at) (i32.const 1))) (i32.const 0x2e)))))))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      ;; A long run with two slashes and letters is a path.
      (if (i32.and (local.get $letters) (i32.gt_u (local.get $slashes) (i32.const 1)))
        (then (if (i32.ne (i32.sub (local.get $to) (local.get $from)) (i32.const 11)) (then (return (i32.const 1))))))
      (br_if $each (i32.lt_u (local.get $at) (local.get $to))))
    (if (i32.gt_u (local.get $slashes) (i32.const 1))
      ;; 13/Jan/2026 is a date.
      (then (return (i32.and (local.get $letters) (i32.eqz
        (call $isCalendarName (i32.add (local.get $from) (i32.const 3)) (local.get $from) (local.get $to)))))))
    (local.set $byte (i32.load8_u (local.get $from)))
    (if (i32.eq (local.get $byte) (i32.const 0x2f))
      (then (return (i32.and
        (i32.gt_u (local.get $to) (i32.add (local.get $from) (i32.const 1)))
        (i32.ne (i32.const 0)
          (i32.and (call $kindOf (i32.add (local.get $from) (i32.const 1))) (i32.const 7)))))))
    (if (i32.or (i32.eq (local.get $byte) (i32.const 0x7e)) (i32.eq (local.get $byte) (i32.const 0x2e)))
      (then (return (i32.or
        (i32.eq (i32.load8_u offset=1 (local.get $from)) (i32.const 0x2f))
        (i32.eq (i32.load8_u offset=2 (local.get $from)) (i32.const 0x2f))))))
    (local.get $suffix))

  (func $isDigit (param $at i32) (result i32)
    (i32.lt_u (i32.sub (i32.load8_u (local.get $at)) (i32.const 0x30)) (i32.const 10)))

  ;; Whether a word without digits, after a number, is a part of it.
  (func (export "isHexPart") (param $from i32) (param $to i32) (result i32)
    (local $size i32)
    (local.set $size (i32.sub (local.get $to) (local.get $from)))
    (if (i32.ne (local.get $size) (i32.const 2))
      (then
        ;; Sizes 4, 8 and 12, after a dash.
        (if (i32.gt_u (local.get $size) (i32.const 12)) (then (return (i32.const 0))))
        (if (i32.eqz (i32.and (i32.const 0x1110) (i32.shl (i32.const 1) (local.get $size))))
          (then (return (i32.const 0))))
        (if (i32.ne (i32.load8_u (i32.sub (local.get $from) (i32.const 1))) (i32.const 0x2d))
          (then (return (i32.const 0))))))
    (loop $each
      (if (i32.ge_u
            (i32.sub (i32.or (i32.load8_u (local.get $from)) (i32.const 0x20)) (i32.const 0x61)) (i32.const 6))
        (then (return (i32.const 0))))
      (local.set $from (i32.add (local.get $from) (i32.const 1)))
      (br_if $each (i32.lt_u (local.get $from) (local.get $to))))
    (i32.const 1))

  (func (export "mayTell") (param $from i32) (param $to i32) (result i32)
    (local $last i32) (local $length i32)
    (local.set $last (i32.load8_u (i32.sub (local.get $to) (i32.const 1))))
    (local.set $length (i32.sub (local.get $to) (local.get $from)))
    (if (i32.lt_u (local.get $length) (i32.const 32))
      (then (if (i32.and (i32.const 1) (i32.shr_u
            (i32.load offset=0x400 (i32.or
              (i32.shl (i32.and (i32.load8_u (local.get $from)) (i32.const 31)) (i32.const 7))
              (i32.shl (i32.and (local.get $last) (i32.const 31)) (i32.const 2))))
            (local.get $length)))
        (then (return (i32.const 1))))))
    (local.set $from (i32.load8_u offset=0x1400 (local.get $last)))
    (if (i32.eqz (local.get $from)) (then (return (i32.const 0))))
    (if (i32.gt_u (local.get $from) (local.get $length)) (then (return (i32.const 0))))
    (i32.eq
      (i32.load8_u (i32.sub (local.get $to) (local.get $from)))
      (i32.load8_u offset=0x1500 (local.get $last))))

  (func (export "isTimely") (param $word i32) (param $to i32) (result i32)
    (local $size i32)
    (local.set $size (i32.sub (local.get $to) (local.get $word)))
    (if (i32.ge_u (local.get $size) (i32.const 10))
      (then
        (global.set $mayCount (i32.const 1))
        (return (call $isTimelyInFull (local.get $word) (local.get $to)))))
    (if (i32.ne (i32.load8_u (local.get $to)) (i32.const 0x3a)) (then (return (i32.const 0))))
    (if (i32.eqz (call $isDigit (i32.add (local.get $to) (i32.const 1)))) (then (return (i32.const 0))))
    (call $isTimelyInFull (local.get $word) (local.get $to)))

  ;; Whether three bytes are the name of a month or day: in a table of 64 slots without collisions.
  (func (export "isName") (param $at i32) (result i32)
    (local $name i32)
    (local.set $name (i32.and (i32.load (local.get $at)) (i32.const 0xffffff)))
    (i32.eq (local.get $name) (i32.load offset=0x1600 (i32.shl
      (i32.shr_u (i32.mul (local.get $name) (i32.load offset=0x1700 (i32.const 0))) (i32.const 26))
      (i32.const 2)))))

  ;; Writes the text of the line from $at up to $end, which follows its LF, to 0x70000, with its line ending. Returns
  ;; the text's end; 0 if the line is not handled here.
  (func (export "plain") (param $at i32) (param $end i32) (result i32)
    (local $to i32)
    (local.set $to (call $uncoloured (local.get $at) (local.get $end)))
    (if (result i32) (local.get $to)
      (then (local.get $to))
      (else (call $redrawn (local.get $at) (local.get $end)))))

  ;; Writes the line from $at up to $end, which follows its LF, without its colours, to 0x70000; see `withoutColours`
  ;; in tally.ts. Returns the text's end; 0 if the line has other controls, or is longer than a MiB.
  (func $uncoloured (param $at i32) (param $end i32) (result i32)
    (local $to i32) (local $textEnd i32) (local $mask i32) (local $v v128)
    (if (i32.gt_u (i32.sub (local.get $end) (local.get $at)) (i32.const 0x100000)) (then (return (i32.const 0))))
    (local.set $to (i32.const 0x70000))
    (local.set $textEnd (i32.sub (local.get $end) (i32.const 1)))
    (if (i32.gt_u (local.get $textEnd) (local.get $at))
      (then (local.set $textEnd (i32.sub (local.get $textEnd)
        (i32.eq (i32.load8_u (i32.sub (local.get $textEnd) (i32.const 1))) (i32.const 13))))))
    (loop $next
      (local.set $v (v128.load (local.get $at)))
      (v128.store (local.get $to) (local.get $v))
      (local.set $mask (i8x16.bitmask (v128.or
        (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x7f)))
        (v128.andnot
          (i8x16.lt_u (local.get $v) (i8x16.splat (i32.const 0x20)))
          (i8x16.eq (local.get $v) (i8x16.splat (i32.const 9)))))))
      (if (i32.eqz (local.get $mask))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (local.set $to (i32.add (local.get $to) (i32.const 16)))
          (br $next)))
      (local.set $mask (i32.ctz (local.get $mask)))
      (local.set $at (i32.add (local.get $at) (local.get $mask)))
      (local.set $to (i32.add (local.get $to) (local.get $mask)))
      (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x1b))
        (then
          (local.set $at (call $sequenceEnd (local.get $at) (local.get $end)))
          (br_if $next (local.get $at))
          (return (i32.const 0)))))
    (if (i32.lt_u (local.get $at) (local.get $textEnd)) (then (return (i32.const 0))))
    ;; The line's ending.
    (i32.store16 (local.get $to) (i32.load16_u (local.get $at)))
    (i32.add (local.get $to) (i32.sub (local.get $end) (local.get $at))))

  ;; Returns the end of the SGR or erasure at $at; 0 for another sequence.
  (func $sequenceEnd (param $at i32) (param $end i32) (result i32)
    (local $i i32) (local $byte i32)
    (if (i32.ne (i32.load8_u offset=1 (local.get $at)) (i32.const 0x5b)) (then (return (i32.const 0))))
    (local.set $i (i32.add (local.get $at) (i32.const 2)))
    (loop $each
      (local.set $byte (i32.load8_u (local.get $i)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $each (i32.lt_u (i32.sub (local.get $byte) (i32.const 0x30)) (i32.const 12))))
    (if (i32.eq (local.get $byte) (i32.const 0x6d)) (then (return (local.get $i))))
    (if (i32.ne (local.get $byte) (i32.const 0x4b)) (then (return (i32.const 0))))
    (local.set $byte (i32.sub (local.get $i) (local.get $at)))
    (if (i32.eq (local.get $byte) (i32.const 3)) (then (return (local.get $i))))
    (select (local.get $i) (i32.const 0) (i32.and
      (i32.eq (local.get $byte) (i32.const 4))
      (i32.eq (i32.load8_u offset=2 (local.get $at)) (i32.const 0x30)))))
)
