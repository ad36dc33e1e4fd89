import { paths } from '#app/paths.ts';
import { Badge, type BadgeTone, Button, DateTime } from '#app/ui/elements.tsx';
import { DataTable, NumberCells, TableCell, TableRow, TableRowHeader } from '#app/ui/data-table.tsx';
import { HiddenField } from '#app/ui/forms/fields.tsx';
import type { DeliveryView } from './webhook-page.server.ts';
import { ActForm } from '#app/ui/forms/form.tsx';

const COLUMNS = [
  'Event',
  'When',
  'Tries',
  'Status',
  'Duration',
  'Answer',
  <span key="again" className="visually-hidden">
    Again
  </span>,
];

const BADGES: Record<DeliveryView['state'], { tone: BadgeTone; text: string }> = {
  waiting: { tone: 'medium', text: 'Waiting' },
  delivered: { tone: 'completed', text: 'Delivered' },
  'given up': { tone: 'low', text: 'Given up' },
};

interface DeliveryTableProps {
  webhookId: number;
  deliveries: DeliveryView[];
  requestId: string;
  canSend: boolean;
}

export function DeliveryTable({ deliveries, ...props }: DeliveryTableProps) {
  return (
    <DataTable caption="Deliveries, newest first" columns={COLUMNS}>
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} {...props} />
      ))}
    </DataTable>
  );
}

type DeliveryRowProps = Omit<DeliveryTableProps, 'deliveries'> & { delivery: DeliveryView };

/** Lets the name break after the dot, in a narrow column. */
function EventName({ event }: { event: string }) {
  const [subject, ...rest] = event.split(/(?<=\.)/);
  return (
    <>
      {subject}
      {rest.length > 0 && <wbr />}
      {rest.join('')}
    </>
  );
}

function DeliveryRow({ delivery, webhookId, requestId, canSend }: DeliveryRowProps) {
  const { id, event, state, attempts, status, duration, at, next, error, answer } = delivery;
  const { tone, text } = BADGES[state];
  return (
    <TableRow>
      <TableRowHeader>
        <EventName event={event} /> <Badge tone={tone}>{text}</Badge>
      </TableRowHeader>
      <NumberCells cells={{ When: <DateTime value={at} />, Tries: attempts, Status: status, Duration: duration }} />
      <TableCell label="Answer">
        <span className="delivery-answer user-text">
          {error ?? (answer === null ? '-' : null)}
          {next && <> Next try </>}
          {next && <DateTime value={next} />}
          {answer !== null && <code className="subtitle">{answer}</code>}
        </span>
      </TableCell>
      <TableCell label="">
        {canSend && (
          <ActForm action={paths.webhook(webhookId)} preventScrollReset requestId={requestId}>
            <HiddenField name="deliveryId" value={id} />
            <Button name="intent" value="send-again">
              Send Again
              <span className="visually-hidden">
                : {event} of delivery {id}
              </span>
            </Button>
          </ActForm>
        )}
      </TableCell>
    </TableRow>
  );
}
