import { useState } from 'react';
import {
  findTyped,
  putTyped,
  removeUnsentAndLinkCheckIn,
  formatTimeAtSchool,
  typedId,
} from '#app/islands/outbox/outbox.ts';
import { paths } from '#app/paths.ts';
import { Button, ButtonLink, Actions } from '#app/ui/elements.tsx';
import { photosOf, tellWorker, type UnsentView } from './use-unsent.ts';

export function UnsentPanel({ items }: { items: UnsentView[] }) {
  const [last] = items.slice(-1);
  const awaitingCheckIn = last?.kind === 'check-out' && last.state === 'waiting' ? last : undefined;
  return (
    <section className="unsent" aria-labelledby="unsent-title" hidden={items.length === 0}>
      <h2 id="unsent-title">Not sent yet</h2>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <p>
              <strong>{item.kind === 'check-out' ? 'Check-out' : 'Check-in'}</strong> {shortTextOf(item)}, typed at{' '}
              {formatTimeAtSchool(item.typedAt)}
            </p>
            {item.text && <p role="alert">{item.text}</p>}
            {item.squawkTo && <p className="user-text">{notesOf(item)}</p>}
            <Actions>
              {item.to && (
                <ButtonLink variant="primary" to={item.to} reloadDocument>
                  {item.squawkTo ? 'View Flight Log' : 'Open the form'}
                </ButtonLink>
              )}
              {item.squawkTo && notesOf(item) !== '' && (
                <Button type="button" onClick={() => void writeSquawk(item)}>
                  Report as a squawk
                </Button>
              )}
              {!item.to && item.form && (
                <Button type="button" onClick={() => tellWorker('send')}>
                  Send now
                </Button>
              )}
              {item === awaitingCheckIn && (
                <ButtonLink to={paths.checkOutWithoutNetwork} reloadDocument>
                  Check In
                </ButtonLink>
              )}
              {item.form && <DiscardButton id={item.id} />}
            </Actions>
          </li>
        ))}
      </ul>
      {items.some(({ form }) => form === null) && (
        <ButtonLink variant="primary" to={paths.login} reloadDocument>
          Sign in to send
        </ButtonLink>
      )}
    </section>
  );
}

/** Asks with its second press, since nothing brings back what was typed. */
function DiscardButton({ id }: { id: string }) {
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking) {
    return (
      <Button type="button" variant="quiet" onClick={() => setIsAsking(true)}>
        Discard
      </Button>
    );
  }
  return (
    <Button
      type="button"
      variant="danger"
      onBlur={() => setIsAsking(false)}
      onClick={() => void removeUnsentAndLinkCheckIn(id)}
    >
      Discard for good
    </Button>
  );
}

/** Puts the notes, with their photos and whether it is unsafe, into the form that reports a squawk. */
async function writeSquawk(item: UnsentView): Promise<void> {
  const viewer = document.documentElement.dataset.viewer;
  if (!item.squawkTo || !item.form || viewer === undefined) return;
  const id = typedId(viewer, `${item.squawkTo}#squawk`);
  const [former] = await findTyped(id);
  const typed = former && 'values' in former ? (former.values.text ?? '') : '';
  const text = typed.includes(notesOf(item)) ? typed : `${typed}\n${notesOf(item)}`.trim();
  const values = { text, 'unsafe=on': item.form.get('unsafe') === 'on' ? 'on' : '' };
  const at = Date.now();
  const defaults = { text: '', 'unsafe=on': '' };
  putTyped(id, { values, defaults, touched: Object.keys(values), subject: '[]', at });
  const files = photosOf(item.form, 'squawkPhotos');
  if (files.length > 0) putTyped(`${id}|photos`, { files, at });
  location.assign(item.squawkTo);
}

function notesOf({ form }: UnsentView): string {
  const notes = form?.get('notes');
  return typeof notes === 'string' ? notes.trim() : '';
}

function shortTextOf({ kind, form }: UnsentView): string {
  const when = kind === 'check-out' ? 'start' : 'end';
  const values = ['tailNumber', `${when}HobbsTime`, `${when}TachTime`].map((name) => form?.get(name));
  return values.filter((value) => typeof value === 'string' && value !== '').join(' · ');
}
