;; Runs the automaton like kernel.wat, which explains the terms, but one byte at a time: for expressions that distinguish
;; too many bytes for pairs.
(module
  (import "env" "memory" (memory 1))
  (import "env" "unsure" (global $unsure (mut i32)))
  (import "env" "one" (func $one (param i32 i32 i32) (result i32)))
  (import "env" "oneOf" (func $oneOf (param i32) (result i32)))
  (import "env" "save" (func $save (param i32 i32 i32)))
  (import "env" "saveAll" (func $saveAll (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "env" "least" (func $least (result i32)))

  ;; Runs all lanes to their ends. Returns the number of a stopped lane; 4 if all have ended.
  (func (export "runSingles") (result i32)
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
        (local.set $least (call $least))
        (br_if $uneven (i32.eqz (local.get $least)))
        (local.set $least (i32.add (local.get $p0) (local.get $least)))
        (block $special
          (loop $fast
            (local.set $e0 (i32.load (i32.add (local.get $s0)
              (i32.load16_u offset=0x10000 (i32.shl (i32.load8_u (local.get $p0)) (i32.const 1))))))
            (local.set $e1 (i32.load (i32.add (local.get $s1)
              (i32.load16_u offset=0x10000 (i32.shl (i32.load8_u (local.get $p1)) (i32.const 1))))))
            (local.set $e2 (i32.load (i32.add (local.get $s2)
              (i32.load16_u offset=0x10000 (i32.shl (i32.load8_u (local.get $p2)) (i32.const 1))))))
            (local.set $e3 (i32.load (i32.add (local.get $s3)
              (i32.load16_u offset=0x10000 (i32.shl (i32.load8_u (local.get $p3)) (i32.const 1))))))
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
                  (local.get $p0)
                  (i32.shl (i32.and (local.get $e0) (i32.const 6)) (i32.const 27))))
                (i32.store offset=0x1040c (i32.const 0) (i32.add
                  (local.get $out) (i32.shl (i32.and (local.get $e0) (i32.const 1)) (i32.const 2))))
                (local.set $e0 (i32.and (local.get $e0) (i32.const -16)))
                (local.set $out (i32.load offset=0x1041c (i32.const 0)))
                (i32.store (local.get $out) (i32.or
                  (local.get $p1)
                  (i32.shl (i32.and (local.get $e1) (i32.const 6)) (i32.const 27))))
                (i32.store offset=0x1041c (i32.const 0) (i32.add
                  (local.get $out) (i32.shl (i32.and (local.get $e1) (i32.const 1)) (i32.const 2))))
                (local.set $e1 (i32.and (local.get $e1) (i32.const -16)))
                (local.set $out (i32.load offset=0x1042c (i32.const 0)))
                (i32.store (local.get $out) (i32.or
                  (local.get $p2)
                  (i32.shl (i32.and (local.get $e2) (i32.const 6)) (i32.const 27))))
                (i32.store offset=0x1042c (i32.const 0) (i32.add
                  (local.get $out) (i32.shl (i32.and (local.get $e2) (i32.const 1)) (i32.const 2))))
                (local.set $e2 (i32.and (local.get $e2) (i32.const -16)))
                (local.set $out (i32.load offset=0x1043c (i32.const 0)))
                (i32.store (local.get $out) (i32.or
                  (local.get $p3)
                  (i32.shl (i32.and (local.get $e3) (i32.const 6)) (i32.const 27))))
                (i32.store offset=0x1043c (i32.const 0) (i32.add
                  (local.get $out) (i32.shl (i32.and (local.get $e3) (i32.const 1)) (i32.const 2))))
                (local.set $e3 (i32.and (local.get $e3) (i32.const -16)))))
            (local.set $s0 (local.get $e0))
            (local.set $s1 (local.get $e1))
            (local.set $s2 (local.get $e2))
            (local.set $s3 (local.get $e3))
            (local.set $p0 (i32.add (local.get $p0) (i32.const 1)))
            (local.set $p1 (i32.add (local.get $p1) (i32.const 1)))
            (local.set $p2 (i32.add (local.get $p2) (i32.const 1)))
            (local.set $p3 (i32.add (local.get $p3) (i32.const 1)))
            (br_if $fast (i32.lt_u (local.get $p0) (local.get $least))))
          (call $saveAll (local.get $p0) (local.get $p1) (local.get $p2) (local.get $p3)
            (local.get $s0) (local.get $s1) (local.get $s2) (local.get $s3))
          (br $uneven))
        ;; Keep nothing in locals across a call: V8 would spill it to the stack in each round of the loop.
        (call $saveAll (local.get $p0) (local.get $p1) (local.get $p2) (local.get $p3)
          (local.get $s0) (local.get $s1) (local.get $s2) (local.get $s3))
        (if (i32.and (local.get $e0) (i32.const 1))
          (then (if (i32.eqz (call $oneOf (i32.const 0x10400))) (then (return (i32.const 0))))))
        (if (i32.and (local.get $e1) (i32.const 1))
          (then (if (i32.eqz (call $oneOf (i32.const 0x10410))) (then (return (i32.const 1))))))
        (if (i32.and (local.get $e2) (i32.const 1))
          (then (if (i32.eqz (call $oneOf (i32.const 0x10420))) (then (return (i32.const 2))))))
        (if (i32.and (local.get $e3) (i32.const 1))
          (then (if (i32.eqz (call $oneOf (i32.const 0x10430))) (then (return (i32.const 3))))))
        (br $again)))
    ;; Run each lane by itself to its end.
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
    (i32.const 1))
)
