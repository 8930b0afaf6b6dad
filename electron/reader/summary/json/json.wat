;; Runs the grammar of json-machine.ts over bytes, as `plainJsonMachine` in json-machine.ts does.
;;
;; Memory: 0       the table: the next state or action at 256 x state + byte
;;         0xB000  for each state: 1 if all but quotes, backslashes and controls lead back to it, 2 if blanks do
;;         0x10000 the input
;;         0x60000 the kinds of the containers around the open one, the outermost first
(module
  (import "env" "memory" (memory 6))
  ;; The number of states of each kind of container, and the first action.
  (import "env" "states" (global $states i32))
  (import "env" "actions" (global $actions i32))
  (import "env" "deepest" (global $deepest i32))
  (global $state (export "state") (mut i32) (i32.const 0))
  (global $depth (export "depth") (mut i32) (i32.const 0))
  (global $length (export "length") (mut i32) (i32.const 0))
  ;; The action that begins or ends a key of the outermost object, if `run` returned at one; else 0.
  (global $event (export "event") (mut i32) (i32.const 0))
  ;; The kind of the open container (CONTAINER in json-machine.ts).
  (global $kind (mut i32) (i32.const 0))

  ;; Reads [at, end). Returns the place after the byte of an event, or the end.
  (func (export "run") (param $at i32) (param $end i32) (result i32)
    (local $state i32) (local $next i32) (local $byte i32) (local $found i32) (local $v v128)
    (local $quote v128) (local $backslash v128) (local $space v128) (local $tab v128) (local $lf v128) (local $cr v128)
    (local.set $quote (i8x16.splat (i32.const 0x22)))
    (local.set $backslash (i8x16.splat (i32.const 0x5c)))
    (local.set $space (i8x16.splat (i32.const 0x20)))
    (local.set $tab (i8x16.splat (i32.const 9)))
    (local.set $lf (i8x16.splat (i32.const 10)))
    (local.set $cr (i8x16.splat (i32.const 13)))
    (local.set $state (global.get $state))
    (global.set $event (i32.const 0))
    (block $done
      (loop $byBytes
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (local.set $next (i32.load8_u (i32.or (i32.shl (local.get $state) (i32.const 8)) (local.get $byte))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (if (i32.lt_u (local.get $next) (global.get $actions))
          (then
            (local.set $state (local.get $next))
            (local.set $next (i32.load8_u offset=0xb000 (local.get $state)))
            (br_if $byBytes (i32.eqz (local.get $next)))
            (if (i32.eq (local.get $next) (i32.const 1))
              (then
                (loop $plain
                  (br_if $byBytes (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $end)))
                  (local.set $v (v128.load (local.get $at)))
                  (local.set $found (i8x16.bitmask (v128.or
                    (i8x16.lt_u (local.get $v) (local.get $space))
                    (v128.or
                      (i8x16.eq (local.get $v) (local.get $quote))
                      (i8x16.eq (local.get $v) (local.get $backslash))))))
                  (if (local.get $found)
                    (then
                      (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $found))))
                      (br $byBytes)))
                  (local.set $at (i32.add (local.get $at) (i32.const 16)))
                  (br $plain))))
            ;; Blanks are many only at the beginning of a line.
            (br_if $byBytes (i32.ne (local.get $byte) (i32.const 10)))
            (loop $blank
              (br_if $byBytes (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $end)))
              (local.set $v (v128.load (local.get $at)))
              (local.set $found (i32.xor (i32.const 0xffff) (i8x16.bitmask (v128.or
                (v128.or (i8x16.eq (local.get $v) (local.get $space)) (i8x16.eq (local.get $v) (local.get $tab)))
                (v128.or (i8x16.eq (local.get $v) (local.get $lf)) (i8x16.eq (local.get $v) (local.get $cr)))))))
              (if (local.get $found)
                (then
                  (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $found))))
                  (br $byBytes)))
              (local.set $at (i32.add (local.get $at) (i32.const 16)))
              (br $blank))))
        (local.set $state (call $act (i32.sub (local.get $next) (global.get $actions))))
        (if (i32.or (global.get $event) (i32.eq (local.get $state) (i32.const 255)))
          (then
            (global.set $state (local.get $state))
            (return (select (local.get $at) (local.get $end) (global.get $event)))))
        (br $byBytes)))
    (global.set $state (local.get $state))
    (local.get $end))

  ;; Does an action, less the first one, in the order of ACTION in json-machine.ts. Returns the next state.
  (func $act (param $action i32) (result i32)
    (block $fail
      (block $endKey
        (block $startKey
          (block $count
            (block $closeEmpty
              (block $close
                (block $openArray
                  (block $openObject
                    (br_table $openObject $openArray $close $closeEmpty $count $startKey $endKey $fail
                      (local.get $action)))
                  ;; An object: of the kind 3 if it is the outermost, else 1; its state 2 is before the first key.
                  (return (call $open
                    (select (i32.const 1) (i32.const 3) (global.get $depth)) (i32.const 2))))
                ;; An array: of the kind 4 or 2; its state 1 is before the first element.
                (return (call $open
                  (select (i32.const 2) (i32.const 4) (global.get $depth)) (i32.const 1))))
              (if (i32.eq (global.get $kind) (i32.const 4))
                (then (global.set $length (i32.add (global.get $length) (i32.const 1))))))
            (global.set $depth (i32.sub (global.get $depth) (i32.const 1)))
            (global.set $kind (i32.load8_u offset=0x60000 (global.get $depth)))
            ;; The state 5 is after a value.
            (return (call $stateOf (i32.const 5))))
          (global.set $length (i32.add (global.get $length) (i32.const 1)))
          ;; The state 0 is before a value.
          (return (call $stateOf (i32.const 0))))
        (global.set $event (i32.add (global.get $actions) (i32.const 5)))
        ;; The state 12 is within a key.
        (return (call $stateOf (i32.const 12))))
      (global.set $event (i32.add (global.get $actions) (i32.const 6)))
      ;; The state 4 is before a colon.
      (return (call $stateOf (i32.const 4))))
    (i32.const 255))

  (func $open (param $kind i32) (param $name i32) (result i32)
    (if (i32.eq (global.get $depth) (global.get $deepest)) (then (return (i32.const 255))))
    (i32.store8 offset=0x60000 (global.get $depth) (global.get $kind))
    (global.set $depth (i32.add (global.get $depth) (i32.const 1)))
    (global.set $kind (local.get $kind))
    (call $stateOf (local.get $name)))

  ;; Returns the number of the state in the open container.
  (func $stateOf (param $name i32) (result i32)
    (i32.add (i32.mul (global.get $kind) (global.get $states)) (local.get $name))))
