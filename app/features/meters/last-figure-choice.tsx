import { useEffect, useState } from 'react';
import { parseReading } from '#app/domain/reading.ts';
import { initialText, type FormField } from '#app/ui/forms/form-field.ts';
import { setInputValue } from '#app/ui/forms/set-input-value.ts';
import { useHydrated } from '#app/ui/hooks/use-hydrated.ts';

interface LastFigureChoiceProps {
  /** Field that takes the choice without a script: what the reading showed and what is chosen. */
  name: string;
  choices: string[];
  reading: FormField;
}

/** Asks which of two figures the last drum shows; with a script a tap fills the reading, which alone is sent then. */
export function LastFigureChoice({ name, choices, reading }: LastFigureChoiceProps) {
  const isHydrated = useHydrated();
  const rendered = initialText(reading) ?? '';
  const shown = useShownReading(reading.id, rendered);
  const fill = (choice: string) => {
    const input = document.getElementById(reading.id);
    if (input instanceof HTMLInputElement) setInputValue(input, choice);
  };
  return (
    <fieldset className="field">
      <legend>What does the last drum show?</legend>
      <div className="radio-options">
        {choices.map((choice) => (
          <div className="form-check" key={choice}>
            <input
              id={`${name}-${choice}`}
              name={name}
              type="radio"
              value={`${rendered} ${choice}`}
              checked={choice === parseReading(shown)}
              form={isHydrated ? '' : undefined}
              onChange={() => fill(choice)}
            />
            <label htmlFor={`${name}-${choice}`}>{choice}</label>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

/** Returns what the reading shows as it is typed, filled or restored. */
function useShownReading(readingId: string, rendered: string): string {
  const [shown, setShown] = useState(rendered);
  useEffect(() => {
    const input = document.getElementById(readingId);
    if (!(input instanceof HTMLInputElement)) return undefined;
    const read = () => setShown(input.value);
    read();
    input.addEventListener('input', read);
    return () => input.removeEventListener('input', read);
  }, [readingId]);
  return shown;
}
