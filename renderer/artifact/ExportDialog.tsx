/** Asks in which form to save lines, and shows the progress. */

import { useRef, useState } from 'react';
import { formatCount, plural } from '../../shared/text/format.ts';
import { Button } from '../ui/controls/Button.tsx';
import { Dialog } from '../ui/layout/Dialog.tsx';
import { formatPercent } from '../ui/text/format.ts';
import styles from './Dialogs.module.css';
import type { Exporting, FileForm } from './use-export.ts';

const FORMS: readonly { form: FileForm; name: string; hint: string }[] = [
  { form: 'text', name: 'Text', hint: 'the lines alone, as they are shown' },
  { form: 'numbers', name: 'With line numbers', hint: 'each line after its number' },
  { form: 'markdown', name: 'Markdown', hint: 'with the command, a link, and how to print them again' },
];

export function ExportDialog({ exporting }: { exporting: Exporting }) {
  const { asked, done, save, close } = exporting;
  const [form, setForm] = useState<FileForm>('text');
  const saveButton = useRef<HTMLButtonElement>(null);
  if (!asked) return null;
  const { count } = asked.wanted;
  const what = asked.what === 'matches' ? plural(count, 'matching line') : plural(count, 'line');
  const isSaving = done !== null;
  return (
    <Dialog
      open
      onClose={close}
      initialFocus={saveButton}
      title={`Save ${what}`}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button ref={saveButton} tone="primary" disabled={isSaving} onClick={() => void save(form)}>
            Save
          </Button>
        </>
      }
    >
      {isSaving ? (
        <p role="status">
          {formatPercent(done, Math.max(done, count))} of {formatCount(count)} lines
        </p>
      ) : (
        <fieldset className={styles.forms}>
          <legend className="visually-hidden">Form</legend>
          {FORMS.map((each) => (
            <label key={each.form} className={styles.form}>
              <input
                type="radio"
                name="form"
                checked={form === each.form}
                onChange={() => setForm(each.form)}
              />
              <span>
                {each.name}
                <span className={styles.hint}> {each.hint}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </Dialog>
  );
}
