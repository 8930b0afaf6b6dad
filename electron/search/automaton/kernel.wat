;; Runs the automaton. A state is the address of its row. A row has an entry for each column of bytes, then one for
;; each pair of columns. An entry is the address of the next row. If its lowest bit is set, it is special: it is
;; unknown (1), or a line ends with an event (bits 1 and 2). In a pair's entry, bit 3 says that the first of the two
;; bytes ends the line; the entry is 3 if both do, each with an event. memory.ts lays out the memory. A test compares
;; it with transitions.ts, step by step.
(module
  (import "env" "memory" (memory 1))
  ;; At 0x10000: four times each byte's column, as 16 bits. At 0x20000: four times the entry's index for each two
  ;; bytes. At 0x10400: four lanes of 16 bytes: place, end, state, and address of the next event to write. There, 4
  ;; bytes may be overwritten. At 0x10440: four states (early.wat).

  ;; Fills the table of pairs for $count columns. In a row, pairs come after the columns.
  (func (export "pair") (param $count i32)
    (local $two i32) (local $first i32) (local $second i32)
    (loop $each
      (local.set $first (i32.load16_u offset=0x10000 (i32.shl (i32.and (local.get $two) (i32.const 255)) (i32.const 1))))
      (local.set $second (i32.load16_u offset=0x10000 (i32.shl (i32.shr_u (local.get $two) (i32.const 8)) (i32.const 1))))
      (i32.store16 offset=0x20000 (i32.shl (local.get $two) (i32.const 1))
        (i32.add
          (i32.shl (local.get $count) (i32.const 2))
          (i32.add (i32.mul (local.get $first) (local.get $count)) (local.get $second))))
      (local.set $two (i32.add (local.get $two) (i32.const 1)))
      (br_if $each (i32.lt_u (local.get $two) (i32.const 65536)))))

  ;; Not 0 once a line is unsure; the caller resets it.
  (global $unsure (export "unsure") (mut i32) (i32.const 0))

  ;; Returns the entry of a state for the byte at $at.
  (func $entry (param $state i32) (param $at i32) (result i32)
    (i32.load (i32.add
      (local.get $state)
      (i32.load16_u offset=0x10000 (i32.shl (i32.load8_u (local.get $at)) (i32.const 1))))))

  ;; Writes the event of an entry, if it has one, for the line end at $at; returns the next state.
  (func $say (param $lane i32) (param $at i32) (param $entry i32) (result i32)
    (local $out i32)
    (if (i32.and (local.get $entry) (i32.const 1))
      (then
        (local.set $out (i32.load offset=12 (local.get $lane)))
        ;; The address in the low 28 bits, the event above.
        (i32.store (local.get $out) (i32.or
          (local.get $at)
          (i32.shl (i32.and (local.get $entry) (i32.const 6)) (i32.const 27))))
        (i32.store offset=12 (local.get $lane) (i32.add (local.get $out) (i32.const 4)))
        (global.set $unsure (i32.or (global.get $unsure) (i32.and (local.get $entry) (i32.const 4))))))
    (i32.and (local.get $entry) (i32.const -16)))

  ;; Stops a lane before a byte whose entry is unknown; returns 0.
  (func $leave (param $lane i32) (param $state i32) (param $at i32) (result i32)
    (call $save (local.get $lane) (local.get $state) (local.get $at))
    (i32.const 0))

  ;; Returns the state after the byte at $at; 0 if the lane was stopped.
  (func $one (export "one") (param $lane i32) (param $state i32) (param $at i32) (result i32)
    (local $entry i32)
    (local.set $entry (call $entry (local.get $state) (local.get $at)))
    (if (result i32) (i32.eq (local.get $entry) (i32.const 1))
      (then (call $leave (local.get $lane) (local.get $state) (local.get $at)))
      (else (call $say (local.get $lane) (local.get $at) (local.get $entry)))))

  ;; Returns the state after the two bytes at $at; 0 if the lane was stopped. Stores the pair's entry.
  (func $two (export "two") (param $lane i32) (param $state i32) (param $at i32) (result i32)
    (local $first i32) (local $second i32) (local $next i32)
    (local.set $first (call $entry (local.get $state) (local.get $at)))
    (if (i32.eq (local.get $first) (i32.const 1))
      (then (return (call $leave (local.get $lane) (local.get $state) (local.get $at)))))
    (local.set $next (call $say (local.get $lane) (local.get $at) (local.get $first)))
    (local.set $second (call $entry (local.get $next) (i32.add (local.get $at) (i32.const 1))))
    (if (i32.eq (local.get $second) (i32.const 1))
      (then (return (call $leave (local.get $lane) (local.get $next) (i32.add (local.get $at) (i32.const 1))))))
    (i32.store
      (i32.add
        (local.get $state)
        (i32.load16_u offset=0x20000 (i32.shl (i32.load16_u (local.get $at)) (i32.const 1))))
      (if (result i32) (i32.and (local.get $first) (i32.const 1))
        (then (select
          (i32.const 3)
          (i32.or (local.get $second) (i32.or (i32.const 8) (i32.and (local.get $first) (i32.const 7))))
          (i32.and (local.get $second) (i32.const 1))))
        (else (local.get $second))))
    (call $say (local.get $lane) (i32.add (local.get $at) (i32.const 1)) (local.get $second)))

  ;; Advances a lane by two bytes; returns 0 if it was stopped.
  (func $twoOf (param $lane i32) (result i32)
    (local $at i32) (local $state i32)
    (local.set $at (i32.load (local.get $lane)))
    (local.set $state (call $two (local.get $lane) (i32.load offset=8 (local.get $lane)) (local.get $at)))
    (if (i32.eqz (local.get $state)) (then (return (i32.const 0))))
    (call $save (local.get $lane) (local.get $state) (i32.add (local.get $at) (i32.const 2)))
    (i32.const 1))

  (func $saveAll (param $p0 i32) (param $p1 i32) (param $p2 i32) (param $p3 i32)
    (param $s0 i32) (param $s1 i32) (param $s2 i32) (param $s3 i32)
    (call $save (i32.const 0x10400) (local.get $s0) (local.get $p0))
    (call $save (i32.const 0x10410) (local.get $s1) (local.get $p1))
    (call $save (i32.const 0x10420) (local.get $s2) (local.get $p2))
    (call $save (i32.const 0x10430) (local.get $s3) (local.get $p3)))

  (func $save (param $lane i32) (param $state i32) (param $at i32)
    (i32.store (local.get $lane) (local.get $at))
    (i32.store offset=8 (local.get $lane) (local.get $state)))

  ;; Returns how many bytes every lane can still read.
  (func $least (result i32)
    (call $less
      (call $less (call $left (i32.const 0x10400)) (call $left (i32.const 0x10410)))
      (call $less (call $left (i32.const 0x10420)) (call $left (i32.const 0x10430)))))

  (func $left (param $lane i32) (result i32)
    (i32.sub (i32.load offset=4 (local.get $lane)) (i32.load (local.get $lane))))

  (func $less (param $a i32) (param $b i32) (result i32)
    (select (local.get $a) (local.get $b) (i32.lt_u (local.get $a) (local.get $b))))

  ;; Runs all lanes to their ends, two bytes at a time. Returns the number of a stopped lane; 4 if all have ended.
  (func (export "runPairs") (result i32)
    (local $p0 i32) (local $p1 i32) (local $p2 i32) (local $p3 i32)
    (local $s0 i32) (local $s1 i32) (local $s2 i32) (local $s3 i32)
    (local $e0 i32) (local $e1 i32) (local $e2 i32) (local $e3 i32)
    (local $least i32) (local $lane i32) (local $out i32)
    (block $uneven
      (loop $again
        (local.set $p0 (i32.load offset=0x10400 (i32.const 0)))
        (local.set $p1 (i32.load offset=0x10410 (i32.const 0)))
        (local.set $p2 (i32.load offset=0x10420 (i32.const 0)))
        (local.set $p3 (i32.load offset=0x10430 (i32.const 0)))
        (local.set $s0 (i32.load offset=0x10408 (i32.const 0)))
        (local.set $s1 (i32.load offset=0x10418 (i32.const 0)))
        (local.set $s2 (i32.load offset=0x10428 (i32.const 0)))
        (local.set $s3 (i32.load offset=0x10438 (i32.const 0)))
        (local.set $least (i32.and (call $least) (i32.const -2)))
        (br_if $uneven (i32.eqz (local.get $least)))
        (local.set $least (i32.add (local.get $p0) (local.get $least)))
        (block $special
          (loop $fast
            (local.set $e0 (i32.load (i32.add (local.get $s0)
              (i32.load16_u offset=0x20000 (i32.shl (i32.load16_u (local.get $p0)) (i32.const 1))))))
            (local.set $e1 (i32.load (i32.add (local.get $s1)
              (i32.load16_u offset=0x20000 (i32.shl (i32.load16_u (local.get $p1)) (i32.const 1))))))
            (local.set $e2 (i32.load (i32.add (local.get $s2)
              (i32.load16_u offset=0x20000 (i32.shl (i32.load16_u (local.get $p2)) (i32.const 1))))))
            (local.set $e3 (i32.load (i32.add (local.get $s3)
              (i32.load16_u offset=0x20000 (i32.shl (i32.load16_u (local.get $p3)) (i32.const 1))))))
            (if (i32.and (i32.const 1) (i32.or
                  (i32.or (local.get $e0) (local.get $e1)) (i32.or (local.get $e2) (local.get $e3))))
              (then
                (br_if $special (i32.or
                  (i32.or (i32.lt_u (local.get $e0) (i32.const 16)) (i32.lt_u (local.get $e1) (i32.const 16)))
                  (i32.or (i32.lt_u (local.get $e2) (i32.const 16)) (i32.lt_u (local.get $e3) (i32.const 16)))))
                ;; Without branches, which would mispredict: each lane writes, and keeps what it wrote if it has an
                ;; event.
                (global.set $unsure (i32.or (global.get $unsure) (i32.and (i32.const 4) (i32.or
                  (i32.or (local.get $e0) (local.get $e1)) (i32.or (local.get $e2) (local.get $e3))))))
                (local.set $out (i32.load offset=0x1040c (i32.const 0)))
                (i32.store (local.get $out) (i32.or
                  (i32.sub
                    (i32.add (local.get $p0) (i32.const 1))
                    (i32.and (i32.shr_u (local.get $e0) (i32.const 3)) (i32.const 1)))
                  (i32.shl (i32.and (local.get $e0) (i32.const 6)) (i32.const 27))))
                (i32.store offset=0x1040c (i32.const 0) (i32.add
                  (local.get $out) (i32.shl (i32.and (local.get $e0) (i32.const 1)) (i32.const 2))))
                (local.set $e0 (i32.and (local.get $e0) (i32.const -16)))
                (local.set $out (i32.load offset=0x1041c (i32.const 0)))
                (i32.store (local.get $out) (i32.or
                  (i32.sub
                    (i32.add (local.get $p1) (i32.const 1))
                    (i32.and (i32.shr_u (local.get $e1) (i32.const 3)) (i32.const 1)))
                  (i32.shl (i32.and (local.get $e1) (i32.const 6)) (i32.const 27))))
                (i32.store offset=0x1041c (i32.const 0) (i32.add
                  (local.get $out) (i32.shl (i32.and (local.get $e1) (i32.const 1)) (i32.const 2))))
                (local.set $e1 (i32.and (local.get $e1) (i32.const -16)))
                (local.set $out (i32.load offset=0x1042c (i32.const 0)))
                (i32.store (local.get $out) (i32.or
                  (i32.sub
                    (i32.add (local.get $p2) (i32.const 1))
                    (i32.and (i32.shr_u (local.get $e2) (i32.const 3)) (i32.const 1)))
                  (i32.shl (i32.and (local.get $e2) (i32.const 6)) (i32.const 27))))
                (i32.store offset=0x1042c (i32.const 0) (i32.add
                  (local.get $out) (i32.shl (i32.and (local.get $e2) (i32.const 1)) (i32.const 2))))
                (local.set $e2 (i32.and (local.get $e2) (i32.const -16)))
                (local.set $out (i32.load offset=0x1043c (i32.const 0)))
                (i32.store (local.get $out) (i32.or
                  (i32.sub
                    (i32.add (local.get $p3) (i32.const 1))
                    (i32.and (i32.shr_u (local.get $e3) (i32.const 3)) (i32.const 1)))
                  (i32.shl (i32.and (local.get $e3) (i32.const 6)) (i32.const 27))))
                (i32.store offset=0x1043c (i32.const 0) (i32.add
                  (local.get $out) (i32.shl (i32.and (local.get $e3) (i32.const 1)) (i32.const 2))))
                (local.set $e3 (i32.and (local.get $e3) (i32.const -16)))))
            (local.set $s0 (local.get $e0))
            (local.set $s1 (local.get $e1))
            (local.set $s2 (local.get $e2))
            (local.set $s3 (local.get $e3))
            (local.set $p0 (i32.add (local.get $p0) (i32.const 2)))
            (local.set $p1 (i32.add (local.get $p1) (i32.const 2)))
            (local.set $p2 (i32.add (local.get $p2) (i32.const 2)))
            (local.set $p3 (i32.add (local.get $p3) (i32.const 2)))
            (br_if $fast (i32.lt_u (local.get $p0) (local.get $least))))
          (call $saveAll (local.get $p0) (local.get $p1) (local.get $p2) (local.get $p3)
            (local.get $s0) (local.get $s1) (local.get $s2) (local.get $s3))
          (br $uneven))
        ;; Keep nothing in locals across a call: V8 would spill it to the stack in each round of the loop.
        (call $saveAll (local.get $p0) (local.get $p1) (local.get $p2) (local.get $p3)
          (local.get $s0) (local.get $s1) (local.get $s2) (local.get $s3))
        (if (i32.and (local.get $e0) (i32.const 1))
          (then (if (i32.eqz (call $twoOf (i32.const 0x10400))) (then (return (i32.const 0))))))
        (if (i32.and (local.get $e1) (i32.const 1))
          (then (if (i32.eqz (call $twoOf (i32.const 0x10410))) (then (return (i32.const 1))))))
        (if (i32.and (local.get $e2) (i32.const 1))
          (then (if (i32.eqz (call $twoOf (i32.const 0x10420))) (then (return (i32.const 2))))))
        (if (i32.and (local.get $e3) (i32.const 1))
          (then (if (i32.eqz (call $twoOf (i32.const 0x10430))) (then (return (i32.const 3))))))
        (br $again)))
    ;; Run each lane by itself to its end.
    (loop $lanes
      (if (i32.eqz (call $runPairsOf (i32.add (i32.const 0x10400) (i32.shl (local.get $lane) (i32.const 4)))))
        (then (return (local.get $lane))))
      (local.set $lane (i32.add (local.get $lane) (i32.const 1)))
      (br_if $lanes (i32.lt_u (local.get $lane) (i32.const 4))))
    (i32.const 4))

  ;; Runs one lane to its end, two bytes at a time; returns 0 if it was stopped.
  (func $runPairsOf (param $lane i32) (result i32)
    (local $at i32) (local $behind i32) (local $s i32) (local $e i32)
    (local.set $at (i32.load (local.get $lane)))
    (local.set $s (i32.load offset=8 (local.get $lane)))
    ;; The last place from which two bytes can be read, plus one.
    (local.set $behind (i32.sub (i32.load offset=4 (local.get $lane)) (i32.const 1)))
    (block $done
      (loop $fast
        (br_if $done (i32.ge_s (local.get $at) (local.get $behind)))
          (local.set $e (i32.load (i32.add (local.get $s)
          (i32.load16_u offset=0x20000 (i32.shl (i32.load16_u (local.get $at)) (i32.const 1))))))
        (if (i32.and (local.get $e) (i32.const 1))
          (then
            (local.set $e (call $two (local.get $lane) (local.get $s) (local.get $at)))
            (if (i32.eqz (local.get $e)) (then (return (i32.const 0))))))
        (local.set $s (local.get $e))
        (local.set $at (i32.add (local.get $at) (i32.const 2)))
        (br $fast)))
    ;; One byte may remain.
    (if (i32.lt_u (local.get $at) (i32.load offset=4 (local.get $lane)))
      (then
        (local.set $s (call $one (local.get $lane) (local.get $s) (local.get $at)))
        (if (i32.eqz (local.get $s)) (then (return (i32.const 0))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))))
    (call $save (local.get $lane) (local.get $s) (local.get $at))
    (i32.const 1))

  ;; As runPairs, one byte at a time and lane by lane: for expressions that distinguish too many bytes for pairs.
  (func (export "runSingles") (result i32)
    (local $lane i32)
    (loop $lanes
      (if (i32.eqz (call $runSinglesOf (i32.add (i32.const 0x10400) (i32.shl (local.get $lane) (i32.const 4)))))
        (then (return (local.get $lane))))
      (local.set $lane (i32.add (local.get $lane) (i32.const 1)))
      (br_if $lanes (i32.lt_u (local.get $lane) (i32.const 4))))
    (i32.const 4))

  ;; Runs one lane to its end; returns 0 if it was stopped.
  (func $runSinglesOf (param $lane i32) (result i32)
    (local $at i32) (local $behind i32) (local $s i32) (local $e i32)
    (local.set $at (i32.load (local.get $lane)))
    (local.set $s (i32.load offset=8 (local.get $lane)))
    ;; The last place from which a byte can be read, plus one.
    (local.set $behind (i32.load offset=4 (local.get $lane)))
    (block $done
      (loop $fast
        (br_if $done (i32.ge_s (local.get $at) (local.get $behind)))
          (local.set $e (i32.load (i32.add (local.get $s)
          (i32.load16_u offset=0x10000 (i32.shl (i32.load8_u (local.get $at)) (i32.const 1))))))
        (if (i32.and (local.get $e) (i32.const 1))
          (then
            (local.set $e (call $one (local.get $lane) (local.get $s) (local.get $at)))
            (if (i32.eqz (local.get $e)) (then (return (i32.const 0))))))
        (local.set $s (local.get $e))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $fast)))
    (call $save (local.get $lane) (local.get $s) (local.get $at))
    (i32.const 1)))
