/** Waits for a pause in calls that come many times a second. */

export interface WhenStill {
  call(): void;
  stop(): void;
}

/** Runs `run` after `stillMs` without a call, and every `mostMs` if the calls never pause. */
export function whenStill(run: () => void, stillMs: number, mostMs: number): WhenStill {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due: number | null = null;
  return {
    call() {
      const now = performance.now();
      due ??= now + mostMs;
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          due = null;
          run();
        },
        Math.max(0, Math.min(stillMs, due - now)),
      );
    },
    stop() {
      clearTimeout(timer);
      due = null;
    },
  };
}
