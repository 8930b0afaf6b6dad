;; Counts the lines that lines.wat reads, and their shapes. Does the work that is needed once for each line.
(module
  (import "env" "memory" (memory 1))
  (import "parts" "isTimely" (func $isTimely (param i32 i32) (result i32))) ;; line-parts.wat
  (import "parts" "mayTell" (func $mayTell (param i32 i32) (result i32)))
  (import "parts" "end" (func $end (param i32 i32) (result i32)))
  (import "parts" "kindsOf" (func $kindsOf (param i32 i32) (result i32)))
  ;; Set where a word has digits that may be seconds since 1970.
  (import "parts" "mayCount" (global $mayCount (mut i32)))
  ;; Called with a line's start, end and number. `hasTime` returns 1 once no more timestamps are wanted.
  (import "js" "isBlank" (func $isBlank (param i32 i32) (result i32)))
  (import "js" "newShape" (func $newShape (param i32 i32 i32 i32 i32)))
  ;; Called with a shape's entry for one of the lines that `most` asks for.
  (import "js" "again" (func $again (param i32 i32 i32 i32)))
  (import "js" "hasTime" (func $hasTime (param i32 i32) (result i32)))
  ;; Also called with the part of the line that may tell it. Returns the level of all lines that differ from this one in
  ;; digits alone: 1 is none, and from 2 on they can be counted by `addLevel`; 0 if they may have others, or are listed.
  (import "js" "hasLevel" (func $hasLevel (param i32 i32 i32 i32 i32) (result i32)))
  (import "js" "addLevel" (func $addLevel (param i32)))
  ;; Called for a line that must be rendered; the last argument is the address of its LF.
  (import "js" "odd" (func $odd (param i32 i32 i32)))
  (import "known" "find" (func $find (param i32) (result i32))) ;; known-lines.wat
  (import "known" "keep" (func $keep (param i32 i64 i32 i32) (result i32)))
  (import "known" "lf" (global $knownLf (mut i32)))

  ;; The counts of Tally.
  (global $lines (export "lines") (mut i32) (i32.const 0))
  (global $chars (export "chars") (mut f64) (f64.const 0))
  (global $longest (export "longest") (mut i32) (i32.const 0))
  (global $blank (export "blank") (mut i32) (i32.const 0))
  (global $lf (export "lf") (mut i32) (i32.const 0))
  (global $crlf (export "crlf") (mut i32) (i32.const 0))
  ;; 0 once a timestamp was found. 1 if all bytes are ASCII.
  (global $wantsTime (export "wantsTime") (mut i32) (i32.const 1))
  (global $ascii (export "ascii") (mut i32) (i32.const 0))

  ;; A caller sees so many lines of each shape, and of the rest one in 256. 0: it sees none.
  (global $most (export "most") (mut f64) (f64.const 0))

  ;; State of the current line: the first word that may be a severity, or 0, and the end of the last such word; whether
  ;; it may have a timestamp; whether its shape is cut, and the hash at the cut.
  (global $telling (mut i32) (i32.const 0))
  (global $tellingEnd (mut i32) (i32.const 0))
  (global $timely (export "timely") (mut i32) (i32.const 0))
  (global $isCut (mut i32) (i32.const 0))
  (global $cutHash (mut i64) (i64.const 0))

  (func (export "begin")
    (global.set $telling (i32.const 0))
    (global.set $timely (i32.const 0))
    (global.set $mayCount (i32.const 0))
    (global.set $isCut (i32.const 0)))

  ;; Counts the line at $at if it is known; returns its end, or 0. Flags of an entry: 1, the line ends with CR LF; 2, no
  ;; digits would make a timestamp in it; from 4 on, its level as `hasLevel` returns it.
  (func (export "known") (param $at i32) (result i32)
    (local $entry i32) (local $flags i32) (local $next i32) (local $end i32)
    (local.set $entry (call $find (local.get $at)))
    (if (i32.eqz (local.get $entry)) (then (return (i32.const 0))))
    (local.set $flags (i32.load offset=20 (local.get $entry)))
    (if (i32.and (global.get $wantsTime) (i32.eqz (i32.and (local.get $flags) (i32.const 2))))
      (then (return (i32.const 0))))
    (local.set $next (global.get $knownLf))
    (local.set $end (i32.sub (local.get $next) (i32.and (local.get $flags) (i32.const 1))))
    (call $measure (local.get $end) (local.get $next) (i32.load offset=16 (local.get $entry)))
    (call $countShape
      (i64.load offset=8 (local.get $entry)) (local.get $at) (local.get $end) (global.get $lines))
    (if (f64.eq (global.get $most) (f64.const 0))
      (then
        (if (i32.ge_u (local.get $flags) (i32.const 8))
          (then (call $addLevel (i32.shr_u (local.get $flags) (i32.const 2))))
          (else (if (i32.lt_u (local.get $flags) (i32.const 4))
            (then (call $askLevel (local.get $entry)
              (local.get $at) (local.get $end) (local.get $at) (local.get $end))))))))
    (i32.add (local.get $next) (i32.const 1)))

  ;; Counts the level of a line whose entry does not have it, and puts it there.
  (func $askLevel (param $entry i32) (param $start i32) (param $end i32) (param $from i32) (param $to i32)
    (i32.store offset=20 (local.get $entry) (i32.or
      (i32.load offset=20 (local.get $entry))
      (i32.shl
        (call $hasLevel (local.get $start) (local.get $end) (local.get $from) (local.get $to) (global.get $lines))
        (i32.const 2)))))

  ;; Counts a line of $n code units, which ends at $end, with its LF at $next.
  (func $measure (param $end i32) (param $next i32) (param $n i32)
    (global.set $lines (i32.add (global.get $lines) (i32.const 1)))
    (if (i32.eq (local.get $next) (local.get $end))
      (then (global.set $lf (i32.add (global.get $lf) (i32.const 1))))
      (else (global.set $crlf (i32.add (global.get $crlf) (i32.const 1)))))
    (global.set $chars (f64.add (global.get $chars) (f64.convert_i32_u (local.get $n))))
    (if (i32.gt_u (local.get $n) (global.get $longest)) (then (global.set $longest (local.get $n)))))

  ;; Counts the empty lines from $at, up to $to. Returns their end.
  (func (export "empty") (param $at i32) (param $to i32) (result i32)
    (local $from i32) (local $n i32)
    (local.set $from (local.get $at))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $at) (local.get $to)))
        (br_if $done (i32.ne (i32.load8_u (local.get $at)) (i32.const 10)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $each)))
    (local.set $n (i32.sub (local.get $at) (local.get $from)))
    (global.set $lines (i32.add (global.get $lines) (local.get $n)))
    (global.set $blank (i32.add (global.get $blank) (local.get $n)))
    (global.set $lf (i32.add (global.get $lf) (local.get $n)))
    (local.get $at))

  ;; Records that the text from $at up to $end may be a severity.
  (func $tell (export "tell") (param $at i32) (param $end i32)
    (if (i32.eqz (global.get $telling)) (then (global.set $telling (local.get $at))))
    (global.set $tellingEnd (local.get $end)))

  ;; Looks for a timestamp and severities in a part of the line that the shape masks as a whole.
  (func (export "within") (param $at i32) (param $to i32)
    (local $word i32) (local $kinds i32)
    (loop $each
      (local.set $word (local.get $at))
      (local.set $at (call $end (local.get $at) (i32.const 7)))
      (if (i32.gt_u (local.get $at) (local.get $word))
        (then
          (local.set $kinds (call $kindsOf (local.get $word) (local.get $at)))
          (if (i32.and (local.get $kinds) (i32.const 2))
            (then
              (if (i32.and (global.get $wantsTime) (i32.eqz (global.get $timely)))
                (then (global.set $timely (call $isTimely (local.get $word) (local.get $at))))))
            (else
              (if (call $mayTell (local.get $word) (local.get $at))
                (then (call $tell (local.get $word) (local.get $at)))))))
        (else (local.set $at (i32.add (local.get $at) (i32.const 1)))))
      (br_if $each (i32.lt_u (local.get $at) (local.get $to)))))

  ;; Records the hash of the line up to its cut, once.
  (func (export "cutAt") (param $hash i64)
    (if (global.get $isCut) (then (return)))
    (global.set $isCut (i32.const 1))
    ;; `mix` of line-parts.wat.
    (local.set $hash (i64.mul (i64.xor (local.get $hash) (i64.const 5)) (i64.const 0x9e3779b97f4a7c15)))
    (global.set $cutHash (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 32)))))

  ;; Counts the line up to $end, whose LF is at $next. Returns 1 if it was rendered, as rendering uses the scanner.
  (func (export "count") (param $start i32) (param $end i32) (param $next i32) (param $hash i64) (result i32)
    (local $n i32) (local $entry i32)
    (local.set $n (i32.sub (local.get $end) (local.get $start)))
    (if (i32.eqz (global.get $ascii))
      (then
        (local.set $n (call $units (local.get $start) (local.get $end)))
        (if (i32.lt_s (local.get $n) (i32.const 0))
          (then
            (call $odd (local.get $start) (local.get $end) (local.get $next))
            (return (i32.const 1))))))
    (call $measure (local.get $end) (local.get $next) (local.get $n))
    ;; The hash is that of a blank line, or the line may be white space beyond ASCII, which is a word to the scanner.
    (if (if (result i32) (i64.eq (local.get $hash) (i64.const 0x2b1ce4e5811c9dc5))
          (then (i32.const 1))
          (else (if (result i32) (i32.lt_u
              (i32.sub (i32.load8_u (local.get $start)) (i32.const 0x21)) (i32.const 0x5f))
            (then (i32.const 0))
            (else (if (result i32) (global.get $ascii)
              (then (i32.const 0))
              (else (call $isBlank (local.get $start) (local.get $end))))))))
      (then
        (global.set $blank (i32.add (global.get $blank) (i32.const 1)))
        (return (i32.const 0))))
    (local.set $hash (select (global.get $cutHash) (local.get $hash) (global.get $isCut)))
    (local.set $entry (call $keep (local.get $start) (local.get $hash) (local.get $n) (i32.or
      (i32.sub (local.get $next) (local.get $end))
      (i32.shl
        (i32.and (global.get $wantsTime) (i32.eqz (i32.or (global.get $timely) (global.get $mayCount))))
        (i32.const 1)))))
    (call $countShape (local.get $hash) (local.get $start) (local.get $end) (global.get $lines))
    (if (i32.and (global.get $timely) (global.get $wantsTime))
      (then (if (call $hasTime (local.get $start) (local.get $end)) (then (global.set $wantsTime (i32.const 0))))))
    ;; A caller that only reads lines needs no levels.
    (if (f64.ne (global.get $most) (f64.const 0)) (then (return (i32.const 0))))
    (if (i32.eqz (global.get $telling))
      (then
        (if (i32.eqz (call $mayStart (local.get $start)))
          (then
            (i32.store offset=20 (local.get $entry)
              (i32.or (i32.load offset=20 (local.get $entry)) (i32.const 4)))
            (return (i32.const 0))))
        (call $tell (local.get $end) (local.get $end))))
    (call $askLevel (local.get $entry)
      (local.get $start) (local.get $end) (global.get $telling) (global.get $tellingEnd))
    (i32.const 0))

  ;; Counts a line of the shape with this hash.
  (func $countShape (param $hash i64) (param $start i32) (param $end i32) (param $line i32)
    (local $low i32) (local $high i32) (local $slot i32) (local $entry i32) (local $probes i32) (local $count f64)
    (local.set $low (i32.wrap_i64 (local.get $hash)))
    (local.set $high (i32.wrap_i64 (i64.shr_u (local.get $hash) (i64.const 32))))
    ;; `mixed` of shape-table.ts.
    (local.set $slot (i32.xor (local.get $low) (i32.shr_u (local.get $high) (i32.const 7))))
    (local.set $slot (i32.mul
      (i32.xor (local.get $slot) (i32.shr_u (local.get $slot) (i32.const 16))) (i32.const 0x85ebca6b)))
    (local.set $slot (i32.xor (local.get $slot) (i32.shr_u (local.get $slot) (i32.const 13))))
    (block $unknown
      (loop $probe
        (local.set $slot (i32.and (local.get $slot) (i32.const 0x7fff)))
        (local.set $entry (i32.load offset=0x4000 (i32.shl (local.get $slot) (i32.const 2))))
        (br_if $unknown (i32.eqz (local.get $entry)))
        (local.set $entry (i32.shl (i32.sub (local.get $entry) (i32.const 1)) (i32.const 2)))
        (if (i32.and
              (i32.eq (i32.load offset=0x24000 (local.get $entry)) (local.get $low))
              (i32.eq (i32.load offset=0x34000 (local.get $entry)) (local.get $high)))
          (then
            (local.set $entry (i32.shl (local.get $entry) (i32.const 1)))
            (local.set $count (f64.add (f64.load offset=0x44000 (local.get $entry)) (f64.const 1)))
            (f64.store offset=0x44000 (local.get $entry) (local.get $count))
            (if (f64.eq (global.get $most) (f64.const 0)) (then (return)))
            (if (i32.or
                  (f64.le (local.get $count) (global.get $most))
                  (i64.eqz (i64.and (i64.trunc_f64_s (local.get $count)) (i64.const 255))))
              (then (call $again (i32.shr_u (local.get $entry) (i32.const 3))
                (local.get $start) (local.get $end) (local.get $line))))
            (return)))
        (local.set $slot (i32.add (local.get $slot) (i32.const 1)))
        (local.set $probes (i32.add (local.get $probes) (i32.const 1)))
        (br_if $probe (i32.lt_u (local.get $probes) (i32.const 256)))))
    (call $newShape (local.get $low) (local.get $high) (local.get $start) (local.get $end) (local.get $line)))

  ;; Whether a line's first bytes may begin a severity: a bit for each two bytes; digits need a dash or, for Redis, a
  ;; colon and a capital after them.
  (func $mayStart (param $at i32) (result i32)
    (local $two i32)
    (local.set $two (i32.or
      (i32.shl (i32.load8_u (local.get $at)) (i32.const 8)) (i32.load8_u offset=1 (local.get $at))))
    (i32.and
      (i32.and (i32.const 1) (i32.shr_u
        (i32.load8_u offset=0x2000 (i32.shr_u (local.get $two) (i32.const 3)))
        (i32.and (local.get $two) (i32.const 7))))
      (i32.or
        (i32.or
          (i32.ge_u (i32.sub (i32.load8_u (local.get $at)) (i32.const 0x30)) (i32.const 10))
          (i32.eq (i32.load8_u offset=2 (local.get $at)) (i32.const 0x2d)))
        (call $isRole (local.get $at)))))

  ;; `12:M`
  (func $isRole (param $at i32) (result i32)
    (loop $digits
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $digits (i32.lt_u (i32.sub (i32.load8_u (local.get $at)) (i32.const 0x30)) (i32.const 10))))
    (i32.and
      (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x3a))
      (i32.lt_u (i32.sub (i32.load8_u offset=1 (local.get $at)) (i32.const 0x41)) (i32.const 26))))

  ;; See `lengthWithoutC1` in tally.ts.
  (func $units (param $at i32) (param $end i32) (result i32)
    (local $units i32) (local $byte i32)
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (if (i32.eq (local.get $byte) (i32.const 0xc2))
          (then (if (i32.lt_u (i32.xor (i32.load8_u offset=1 (local.get $at)) (i32.const 0x80)) (i32.const 0x20))
            (then (return (i32.const -1))))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $units (i32.add (local.get $units) (i32.add
          (i32.ne (i32.and (local.get $byte) (i32.const 0xc0)) (i32.const 0x80))
          (i32.ge_u (local.get $byte) (i32.const 0xf0)))))
        (br $each)))
    (local.get $units)))
