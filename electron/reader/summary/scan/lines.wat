;; Reads lines of UTF-8 once: measures them, and hashes and counts their shapes (shape.ts defines shapes). Calls
;; line-parts.wat and JavaScript for rarer cases. Its memory is laid out in memory.ts. A test compares it with
;; `plainLineScanner`.
(module
  (import "env" "memory" (memory 1))
  (import "parts" "isPath" (func $isPath (param i32 i32) (result i32))) ;; line-parts.wat
  (import "parts" "isHexPart" (func $isHexPart (param i32 i32) (result i32)))
  (import "parts" "isName" (func $isName (param i32) (result i32)))
  (import "parts" "mayTell" (func $mayTell (param i32 i32) (result i32)))
  (import "parts" "isTimely" (func $isTimely (param i32 i32) (result i32)))
  (import "parts" "end" (func $end (param i32 i32) (result i32)))
  (import "parts" "kindsOf" (func $kindsOf (param i32 i32) (result i32)))
  (import "parts" "lineFeed" (func $lineFeed (param i32) (result i32)))
  (import "parts" "plain" (func $plain (param i32 i32) (result i32)))
  (import "parts" "mix" (func $mix (param i64 i64) (result i64)))
  (import "parts" "mixWord" (func $mixWord (param i64 i32 i32) (result i64)))
  (import "parts" "mixGap" (func $mixGap (param i64 i32) (result i64)))
  (import "parts" "quotedEnd" (func $quotedEnd (param i32 i32) (result i32)))
  (import "parts" "gapEnd" (func $gapEnd (param i32 i32) (result i32)))
  (import "words" "look" (func $look (param i32)))
  (import "paths" "pathEnd" (func $pathEnd (param i32 i32) (result i32))) ;; paths.wat
  (import "ends" "known" (func $known (param i32) (result i32))) ;; line-end.wat
  (import "ends" "begin" (func $begin))
  (import "ends" "empty" (func $empty (param i32 i32) (result i32)))
  (import "ends" "tell" (func $tell (param i32 i32)))
  (import "ends" "within" (func $within (param i32 i32)))
  (import "ends" "cutAt" (func $cutAt (param i64)))
  (import "ends" "count" (func $count (param i32 i32 i32 i64) (result i32)))
  (import "ends" "wantsTime" (global $wantsTime (mut i32)))
  (import "ends" "timely" (global $timely (mut i32)))
  ;; shape.ts
  (import "js" "isCalendarName" (func $isCalendarName (param i32 i32 i32) (result i32)))
  (import "js" "curlyQuotedEnd" (func $curlyQuotedEnd (param i32 i32) (result i32)))
  (import "js" "addressEnd" (func $addressEnd (param i32 i32 i32) (result i32)))
  ;; Called for a line that must be rendered; the last argument is the address of its LF.
  (import "js" "odd" (func $odd (param i32 i32 i32)))

  ;; The current run of names: its start, the hash before it, whether it has slashes (2: and is a path). If $jump is
  ;; not 0, it may have begun among the numbers from there up to $jumpEnd, which were taken at once.
  (global $run (mut i32) (i32.const 0))
  (global $runHash (mut i64) (i64.const 0))
  (global $slashes (mut i32) (i32.const 0))
  (global $jump (mut i32) (i32.const 0))
  (global $jumpEnd (mut i32) (i32.const 0))

  ;; Finds the start of the run of names; $hash is the hash of the numbers.
  (func $findRun (param $hash i64)
    (local $gap i32)
    (local.set $gap (call $gapEnd (global.get $jump) (global.get $jumpEnd)))
    (global.set $jump (i32.const 0))
    (if (local.get $gap)
      (then (global.set $run (local.get $gap))
        (global.set $runHash (call $mixGap (local.get $hash) (local.get $gap))))))

  ;; Counts the lines from $p up to $to, the end of a line with LF.
  (func $scan (export "scan") (param $p i32) (param $to i32)
    (local $start i32)
    ;; Hashes: of what was read; after the last number while it may go on, else 0.
    (local $hash i64) (local $numberHash i64)
    ;; Sets of places from $base on (words.wat).
    (local $base i32) (local $off i64)
    (local $words i64) (local $numbers i64) (local $numeric i64) (local $blanks i64)
    (local $first i32) (local $n i32) (local $kind i32) (local $isNumber i32) (local $isFile i32)
    (local $set i64) (local $bits i64)
    (block $done (loop $line
    (local.set $p (call $empty (local.get $p) (local.get $to)))
    (br_if $done (i32.ge_u (local.get $p) (local.get $to)))
    (local.set $start (call $known (local.get $p)))
    (if (local.get $start)
      (then
        (local.set $p (local.get $start))
        (br $line)))
    (local.set $start (local.get $p))
    (local.set $hash (i64.const 0x2b1ce4e5811c9dc5))
    (local.set $numberHash (i64.const 0))
    (global.set $run (local.get $p))
    (global.set $runHash (local.get $hash))
    (global.set $slashes (i32.const 0))
    (global.set $jump (i32.const 0))
    (call $begin)
    (block $lineEnd
      (loop $next
        (block $newRun
        (block $addToNewRun
        (block $add
          (local.set $off (i64.extend_i32_u (i32.sub (local.get $p) (local.get $base))))
          (if (i64.gt_u (local.get $off) (i64.const 40))
            (then
              (local.set $base (local.get $p))
              (local.set $off (i64.const 0))
              (call $look (local.get $p))
              (local.set $words (i64.load offset=0x1800 (i32.const 0)))
              (local.set $numbers (i64.load offset=0x1808 (i32.const 0)))
              (local.set $numeric (i64.load offset=0x1810 (i32.const 0)))
              (local.set $blanks (i64.load offset=0x1818 (i32.const 0)))))
          (local.set $set (i64.shr_u (local.get $words) (local.get $off)))
          (if (i32.and (i32.wrap_i64 (local.get $set)) (i32.const 1))
            (then (block $number
              (local.set $first (local.get $p))
              (if (i32.eq (i32.load8_u (local.get $p)) (i32.const 0xe2))
                (then
                  (local.set $kind (call $curlyQuotedEnd (local.get $p) (i32.add (local.get $start) (i32.const 512))))
                  (if (i32.gt_u (local.get $kind) (local.get $p))
                    (then
                      (if (global.get $jump) (then (call $findRun (local.get $numberHash))))
                      (local.set $hash (call $mixWord (local.get $hash) (local.get $p) (i32.const 3)))
                      (local.set $hash (call $mix (local.get $hash) (i64.const 4)))
                      (local.set $p (local.get $kind))
                      (local.set $hash (call $mixWord (local.get $hash)
                        (i32.sub (local.get $p) (i32.const 3)) (i32.const 3)))
                      (global.set $timely (i32.const 1))
                      (call $tell (local.get $first) (local.get $p))
                      (local.set $numberHash (i64.const 0))
                      ;; The next word begins here.
                      (local.set $base (i32.const 0))
                      (br $next)))))
              (local.set $n (i32.wrap_i64 (i64.ctz (i64.xor (local.get $set) (i64.const -1)))))
              (if (i32.ge_u (i32.add (local.get $n) (i32.wrap_i64 (local.get $off))) (i32.const 64))
                (then
                  ;; It may continue after these 64 bytes.
                  (if (i64.ne (local.get $off) (i64.const 0))
                    (then
                      (local.set $base (i32.add (local.get $p) (i32.const 1)))
                      (br $next)))
                  (local.set $n (i32.sub (call $end (local.get $p) (i32.const 7)) (local.get $p)))
                  (local.set $isNumber (i32.and
                    (call $kindsOf (local.get $p) (i32.add (local.get $p) (local.get $n))) (i32.const 2))))
                (else
                  (local.set $isNumber (i32.and (i32.const 1)
                    (i32.wrap_i64 (i64.shr_u (local.get $numbers) (local.get $off)))))
                  (if (i32.and
                        (i32.and (local.get $isNumber) (i32.wrap_i64 (i64.shr_u (local.get $numeric) (local.get $off))))
                        (i32.eqz (global.get $slashes)))
                    (then ;; Take the numbers that go on from here at once, if none must be looked at.
                      (local.set $kind (i32.wrap_i64 (i64.ctz (i64.xor (i64.const -1)
                        (i64.shr_u (local.get $numeric) (local.get $off))))))
                      (local.set $bits
                        (i64.sub (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $kind))) (i64.const 1)))
                      (local.set $kind (i32.add (local.get $kind) (i32.wrap_i64 (local.get $off))))
                      (if (i32.and
                            (i32.lt_u (local.get $kind) (i32.const 64))
                            (i32.lt_u (i32.sub (local.get $p) (local.get $start)) (i32.const 440)))
                        (then (if (i32.or
                            (i64.eqz (i64.and (local.get $bits) (i64.shr_u (i64.load offset=0x1820 (i32.const 0)) (local.get $off))))
                            (i32.or (i32.eqz (global.get $wantsTime)) (global.get $timely)))
                          (then
                            (local.set $p (i32.add (local.get $p)
                              (i32.sub (i32.const 64) (i32.wrap_i64 (i64.clz
                                (i64.and (local.get $bits) (local.get $set)))))))
                            (if (i32.eqz (global.get $jump)) (then (global.set $jump (local.get $first))))
                            (global.set $jumpEnd (local.get $p))
                            (br $number)))))))))
              (local.set $p (i32.add (local.get $p) (local.get $n)))
              (if (local.get $isNumber)
                (then
                  (if (i32.and (global.get $wantsTime) (i32.eqz (global.get $timely)))
                    (then (global.set $timely (call $isTimely (local.get $first) (local.get $p))))))
                (else
                  ;; `mayTell` needs certain first and last letters and lengths.
                  (local.set $kind (i32.load8_u (i32.sub (local.get $p) (i32.const 1))))
                  (if (i32.or
                        (i32.load8_u offset=0x1400 (local.get $kind))
                        (i32.and (i32.const 1) (i32.shr_u
                          (i32.load offset=0x400 (i32.or
                            (i32.shl (i32.and (i32.load8_u (local.get $first)) (i32.const 31)) (i32.const 7))
                            (i32.shl (i32.and (local.get $kind) (i32.const 31)) (i32.const 2))))
                          (local.get $n))))
                    (then (if (call $mayTell (local.get $first) (local.get $p))
                      (then (call $tell (local.get $first) (local.get $p))))))
                  (if (i64.ne (local.get $numberHash) (i64.const 0))
                    (then (local.set $isNumber (call $isHexPart (local.get $first) (local.get $p)))))
                  (if (i32.and (i32.eq (local.get $n) (i32.const 3)) (i32.eqz (local.get $isNumber)))
                    (then (if (call $isName (local.get $first))
                      (then (local.set $isNumber (call $isCalendarName
                        (local.get $first) (local.get $start) (i32.add (local.get $start) (i32.const 512))))))))))
              (br_if $number (local.get $isNumber))
              (if (global.get $jump) (then (call $findRun (local.get $numberHash))))
              (local.set $numberHash (i64.const 0))
              (if (i32.gt_u (local.get $n) (i32.const 8))
                (then
                  (local.set $hash (call $mixWord (local.get $hash) (local.get $first) (local.get $n)))
                  (br $next)))
              (local.set $bits (i64.and (i64.load (local.get $first)) (i64.shr_u (i64.const -1)
                (i64.extend_i32_u (i32.sub (i32.const 64) (i32.shl (local.get $n) (i32.const 3)))))))
              (br $add))
              (if (i64.eqz (local.get $numberHash))
                (then
                  (local.set $hash (i64.mul (i64.xor (local.get $hash) (i64.const 1)) (i64.const 0x9e3779b97f4a7c15)))
                  (local.set $numberHash (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 32))))))
              (local.set $hash (local.get $numberHash))
              (br $next)))
          (local.set $n (i32.load8_u (local.get $p)))
          (local.set $kind (i32.load16_u (i32.shl (local.get $n) (i32.const 1))))
          (local.set $bits (i64.extend_i32_u (local.get $n)))
          (if (i32.and (local.get $kind) (i32.const 24))
            (then
              (if (i32.and (local.get $kind) (i32.const 16))
                (then
                  (if (global.get $jump) (then (call $findRun (local.get $numberHash))))
                  (if (i32.eqz (global.get $slashes))
                    (then
                      (global.set $slashes (i32.const 1))
                      (local.set $first (call $pathEnd (global.get $run) (local.get $p)))
                      (if (local.get $first)
                        (then
                          (global.set $slashes (i32.const 2))
                          (local.set $p (local.get $first))
                          (br $next)))))))
              (if (i32.eqz (i32.and (local.get $kind) (i32.const 32)))
                (then
                  (if (global.get $jump) (then (call $findRun (local.get $numberHash))))
                  (local.set $numberHash (i64.const 0))))
              (local.set $p (i32.add (local.get $p) (i32.const 1)))
              (br $add)))
          ;; The run of names ends here.
          (local.set $isFile (i32.shr_u (global.get $slashes) (i32.const 1)))
          (if (i32.eq (global.get $slashes) (i32.const 1))
            (then (local.set $isFile (call $isPath (global.get $run) (local.get $p)))))
          (if (i32.gt_u (local.get $p) (i32.add (local.get $start) (i32.const 512)))
            (then
              (if (global.get $jump) (then (call $findRun (local.get $numberHash))))
              (call $cutAt (global.get $runHash))))
          (if (local.get $isFile)
            (then
              (local.set $hash (call $mix (global.get $runHash) (i64.const 2)))
              (local.set $numberHash (i64.const 0))))
          (if (i32.and (local.get $kind) (i32.const 64))
            (then
              (local.set $first (local.get $p))
              (local.set $n (i32.wrap_i64 (i64.ctz (i64.xor (i64.const -1)
                (i64.shr_u (local.get $blanks) (local.get $off))))))
              (local.set $p (i32.add (local.get $p) (local.get $n)))
              (if (i32.ge_u (i32.add (local.get $n) (i32.wrap_i64 (local.get $off))) (i32.const 64))
                (then (local.set $p (call $end (local.get $p) (i32.const 64)))))
              (if (i32.gt_u (local.get $p) (i32.add (local.get $start) (i32.const 512)))
                (then (call $cutAt (local.get $hash))))
              (local.set $kind (i32.load16_u (i32.shl (i32.load8_u (local.get $p)) (i32.const 1))))
              (br_if $lineEnd (i32.eq (local.get $kind) (i32.const 256)))
              (br_if $newRun (i32.eq (local.get $first) (local.get $start)))
              (local.set $bits (i64.const 0x20))
              (br $addToNewRun)))
          (br_if $lineEnd (i32.eq (local.get $kind) (i32.const 256)))
          (local.set $first (local.get $p))
          (local.set $p (i32.add (local.get $p) (i32.const 1)))
          (if (i32.gt_u (local.get $p) (i32.add (local.get $start) (i32.const 512)))
            (then (call $cutAt (local.get $hash))))
          (if (i32.eq (local.get $n) (i32.const 0x3a))
            (then
              ;; `addressEnd` needs a slash or a backslash after the colon.
              (local.set $n (i32.load8_u (local.get $p)))
              (br_if $addToNewRun (i32.and
                (i32.ne (local.get $n) (i32.const 0x2f)) (i32.ne (local.get $n) (i32.const 0x5c))))
              (br_if $addToNewRun (local.get $isFile))
              (if (global.get $jump) (then (call $findRun (local.get $numberHash))))
              (local.set $kind (call $addressEnd (global.get $run) (local.get $first) (local.get $to)))
              (br_if $addToNewRun (i32.eq (local.get $kind) (local.get $first)))
              (local.set $p (local.get $kind))
              (if (i32.gt_u (local.get $p) (i32.add (local.get $start) (i32.const 512)))
                (then (call $cutAt (global.get $runHash))))
              (local.set $hash (global.get $runHash))
              (local.set $bits (select (i64.const 3) (i64.const 2) (i32.eq (local.get $n) (i32.const 0x2f))))
              (call $within (global.get $run) (local.get $p))
              (local.set $numberHash (i64.const 0))
              (br $addToNewRun)))
          (if (i32.eqz (i32.and (local.get $kind) (i32.const 32))) (then (local.set $numberHash (i64.const 0))))
          (br_if $addToNewRun (i32.eqz (i32.and (local.get $kind) (i32.const 128))))
          ;; `quotedEnd` needs no word before the quote, and a blank or bracket before ".
          (local.set $kind (i32.load8_u (i32.sub (local.get $first) (i32.const 1))))
          (br_if $addToNewRun (i32.and (i32.const 7)
            (i32.load16_u (i32.shl (local.get $kind) (i32.const 1)))))
          (br_if $addToNewRun (i32.and
            (i32.and (i32.eq (local.get $n) (i32.const 0x22)) (i32.gt_u (local.get $kind) (i32.const 0x20)))
            (i32.and (i32.ne (local.get $kind) (i32.const 0x28)) (i32.ne (local.get $kind) (i32.const 0x5b)))))
          (local.set $kind (call $quotedEnd (local.get $first) (i32.add (local.get $start) (i32.const 512))))
          (br_if $addToNewRun (i32.eq (local.get $kind) (local.get $first)))
          (local.set $p (local.get $kind))
          (local.set $hash (call $mix (call $mix (local.get $hash) (local.get $bits)) (i64.const 4)))
          (local.set $bits (i64.load8_u (i32.sub (local.get $p) (i32.const 1))))
          (call $within (local.get $first) (local.get $p))
          (br $addToNewRun))
        (local.set $hash (i64.mul (i64.xor (local.get $hash) (local.get $bits)) (i64.const 0x9e3779b97f4a7c15)))
        (local.set $hash (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 32))))
        (br $next))
        (local.set $hash (i64.mul (i64.xor (local.get $hash) (local.get $bits)) (i64.const 0x9e3779b97f4a7c15)))
        (local.set $hash (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 32)))))
        (global.set $run (local.get $p))
        (global.set $slashes (i32.const 0))
        (global.set $jump (i32.const 0))
        (global.set $runHash (local.get $hash))
        (br $next)))
    (local.set $first (local.get $p))
    (local.set $p (i32.add (local.get $p) (i32.eq (i32.load16_u (local.get $p)) (i32.const 0x0a0d))))
    (if (i32.eq (i32.load8_u (local.get $p)) (i32.const 10))
      (then
        (if (call $count (local.get $start) (local.get $first) (local.get $p) (local.get $hash))
          (then (local.set $base (i32.const 0)))))
      (else
        (local.set $p (call $lineFeed (local.get $p)))
        (local.set $first (call $plain (local.get $start) (i32.add (local.get $p) (i32.const 1))))
        (if (local.get $first)
          (then (call $scan (i32.const 0x70000) (local.get $first)))
          (else (call $odd (local.get $start) (local.get $p) (local.get $p))))
        (local.set $base (i32.const 0))))
    (local.set $p (i32.add (local.get $p) (i32.const 1)))
    (br $line)))))
