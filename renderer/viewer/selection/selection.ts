/** Selected lines, by number: rows are unmounted when they leave the view, the selection stays. */

/** `anchor` is where it began, `focus` the end that moves; both included, either may be the lower. */
export interface Selection {
  anchor: number;
  focus: number;
}

export function selectLine(line: number): Selection {
  return { anchor: line, focus: line };
}

/** Moves the end to `line`; begins there when nothing is selected. */
export function extendTo(selection: Selection | null, line: number): Selection {
  return { anchor: selection?.anchor ?? line, focus: line };
}

export function firstLine(selection: Selection): number {
  return Math.min(selection.anchor, selection.focus);
}

export function lastLine(selection: Selection): number {
  return Math.max(selection.anchor, selection.focus);
}

export function lineCount(selection: Selection): number {
  return lastLine(selection) - firstLine(selection) + 1;
}

export function includesLine(selection: Selection | null, line: number): boolean {
  return selection !== null && line >= firstLine(selection) && line <= lastLine(selection);
}

/** The part of the selection in lines `low..high`; null when none is. */
export function clampSelection(selection: Selection | null, low: number, high: number): Selection | null {
  if (!selection || firstLine(selection) > high || lastLine(selection) < low) return null;
  const clamp = (line: number) => Math.min(Math.max(line, low), high);
  return { anchor: clamp(selection.anchor), focus: clamp(selection.focus) };
}
