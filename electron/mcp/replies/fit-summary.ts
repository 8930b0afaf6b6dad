/**
 * Cuts a summary to a reply's budget: shortens its example lines, then drops its rarest shapes, then its last
 * errors.
 */
import { clipText } from '../../../shared/text/clip.ts';
import type { SummaryView } from '../../../shared/views.ts';

/** Characters that example lines are cut to, tried in this order. */
const TEXT_LENGTHS = [500, 200, 80];

/** Cuts the summary to `maxBytes` of JSON in UTF-8. All figures stay, even if they alone exceed the budget. */
export function fitSummary(view: SummaryView, maxBytes: number): SummaryView {
  const fits = (candidate: SummaryView) => Buffer.byteLength(JSON.stringify(candidate)) <= maxBytes;
  if (fits(view)) return view;
  for (const length of TEXT_LENGTHS) {
    const shortened = noted(shorten(view, length), 'its example lines are shortened to fit the reply');
    if (fits(shortened)) return shortened;
  }
  const short = shorten(view, TEXT_LENGTHS.at(-1)!);
  const least = noted(short, 'some shapes and errors are left out to fit the reply');
  const most = Math.max(least.shapes.length, least.json?.keys?.length ?? 0);
  for (let kept = most; kept > 0; kept = Math.floor(kept * 0.8)) {
    if (fits(first(least, kept, least.first_errors.length)))
      return first(least, kept, least.first_errors.length);
  }
  let errors = least.first_errors.length;
  while (errors > 0 && !fits(first(least, 0, errors))) errors -= 1;
  return first(least, 0, errors);
}

/** With the first so many shapes (and keys of a JSON object) and errors. */
function first(view: SummaryView, shapes: number, errors: number): SummaryView {
  const { json } = view;
  return {
    ...view,
    shapes: view.shapes.slice(0, shapes),
    first_errors: view.first_errors.slice(0, errors),
    json: json?.keys ? { ...json, keys: json.keys.slice(0, shapes) } : json,
  };
}

function shorten(view: SummaryView, length: number): SummaryView {
  const short = (text: string) => clipText(text, length).text;
  return {
    ...view,
    first_errors: view.first_errors.map((error) => ({ ...error, text: short(error.text) })),
    shapes: view.shapes.map((shape) => ({
      ...shape,
      shape: short(shape.shape),
      example: short(shape.example),
    })),
  };
}

function noted(view: SummaryView, note: string): SummaryView {
  return { ...view, note: view.note ? `${view.note}; ${note}` : note };
}
