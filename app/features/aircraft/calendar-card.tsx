import { paths } from '#app/paths.ts';
import { Button, Card, DateTime, type DateTimeText, Actions } from '#app/ui/elements.tsx';
import { ActForm } from '#app/ui/forms/form.tsx';

interface CalendarCardProps {
  aircraftId: number;
  /** Moment when the reader's own link was made; null without one. */
  madeAt: DateTimeText | null;
  requestId: string;
}

export function CalendarCard({ aircraftId, madeAt, requestId }: CalendarCardProps) {
  return (
    <Card title="Calendar">
      <p>
        {madeAt ? (
          <>
            You have a link, made <DateTime value={madeAt} />. A new one ends it.
          </>
        ) : (
          'A link of your own lets your calendar show the flights and due dates of this aircraft.'
        )}
      </p>
      <ActForm action={paths.aircraftCalendar(aircraftId)} requestId={requestId}>
        <Actions>
          <Button name="intent" value="make">
            {madeAt ? 'Replace Calendar Link' : 'Make Calendar Link'}
          </Button>
          {madeAt && (
            <Button name="intent" value="remove">
              Remove Calendar Link
            </Button>
          )}
        </Actions>
      </ActForm>
    </Card>
  );
}
