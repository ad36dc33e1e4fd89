export interface ReadingNoteContent {
  tone: 'neutral' | 'caution';
  text: string;
}

interface ReadingNoteProps {
  id?: string | undefined;
  note: ReadingNoteContent | undefined;
}

/** A live region, rendered empty too: screen readers announce only what is added to it. */
export function ReadingNote({ id, note }: ReadingNoteProps) {
  return (
    <p id={id} className="inline-note" role="status" data-tone={note?.tone}>
      {note?.text}
    </p>
  );
}
