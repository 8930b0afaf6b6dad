;; Reads paths at once, for lines.wat: a shape masks a path as a whole, so its words are not hashed.
(module
  (import "env" "memory" (memory 1))
  (import "parts" "isPath" (func $isPath (param i32 i32) (result i32))) ;; line-parts.wat
  (import "parts" "isTimely" (func $isTimely (param i32 i32) (result i32)))
  (import "parts" "mayTell" (func $mayTell (param i32 i32) (result i32)))
  (import "ends" "tell" (func $tell (param i32 i32))) ;; line-end.wat
  (import "ends" "wantsTime" (global $wantsTime (mut i32)))
  (import "ends" "timely" (global $timely (mut i32)))

  ;; Returns the end of the run of names that begins at $run if it is a path; $at is its first slash. Returns 0 if it is
  ;; none, or must be read byte by byte.
  (func (export "pathEnd") (param $run i32) (param $at i32) (result i32)
    (local $end i32)
    (local.set $end (call $runEnd (local.get $at)))
    (if (i32.eqz (call $isPath (local.get $run) (local.get $end))) (then (return (i32.const 0))))
    (select (local.get $end) (i32.const 0) (call $readWords (local.get $at) (local.get $end))))

  ;; Returns the end of the names, joins and slashes from $at on (shape.ts).
  (func $runEnd (param $at i32) (result i32)
    (local $v v128) (local $mask i32)
    (loop $by16
      (local.set $v (v128.load (local.get $at)))
      (local.set $mask (i8x16.bitmask (v128.or
        (v128.or
          (v128.or
            (local.get $v)
            (i8x16.lt_u
              (i8x16.sub (v128.or (local.get $v) (i8x16.splat (i32.const 0x20))) (i8x16.splat (i32.const 0x61)))
              (i8x16.splat (i32.const 26))))
          (v128.or
            ;; - . / and digits; # $ %
            (i8x16.lt_u (i8x16.sub (local.get $v) (i8x16.splat (i32.const 0x2d))) (i8x16.splat (i32.const 13)))
            (i8x16.lt_u (i8x16.sub (local.get $v) (i8x16.splat (i32.const 0x23))) (i8x16.splat (i32.const 3)))))
        (v128.or
          ;; _ ~ + @
          (v128.or
            (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x5f)))
            (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x7e))))
          (v128.or
            (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x2b)))
            (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x40))))))))
      (if (i32.eq (local.get $mask) (i32.const 0xffff))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br $by16))))
    (i32.add (local.get $at) (i32.ctz (i32.xor (local.get $mask) (i32.const -1)))))

  ;; Looks for severities and a timestamp among the words from $at, where none has begun, up to $end. Returns 0 if one
  ;; must be looked at byte by byte: it may be quoted, or is longer than 63 bytes.
  (func $readWords (param $at i32) (param $end i32) (result i32)
    (local $words i64) (local $digits i64) (local $from i64) (local $n i64)
    (local $word i32) (local $wordEnd i32) (local $v v128) (local $d v128)
    (loop $block
      ;; The words and digits of 64 bytes, as bits; words.wat finds more than is needed here.
      (local.set $wordEnd (i32.add (local.get $at) (i32.const 48)))
      (loop $by16
        (local.set $v (v128.load (local.get $wordEnd)))
        (local.set $d (i8x16.lt_u (i8x16.sub (local.get $v) (i8x16.splat (i32.const 0x30))) (i8x16.splat (i32.const 10))))
        (local.set $digits (i64.or
          (i64.shl (local.get $digits) (i64.const 16)) (i64.extend_i32_u (i8x16.bitmask (local.get $d)))))
        (local.set $words (i64.or
          (i64.shl (local.get $words) (i64.const 16))
          (i64.extend_i32_u (i8x16.bitmask (v128.or
            (v128.or (local.get $d) (local.get $v))
            (v128.or
              (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0x5f)))
              (i8x16.lt_u
                (i8x16.sub (v128.or (local.get $v) (i8x16.splat (i32.const 0x20))) (i8x16.splat (i32.const 0x61)))
                (i8x16.splat (i32.const 26)))))))))
        (local.set $wordEnd (i32.sub (local.get $wordEnd) (i32.const 16)))
        (br_if $by16 (i32.ge_u (local.get $wordEnd) (local.get $at))))
      (block $blockEnd
        (loop $next
          (br_if $blockEnd (i64.eqz (local.get $words)))
          (local.set $from (i64.ctz (local.get $words)))
          (local.set $word (i32.add (local.get $at) (i32.wrap_i64 (local.get $from))))
          (if (i32.ge_u (local.get $word) (local.get $end)) (then (return (i32.const 1))))
          (local.set $n (i64.ctz (i64.xor (i64.shr_u (local.get $words) (local.get $from)) (i64.const -1))))
          (if (i64.ge_u (i64.add (local.get $from) (local.get $n)) (i64.const 64))
            (then
              (if (i64.eqz (local.get $from)) (then (return (i32.const 0))))
              (local.set $at (local.get $word))
              (br $block)))
          (local.set $wordEnd (i32.add (local.get $word) (i32.wrap_i64 (local.get $n))))
          (if (i32.eq (i32.load8_u (local.get $word)) (i32.const 0xe2)) (then (return (i32.const 0))))
          (if (i32.eqz (i64.eqz (i64.and
                (i64.shr_u (local.get $digits) (local.get $from))
                (i64.xor (i64.shl (i64.const -1) (local.get $n)) (i64.const -1)))))
            (then
              ;; White space beyond ASCII may stand before a date.
              (if (i32.and (global.get $wantsTime) (i32.eqz (global.get $timely)))
                (then (global.set $timely (call $isTimely (local.get $word) (local.get $wordEnd))))))
            (else
              (if (call $mayTell (local.get $word) (local.get $wordEnd))
                (then (call $tell (local.get $word) (local.get $wordEnd))))))
          (local.set $words (i64.and (local.get $words)
            (i64.shl (i64.const -1) (i64.add (local.get $from) (local.get $n)))))
          (br $next)))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (br_if $block (i32.lt_u (local.get $at) (local.get $end))))
    (i32.const 1)))
