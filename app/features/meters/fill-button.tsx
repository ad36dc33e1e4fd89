import type { MouseEvent } from 'react';
import { Button } from '#app/ui/elements.tsx';
import { setInputValue } from '#app/ui/forms/set-input-value.ts';

interface FillButtonProps {
  fieldId: string;
  value: string;
  intent: string;
  label: string;
}

export function FillButton({ fieldId, value, intent, label }: FillButtonProps) {
  const fill = (event: MouseEvent) => {
    const input = document.getElementById(fieldId);
    if (!(input instanceof HTMLInputElement)) return;
    event.preventDefault();
    setInputValue(input, value);
  };
  return (
    <Button name="intent" value={intent} onClick={fill}>
      {label}
    </Button>
  );
}
