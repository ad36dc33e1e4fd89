/** A remark on a reading: 'caution' asks to look at the meter again. */
export interface Note {
  tone: 'plain' | 'caution';
  text: string;
}

/** Where a remark comes and goes: there from the first, so that readers announce what enters it. */
export function ReadingNote({ id, note }: { id?: string | undefined; note: Note | undefined }) {
  return (
    <p id={id} className="inline-note" role="status" data-tone={note?.tone}>
      {note?.text}
    </p>
  );
}
