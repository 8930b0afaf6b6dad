;; The loops of a search that run over every byte. Their plain twins are in scanner-plain.ts; a test holds the two together.
(module
  (memory (export "memory") 208) ;; laid out in scanner.ts

  ;; Line ends in [at, end).
  (func $count (param $at i32) (param $end i32) (result i32)
    (local $count i32)
    (block $done16
      (loop $by16
        (br_if $done16 (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $end)))
        (local.set $count (i32.add (local.get $count) (i32.popcnt (i8x16.bitmask
          (i8x16.eq (v128.load (local.get $at)) (i8x16.splat (i32.const 10)))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $by16)))
    (block $done
      (loop $by1
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $count (i32.add (local.get $count)
          (i32.eq (i32.load8_u (local.get $at)) (i32.const 10))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $by1)))
    (local.get $count))

  ;; What kinds of bytes [at, end) holds. Bits: 1 not ASCII, 2 CR before LF, 4 controls that a line's text leaves out or applies.
  ;; Line ends go to `newlines`. Up to 65 bytes behind the end are looked at; a line end among the first 63 is counted.
  (global $newlines (export "newlines") (mut i32) (i32.const 0))
  (func (export "classify") (param $at i32) (param $end i32) (result i32)
    (local $v v128) (local $next v128)
    (local $high v128) (local $cr v128) (local $control v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $stop i32)
    (local $n v128) (local $counts v128) (local $total v128) (local $rounds i32)
    (local $tab v128) (local $lf v128) (local $one v128) (local $first v128)
    (local.set $tab (i8x16.splat (i32.const 9)))
    (local.set $lf (i8x16.splat (i32.const 10)))
    (local.set $one (i8x16.splat (i32.const 1)))
    (local.set $first (i8x16.splat (i32.const 33)))
    (block $done
      (loop $by64
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $a (v128.load (local.get $at)))
        (local.set $b (v128.load offset=16 (local.get $at)))
        (local.set $c (v128.load offset=32 (local.get $at)))
        (local.set $d (v128.load offset=48 (local.get $at)))
        ;; One more than a byte, as a signed number, is 33 or above for printable ASCII alone. Line ends (taken away as -1)
        ;; and tabs are fine too; a byte is no two of these.
        (local.set $n (i8x16.eq (local.get $a) (local.get $lf)))
        (local.set $counts (i8x16.sub (local.get $counts) (local.get $n)))
        (local.set $v (v128.xor (v128.xor
          (i8x16.lt_s (i8x16.add (local.get $a) (local.get $one)) (local.get $first)) (local.get $n))
          (i8x16.eq (local.get $a) (local.get $tab))))
        (local.set $n (i8x16.eq (local.get $b) (local.get $lf)))
        (local.set $counts (i8x16.sub (local.get $counts) (local.get $n)))
        (local.set $v (v128.or (local.get $v) (v128.xor (v128.xor
          (i8x16.lt_s (i8x16.add (local.get $b) (local.get $one)) (local.get $first)) (local.get $n))
          (i8x16.eq (local.get $b) (local.get $tab)))))
        (local.set $n (i8x16.eq (local.get $c) (local.get $lf)))
        (local.set $counts (i8x16.sub (local.get $counts) (local.get $n)))
        (local.set $v (v128.or (local.get $v) (v128.xor (v128.xor
          (i8x16.lt_s (i8x16.add (local.get $c) (local.get $one)) (local.get $first)) (local.get $n))
          (i8x16.eq (local.get $c) (local.get $tab)))))
        (local.set $n (i8x16.eq (local.get $d) (local.get $lf)))
        (local.set $counts (i8x16.sub (local.get $counts) (local.get $n)))
        (local.set $v (v128.or (local.get $v) (v128.xor (v128.xor
          (i8x16.lt_s (i8x16.add (local.get $d) (local.get $one)) (local.get $first)) (local.get $n))
          (i8x16.eq (local.get $d) (local.get $tab)))))
        ;; Four are added to each of the 16 small counts at the most: empty them before they run over.
        (local.set $rounds (i32.add (local.get $rounds) (i32.const 1)))
        (if (i32.eq (local.get $rounds) (i32.const 60))
          (then
            (local.set $total (i32x4.add (local.get $total)
              (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $counts)))))
            (local.set $counts (v128.const i32x4 0 0 0 0))
            (local.set $rounds (i32.const 0))))
        (if (i32.eqz (v128.any_true (local.get $v)))
          (then
            (local.set $at (i32.add (local.get $at) (i32.const 64)))
            (br $by64)))
        ;; Something odd in these 64: which kind?
        (local.set $stop (i32.add (local.get $at) (i32.const 64)))
        (loop $by16
          (local.set $v (v128.load (local.get $at)))
          (local.set $next (v128.load offset=1 (local.get $at)))
          (local.set $high (v128.or (local.get $high) (local.get $v)))
          (local.set $a (i8x16.eq (local.get $v) (i8x16.splat (i32.const 13))))
          (local.set $cr (v128.or (local.get $cr) (local.get $a)))
          (local.set $control (v128.or (local.get $control) (v128.or
            (v128.or
              (v128.andnot
                (i8x16.lt_u (local.get $v) (i8x16.splat (i32.const 32)))
                (v128.or (local.get $a) (v128.or
                  (i8x16.eq (local.get $v) (i8x16.splat (i32.const 9)))
                  (i8x16.eq (local.get $v) (i8x16.splat (i32.const 10))))))
              (i8x16.eq (local.get $v) (i8x16.splat (i32.const 127))))
            ;; CR that is not before LF; C1 controls, which UTF-8 writes as 0xC2 and 0x80 to 0x9F.
            (v128.or
              (v128.andnot (local.get $a) (i8x16.eq (local.get $next) (i8x16.splat (i32.const 10))))
              (v128.and
                (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0xc2)))
                (i8x16.eq
                  (v128.and (local.get $next) (i8x16.splat (i32.const 0xe0)))
                  (i8x16.splat (i32.const 0x80))))))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $by16 (i32.lt_u (local.get $at) (local.get $stop))))
        (br $by64)))
    (local.set $total (i32x4.add (local.get $total)
      (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $counts)))))
    (global.set $newlines (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $total)) (i32x4.extract_lane 1 (local.get $total)))
      (i32.add (i32x4.extract_lane 2 (local.get $total)) (i32x4.extract_lane 3 (local.get $total)))))
    (i32.or
      (i32.ne (i8x16.bitmask (local.get $high)) (i32.const 0))
      (i32.or
        (i32.shl (v128.any_true (local.get $cr)) (i32.const 1))
        (i32.shl (v128.any_true (local.get $control)) (i32.const 2)))))

  ;; Finds a literal. The two bytes of it that are rarest in text are looked for 64 places at a time; where both are, the
  ;; whole is compared. A byte matches when (byte | fold) = literal byte, which is how ASCII letters lose their case.
  ;; For each line with a match: its number from 0 on goes to $lines, the place of its first match to $places.
  ;; Gives how many. Up to 64 bytes, and the literal's length, behind the end are looked at.
  (func (export "find")
    (param $at i32) (param $end i32)
    (param $literal i32) (param $fold i32) (param $length i32) (param $rare1 i32) (param $rare2 i32)
    (param $lines i32) (param $places i32) (result i32)
    (local $line i32) (local $counted i32) (local $last i32) (local $count i32)
    (local $c1 v128) (local $f1 v128) (local $c2 v128) (local $f2 v128)
    (local $m0 v128) (local $m1 v128) (local $m2 v128) (local $m3 v128)
    (local $found i64) (local $place i32) (local $i i32) (local $p1 i32) (local $p2 i32)
    (local.set $c1 (v128.load8_splat (i32.add (local.get $literal) (local.get $rare1))))
    (local.set $f1 (v128.load8_splat (i32.add (local.get $fold) (local.get $rare1))))
    (local.set $c2 (v128.load8_splat (i32.add (local.get $literal) (local.get $rare2))))
    (local.set $f2 (v128.load8_splat (i32.add (local.get $fold) (local.get $rare2))))
    (local.set $last (i32.const -1))
    (local.set $counted (local.get $at))
    (block $done
      (loop $by64
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $p1 (i32.add (local.get $at) (local.get $rare1)))
        (local.set $p2 (i32.add (local.get $at) (local.get $rare2)))
        (local.set $m0 (v128.and
          (i8x16.eq (local.get $c1) (v128.or (local.get $f1) (v128.load (local.get $p1))))
          (i8x16.eq (local.get $c2) (v128.or (local.get $f2) (v128.load (local.get $p2))))))
        (local.set $m1 (v128.and
          (i8x16.eq (local.get $c1) (v128.or (local.get $f1) (v128.load offset=16 (local.get $p1))))
          (i8x16.eq (local.get $c2) (v128.or (local.get $f2) (v128.load offset=16 (local.get $p2))))))
        (local.set $m2 (v128.and
          (i8x16.eq (local.get $c1) (v128.or (local.get $f1) (v128.load offset=32 (local.get $p1))))
          (i8x16.eq (local.get $c2) (v128.or (local.get $f2) (v128.load offset=32 (local.get $p2))))))
        (local.set $m3 (v128.and
          (i8x16.eq (local.get $c1) (v128.or (local.get $f1) (v128.load offset=48 (local.get $p1))))
          (i8x16.eq (local.get $c2) (v128.or (local.get $f2) (v128.load offset=48 (local.get $p2))))))
        (if (v128.any_true (v128.or
              (v128.or (local.get $m0) (local.get $m1)) (v128.or (local.get $m2) (local.get $m3))))
          (then
            (local.set $found (i64.or
              (i64.or
                (i64.extend_i32_u (i8x16.bitmask (local.get $m0)))
                (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $m1))) (i64.const 16)))
              (i64.or
                (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $m2))) (i64.const 32))
                (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $m3))) (i64.const 48)))))
            (block $next
              (loop $candidates
                (br_if $next (i64.eqz (local.get $found)))
                (local.set $place (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $found)))))
                (local.set $found (i64.and (local.get $found) (i64.sub (local.get $found) (i64.const 1))))
                (br_if $next (i32.gt_u (i32.add (local.get $place) (local.get $length)) (local.get $end)))
                (local.set $i (i32.const 0))
                (block $differs
                  (loop $compare
                    (br_if $differs (i32.ne
                      (i32.or
                        (i32.load8_u (i32.add (local.get $place) (local.get $i)))
                        (i32.load8_u (i32.add (local.get $fold) (local.get $i))))
                      (i32.load8_u (i32.add (local.get $literal) (local.get $i)))))
                    (local.set $i (i32.add (local.get $i) (i32.const 1)))
                    (br_if $compare (i32.lt_u (local.get $i) (local.get $length))))
                  ;; Lines are counted only up to where something was found.
                  (local.set $line (i32.add (local.get $line) (call $count (local.get $counted) (local.get $place))))
                  (local.set $counted (local.get $place))
                  (br_if $differs (i32.eq (local.get $line) (local.get $last)))
                  (local.set $last (local.get $line))
                  (i32.store (i32.add (local.get $lines) (i32.shl (local.get $count) (i32.const 2))) (local.get $line))
                  (i32.store (i32.add (local.get $places) (i32.shl (local.get $count) (i32.const 2))) (local.get $place))
                  (local.set $count (i32.add (local.get $count) (i32.const 1))))
                (br $candidates)))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $by64)))
    (local.get $count))

  ;; Copies [at, end) to $out without the CR of CRLF, without colours (CSI … m), without erasures of what is to the right of
  ;; text that is still being written (CSI K), without links and titles (OSC), and without controls that do nothing in a line. Stops at
  ;; anything that moves the cursor. Where it stopped is in `stopped`; the result is where the copy ends.
  (global $stopped (export "stopped") (mut i32) (i32.const 0))
  (func (export "strip") (param $at i32) (param $end i32) (param $out i32) (result i32)
    (local $v v128) (local $special i32) (local $byte i32) (local $look i32)
    (block $done
      (loop $copy
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $v (v128.load (local.get $at)))
        (v128.store (local.get $out) (local.get $v))
        (local.set $special (i8x16.bitmask (v128.or
          (v128.andnot
            (i8x16.lt_u (local.get $v) (i8x16.splat (i32.const 32)))
            (v128.or
              (i8x16.eq (local.get $v) (i8x16.splat (i32.const 9)))
              (i8x16.eq (local.get $v) (i8x16.splat (i32.const 10)))))
          (v128.or
            (i8x16.eq (local.get $v) (i8x16.splat (i32.const 127)))
            (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0xc2)))))))
        (if (i32.eqz (local.get $special))
          (then
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (local.set $out (i32.add (local.get $out) (i32.const 16)))
            (br $copy)))
        (local.set $look (i32.ctz (local.get $special)))
        (local.set $at (i32.add (local.get $at) (local.get $look)))
        (local.set $out (i32.add (local.get $out) (local.get $look)))
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (local.set $look (i32.load8_u offset=1 (local.get $at)))
        ;; 0xC2: a C1 control stops, anything else is copied with the byte after it.
        (if (i32.eq (local.get $byte) (i32.const 0xc2))
          (then
            (br_if $done (i32.eq (i32.and (local.get $look) (i32.const 0xe0)) (i32.const 0x80)))
            (i32.store8 (local.get $out) (local.get $byte))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (local.set $out (i32.add (local.get $out) (i32.const 1)))
            (br $copy)))
        ;; CR stops unless LF or the end follows; backspace stops; other controls but ESC are left out.
        (br_if $done (i32.eq (local.get $byte) (i32.const 8)))
        (if (i32.eq (local.get $byte) (i32.const 13))
          (then
            (br_if $done (i32.and
              (i32.ne (local.get $look) (i32.const 10))
              (i32.lt_u (i32.add (local.get $at) (i32.const 1)) (local.get $end))))))
        (if (i32.ne (local.get $byte) (i32.const 27))
          (then
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br $copy)))
        ;; ESC [ digits and separators, then m; or ESC [ K, ESC [ 0 K.
        (if (i32.eq (local.get $look) (i32.const 0x5b))
          (then
            (local.set $look (i32.add (local.get $at) (i32.const 2)))
            (block $final
              (loop $parameters
                (local.set $byte (i32.load8_u (local.get $look)))
                (br_if $final (i32.gt_u (i32.sub (local.get $byte) (i32.const 0x30)) (i32.const 11)))
                (local.set $look (i32.add (local.get $look) (i32.const 1)))
                (br $parameters)))
            (br_if $done (i32.ge_u (local.get $look) (local.get $end)))
            (if (i32.eq (local.get $byte) (i32.const 0x6d))
              (then
                (local.set $at (i32.add (local.get $look) (i32.const 1)))
                (br $copy)))
            (br_if $done (i32.ne (local.get $byte) (i32.const 0x4b)))
            (br_if $done (i32.gt_u (i32.sub (local.get $look) (local.get $at)) (i32.const 3)))
            (br_if $done (i32.and
              (i32.eq (i32.sub (local.get $look) (local.get $at)) (i32.const 3))
              (i32.ne (i32.load8_u offset=2 (local.get $at)) (i32.const 0x30))))
            (local.set $at (i32.add (local.get $look) (i32.const 1)))
            (br $copy)))
        ;; ESC ] … BEL, or … ESC \, within the line.
        (if (i32.eq (local.get $look) (i32.const 0x5d))
          (then
            (local.set $look (i32.add (local.get $at) (i32.const 2)))
            (block $string
              (loop $characters
                (br_if $done (i32.ge_u (local.get $look) (local.get $end)))
                (local.set $byte (i32.load8_u (local.get $look)))
                (br_if $string (i32.eq (local.get $byte) (i32.const 7)))
                (br_if $string (i32.eq (local.get $byte) (i32.const 27)))
                ;; A line end, or any other control: let the caller see.
                (br_if $done (i32.lt_u (local.get $byte) (i32.const 32)))
                (br_if $done (i32.eq (local.get $byte) (i32.const 0xc2)))
                (local.set $look (i32.add (local.get $look) (i32.const 1)))
                (br $characters)))
            (if (i32.eq (local.get $byte) (i32.const 27))
              (then
                (local.set $look (i32.add (local.get $look) (i32.const 1)))
                (br_if $done (i32.ge_u (local.get $look) (local.get $end)))
                (br_if $done (i32.ne (i32.load8_u (local.get $look)) (i32.const 0x5c)))))
            (local.set $at (i32.add (local.get $look) (i32.const 1)))
            (br $copy)))
        ;; Anything else that begins with ESC stops.
      ))
    ;; Sixteen bytes are copied at a time: what lies past the end does not count.
    (if (i32.gt_u (local.get $at) (local.get $end))
      (then
        (local.set $out (i32.sub (local.get $out) (i32.sub (local.get $at) (local.get $end))))
        (local.set $at (local.get $end))))
    (global.set $stopped (local.get $at))
    (local.get $out)))
