import type { MouseEvent } from 'react';
import type { LastReadingView } from '#app/domain/flights/reading-flags.ts';
import { Button } from '#app/ui/button.tsx';
import { setInputValue } from '#app/ui/forms/set-input-value.ts';
import type { FormField } from '#app/ui/forms/form-field.ts';

interface UseLastReadingProps {
  field: FormField;
  last: LastReadingView | null;
  intent: string;
}

/** Fills a reading with the last recorded one: by the server, or with script in place and without the network. */
export function UseLastReading({ field, last, intent }: UseLastReadingProps) {
  if (!last) return null;
  const fill = (event: MouseEvent) => {
    const input = document.getElementById(field.id);
    if (!(input instanceof HTMLInputElement)) return;
    event.preventDefault();
    setInputValue(input, last.value);
  };
  return (
    <Button name="intent" value={intent} onClick={fill}>
      Use last reading {last.value}
    </Button>
  );
}
