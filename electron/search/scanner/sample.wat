;; Counts bytes of a sample, to tell which are rare. A test compares it with scanner-plain.ts.
(module
  (import "env" "memory" (memory 1)) ;; laid out in memory.ts

  ;; Writes how often each byte occurs in [at, end) to the 256 counts at $to.
  (func (export "histogram") (param $at i32) (param $end i32) (param $to i32)
    (local $count i32)
    (memory.fill (local.get $to) (i32.const 0) (i32.const 1024))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $count (i32.add (local.get $to) (i32.shl (i32.load8_u (local.get $at)) (i32.const 2))))
        (i32.store (local.get $count) (i32.add (i32.load (local.get $count)) (i32.const 1)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $each))))

  ;; Returns at how many places of [at, end) the first byte occurs, and the second $apart bytes after it. Leaves out
  ;; up to 15 places at the end. A byte matches when (byte | fold) = the wanted byte.
  (func (export "together") (param $at i32) (param $end i32) (param $apart i32)
    (param $byte1 i32) (param $byte2 i32) (param $fold1 i32) (param $fold2 i32) (result i32)
    (local $count i32) (local $c1 v128) (local $c2 v128) (local $f1 v128) (local $f2 v128)
    (local.set $c1 (i8x16.splat (local.get $byte1)))
    (local.set $c2 (i8x16.splat (local.get $byte2)))
    (local.set $f1 (i8x16.splat (local.get $fold1)))
    (local.set $f2 (i8x16.splat (local.get $fold2)))
    (block $done
      (loop $by16
        (br_if $done (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $end)))
        (local.set $count (i32.add (local.get $count) (i32.popcnt (i8x16.bitmask (v128.and
          (i8x16.eq (local.get $c1) (v128.or (local.get $f1) (v128.load (local.get $at))))
          (i8x16.eq (local.get $c2) (v128.or (local.get $f2)
            (v128.load (i32.add (local.get $at) (local.get $apart))))))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $by16)))
    (local.get $count)))
