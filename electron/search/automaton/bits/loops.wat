;; The loops that take most of the time. They read characters with the bits of bits.wat in one or two vectors.
;; Characters whose first byte has an odd entry there are rare, and left to bits.wat. $base and $last are its.
(module
  (import "env" "memory" (memory 1))

  ;; 1024 after a word character, else 0.
  (global $word (export "word") (mut i32) (i32.const 0))
  ;; The address after the character that `long` read.
  (global $behind (export "behind") (mut i32) (i32.const 0))

  ;; Returns the vector at $at of all that follow $bits by exception; $table begins with the entry of the lowest bit.
  (func $others (param $table i32) (param $bits v128) (param $at i32) (result v128)
    (local $half i64) (local $all v128)
    (if (i32.eqz (v128.any_true (local.get $bits))) (then (return (local.get $all))))
    (local.set $half (i64x2.extract_lane 0 (local.get $bits)))
    (loop $halves
      (block $next
        (loop $each
          (br_if $next (i64.eqz (local.get $half)))
          (local.set $all (v128.or (local.get $all) (v128.load (i32.add (local.get $at)
            (i32.load (i32.add (local.get $table) (i32.shl (i32.wrap_i64 (i64.ctz (local.get $half))) (i32.const 2))))))))
          (local.set $half (i64.and (local.get $half) (i64.sub (local.get $half) (i64.const 1))))
          (br $each)))
      (local.set $half (i64x2.extract_lane 1 (local.get $bits)))
      (local.set $bits (v128.const i64x2 0 0))
      (local.set $table (i32.add (local.get $table) (i32.const 256)))
      (br_if $halves (i64.ne (local.get $half) (i64.const 0))))
    (local.get $all))

  ;; Returns the record of a character of several bytes at $at, given the entry of its first byte; 0 for what bits.wat has
  ;; to look at. Sets $word and $behind.
  (func (export "long") (param $entry i32) (param $at i32) (param $end i32) (param $last i32) (result i32)
    (local $byte i32)
    (loop $bytes
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.or (i32.eq (local.get $entry) (i32.const 1)) (i32.ge_u (local.get $at) (local.get $end)))
        (then (return (i32.const 0))))
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.ne (i32.and (local.get $byte) (i32.const 0xc0)) (i32.const 0x80)) (then (return (i32.const 0))))
      (local.set $entry (i32.load (i32.add
        (i32.sub (local.get $entry) (i32.const 1))
        (i32.shl (i32.and (local.get $byte) (i32.const 63)) (i32.const 2)))))
      (br_if $bytes (i32.and (local.get $entry) (i32.const 1))))
    (global.set $word (i32.shl
      (i32.load8_u offset=68 (i32.add (local.get $entry) (i32.shl (local.get $last) (i32.const 2))))
      (i32.const 10)))
    (global.set $behind (i32.add (local.get $at) (i32.const 1)))
    (local.get $entry))

  ;; Returns a vector after a character, with what comes from the one below it and $other that follow by exception. $of
  ;; has the vector's masks.
  (func $next (param $s v128) (param $below v128) (param $other v128) (param $of i32) (result v128)
    (v128.or
      (v128.or
        (v128.load offset=32 (local.get $of))
        (v128.and (local.get $other) (v128.load offset=48 (local.get $of))))
      (v128.or
        (v128.and (local.get $s) (v128.load offset=16 (local.get $of)))
        (v128.and
          (v128.load (local.get $of))
          (v128.or
            (i64x2.shl (local.get $s) (i32.const 1))
            (i8x16.shuffle 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
              (i64x2.shr_u (local.get $below) (i32.const 63)) (i64x2.shr_u (local.get $s) (i32.const 63))))))))

  ;; Reads characters of one byte at [$at, $end) while bits are in the lowest vector alone. Returns the address of the
  ;; first byte that it did not read.
  (func (export "one")
    (param $at i32) (param $end i32) (param $base i32) (param $last i32) (result i32)
    (local $record i32) (local $byte i32) (local $texts i32)
    (local $s v128) (local $rare v128) (local $zero v128)
    (local.set $texts (i32.add (local.get $base) (global.get $word)))
    (local.set $s (v128.load offset=0x2000 (local.get $base)))
    (local.set $rare (v128.load offset=0x2200 (local.get $base)))
    ;; The highest bit goes on in the next vector.
    (if (local.get $last)
      (then (local.set $rare (v128.or (local.get $rare) (v128.const i64x2 0 0x8000000000000000)))))
    (block $done
      (loop $each
        (local.set $byte (i32.load8_u (local.get $at)))
        (local.set $record (i32.load (i32.add (local.get $texts) (i32.shl (local.get $byte) (i32.const 2)))))
        (br_if $done (i32.and (local.get $record) (i32.const 1)))
        (if (v128.any_true (v128.and (local.get $s) (local.get $rare)))
          (then
            (br_if $done (local.get $last))
            (local.set $s (call $next (local.get $s) (local.get $zero)
              (call $others (i32.load offset=64 (local.get $record))
                (v128.and (local.get $s) (local.get $rare)) (i32.const 0))
              (local.get $record))))
          (else
            (local.set $s (v128.or
              (v128.or
                (v128.load offset=32 (local.get $record))
                (v128.and (local.get $s) (v128.load offset=16 (local.get $record))))
              (v128.and
                (v128.load (local.get $record))
                (v128.or
                  (i64x2.shl (local.get $s) (i32.const 1))
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
                    (local.get $zero) (i64x2.shr_u (local.get $s) (i32.const 63)))))))))
        (local.set $texts (i32.add (local.get $base)
          (i32.shl (i32.load8_u offset=0x1a00 (i32.add (local.get $base) (local.get $byte))) (i32.const 10))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br_if $each (i32.lt_u (local.get $at) (local.get $end)))))
    (v128.store offset=0x2000 (local.get $base) (local.get $s))
    (global.set $word (i32.sub (local.get $texts) (local.get $base)))
    (local.get $at))

  ;; Like `one`, for characters of several bytes, too. Its loop is slower.
  (func (export "any")
    (param $at i32) (param $end i32) (param $base i32) (param $last i32) (result i32)
    (local $record i32) (local $byte i32) (local $texts i32) (local $wordAt i32) (local $lastByte i32)
    (local $s v128) (local $rare v128) (local $zero v128)
    (local.set $texts (i32.add (local.get $base) (global.get $word)))
    (local.set $s (v128.load offset=0x2000 (local.get $base)))
    (local.set $rare (v128.load offset=0x2200 (local.get $base)))
    ;; The highest bit goes on in the next vector.
    (if (local.get $last)
      (then (local.set $rare (v128.or (local.get $rare) (v128.const i64x2 0 0x8000000000000000)))))
    (block $done
      (loop $each
        (local.set $byte (i32.load8_u (local.get $at)))
        (local.set $record (i32.load (i32.add (local.get $texts) (i32.shl (local.get $byte) (i32.const 2)))))
        (local.set $wordAt (i32.add (i32.add (local.get $base) (local.get $byte)) (i32.const 0x1a00)))
        (local.set $lastByte (local.get $at))
        (if (i32.and (local.get $record) (i32.const 1))
          (then
            (loop $bytes
              (local.set $lastByte (i32.add (local.get $lastByte) (i32.const 1)))
              (br_if $done (i32.eq (local.get $record) (i32.const 1)))
              (br_if $done (i32.ge_u (local.get $lastByte) (local.get $end)))
              (local.set $byte (i32.load8_u (local.get $lastByte)))
              (br_if $done (i32.ne (i32.and (local.get $byte) (i32.const 0xc0)) (i32.const 0x80)))
              (local.set $record (i32.load (i32.add
                (i32.sub (local.get $record) (i32.const 1))
                (i32.shl (i32.and (local.get $byte) (i32.const 63)) (i32.const 2)))))
              (br_if $bytes (i32.and (local.get $record) (i32.const 1))))
            (local.set $wordAt (i32.add
              (i32.add (local.get $record) (i32.shl (local.get $last) (i32.const 2))) (i32.const 68)))))
        (if (v128.any_true (v128.and (local.get $s) (local.get $rare)))
          (then
            (br_if $done (local.get $last))
            (local.set $s (call $next (local.get $s) (local.get $zero)
              (call $others (i32.load offset=64 (local.get $record))
                (v128.and (local.get $s) (local.get $rare)) (i32.const 0))
              (local.get $record))))
          (else
            (local.set $s (v128.or
              (v128.or
                (v128.load offset=32 (local.get $record))
                (v128.and (local.get $s) (v128.load offset=16 (local.get $record))))
              (v128.and
                (v128.load (local.get $record))
                (v128.or
                  (i64x2.shl (local.get $s) (i32.const 1))
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
                    (local.get $zero) (i64x2.shr_u (local.get $s) (i32.const 63)))))))))
        (local.set $texts (i32.add (local.get $base)
          (i32.shl (i32.load8_u (local.get $wordAt)) (i32.const 10))))
        (local.set $at (i32.add (local.get $lastByte) (i32.const 1)))
        (br_if $each (i32.lt_u (local.get $at) (local.get $end)))))
    (v128.store offset=0x2000 (local.get $base) (local.get $s))
    (global.set $word (i32.sub (local.get $texts) (local.get $base)))
    (local.get $at))

  ;; Like `one`, while bits are in the lowest two vectors alone.
  (func (export "two")
    (param $at i32) (param $end i32) (param $base i32) (param $last i32) (result i32)
    (local $record i32) (local $byte i32) (local $texts i32) (local $table i32)
    (local $s v128) (local $t v128) (local $up v128) (local $carry v128) (local $zero v128)
    (local $rare v128) (local $rareAbove v128) (local $from v128) (local $fromAbove v128)
    (local.set $texts (i32.add (local.get $base) (global.get $word)))
    (local.set $s (v128.load offset=0x2000 (local.get $base)))
    (local.set $t (v128.load offset=0x2010 (local.get $base)))
    (local.set $rare (v128.load offset=0x2200 (local.get $base)))
    (local.set $rareAbove (v128.load offset=0x2210 (local.get $base)))
    (if (i32.gt_u (local.get $last) (i32.const 16))
      (then (local.set $rareAbove (v128.or (local.get $rareAbove) (v128.const i64x2 0 0x8000000000000000)))))
    (block $done
      (loop $each
        (local.set $byte (i32.load8_u (local.get $at)))
        (local.set $record (i32.load (i32.add (local.get $texts) (i32.shl (local.get $byte) (i32.const 2)))))
        (br_if $done (i32.and (local.get $record) (i32.const 1)))
        (local.set $from (v128.and (local.get $s) (local.get $rare)))
        (local.set $fromAbove (v128.and (local.get $t) (local.get $rareAbove)))
        (if (v128.any_true (v128.or (local.get $from) (local.get $fromAbove)))
          (then
            (br_if $done (i32.gt_u (local.get $last) (i32.const 16)))
            (local.set $table (i32.load offset=128 (local.get $record)))
            (local.set $carry (v128.or
              (call $others (local.get $table) (local.get $from) (i32.const 16))
              (call $others (i32.add (local.get $table) (i32.const 512)) (local.get $fromAbove) (i32.const 16))))
            (local.set $t (call $next (local.get $t) (local.get $s) (local.get $carry)
              (i32.add (local.get $record) (i32.const 64))))
            (local.set $carry (v128.or
              (call $others (local.get $table) (local.get $from) (i32.const 0))
              (call $others (i32.add (local.get $table) (i32.const 512)) (local.get $fromAbove) (i32.const 0))))
            (local.set $s (call $next (local.get $s) (local.get $zero) (local.get $carry) (local.get $record))))
          (else
            (local.set $up (i64x2.shr_u (local.get $s) (i32.const 63)))
            (local.set $carry (i8x16.shuffle 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
              (local.get $up) (i64x2.shr_u (local.get $t) (i32.const 63))))
            (local.set $s (v128.or
              (v128.or
                (v128.load offset=32 (local.get $record))
                (v128.and (local.get $s) (v128.load offset=16 (local.get $record))))
              (v128.and
                (v128.load (local.get $record))
                (v128.or
                  (i64x2.shl (local.get $s) (i32.const 1))
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 (local.get $zero) (local.get $up))))))
            (local.set $t (v128.or
              (v128.or
                (v128.load offset=96 (local.get $record))
                (v128.and (local.get $t) (v128.load offset=80 (local.get $record))))
              (v128.and
                (v128.load offset=64 (local.get $record))
                (v128.or (i64x2.shl (local.get $t) (i32.const 1)) (local.get $carry)))))))
        (local.set $texts (i32.add (local.get $base)
          (i32.shl (i32.load8_u offset=0x1a00 (i32.add (local.get $base) (local.get $byte))) (i32.const 10))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br_if $each (i32.lt_u (local.get $at) (local.get $end)))))
    (v128.store offset=0x2000 (local.get $base) (local.get $s))
    (v128.store offset=0x2010 (local.get $base) (local.get $t))
    (global.set $word (i32.sub (local.get $texts) (local.get $base)))
    (local.get $at)))
