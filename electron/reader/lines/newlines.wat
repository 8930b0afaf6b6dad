;; Counts line ends at memory speed: 16 bytes a step, four steps unrolled.
;; The plain twin is `countPlain` in newlines.ts; a test holds the two together.
(module
  (memory (export "memory") 17) ;; 1 MiB of input, and a page so that no buffer starts at address 0

  ;; Bytes equal to 0x0A in [start, end).
  (func (export "count8") (param $at i32) (param $end i32) (result i32)
    (local $total i32) (local $stop i32) (local $nl v128)
    (local.set $nl (i8x16.splat (i32.const 10)))
    (local.set $stop (i32.sub (local.get $end) (i32.const 64)))
    (block $done64
      (loop $by64
        (br_if $done64 (i32.gt_s (local.get $at) (local.get $stop)))
        (local.set $total (i32.add (local.get $total) (i32.add
          (i32.add
            (i32.popcnt (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (local.get $nl))))
            (i32.popcnt (i8x16.bitmask (i8x16.eq (v128.load offset=16 (local.get $at)) (local.get $nl)))))
          (i32.add
            (i32.popcnt (i8x16.bitmask (i8x16.eq (v128.load offset=32 (local.get $at)) (local.get $nl))))
            (i32.popcnt (i8x16.bitmask (i8x16.eq (v128.load offset=48 (local.get $at)) (local.get $nl))))))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $by64)))
    (block $done
      (loop $by1
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $total (i32.add (local.get $total)
          (i32.eq (i32.load8_u (local.get $at)) (i32.const 10))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $by1)))
    (local.get $total))

  ;; 16-bit units equal to $unit (0x000A as it lies in memory) in [start, end); a half unit at the end is not counted.
  (func (export "count16") (param $at i32) (param $end i32) (param $unit i32) (result i32)
    (local $total i32) (local $stop i32) (local $nl v128)
    (local.set $nl (i16x8.splat (local.get $unit)))
    (local.set $stop (i32.sub (local.get $end) (i32.const 16)))
    (block $done16
      (loop $by16
        (br_if $done16 (i32.gt_s (local.get $at) (local.get $stop)))
        (local.set $total (i32.add (local.get $total)
          (i32.popcnt (i16x8.bitmask (i16x8.eq (v128.load (local.get $at)) (local.get $nl))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $by16)))
    (local.set $stop (i32.sub (local.get $end) (i32.const 2)))
    (block $done
      (loop $by2
        (br_if $done (i32.gt_s (local.get $at) (local.get $stop)))
        (local.set $total (i32.add (local.get $total)
          (i32.eq (i32.load16_u (local.get $at)) (local.get $unit))))
        (local.set $at (i32.add (local.get $at) (i32.const 2)))
        (br $by2)))
    (local.get $total)))
