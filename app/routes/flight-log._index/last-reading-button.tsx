import type { MouseEvent } from 'react';
import type { LastReadingView } from '#app/domain/readings/last-reading-view.ts';
import { Button } from '#app/ui/button.tsx';
import { setInputValue } from '#app/ui/forms/set-input-value.ts';
import type { FormField } from '#app/ui/forms/form-field.ts';

interface LastReadingButtonProps {
  field: FormField;
  lastReading: LastReadingView | null;
  intent: string;
}

/** Fills a reading in place; without JavaScript the server does. */
export function LastReadingButton({ field, lastReading, intent }: LastReadingButtonProps) {
  if (!lastReading) return null;
  const fillReading = (event: MouseEvent) => {
    const input = document.getElementById(field.id);
    if (!(input instanceof HTMLInputElement)) return;
    event.preventDefault();
    setInputValue(input, lastReading.value);
  };
  return (
    <Button name="intent" value={intent} onClick={fillReading}>
      Use last reading {lastReading.value}
    </Button>
  );
}
