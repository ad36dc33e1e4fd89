import type { ChangeEvent } from 'react';
import { setInputValue } from '#app/ui/forms/set-input-value.ts';
import { useHydrated } from '#app/ui/hooks/use-hydrated.ts';

interface LastFigureChoiceProps {
  /** Field that takes the choice without a script: what was read and what is chosen. */
  name: string;
  detectedText: string;
  choices: string[];
  readingId: string;
}

/** Asks which of two figures the last drum shows; with a script a tap fills the reading, which alone is sent then. */
export function LastFigureChoice({ name, detectedText, choices, readingId }: LastFigureChoiceProps) {
  const isHydrated = useHydrated();
  const fill = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const input = document.getElementById(readingId);
    if (input instanceof HTMLInputElement) setInputValue(input, currentTarget.value.split(' ')[1] ?? '');
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
              value={`${detectedText} ${choice}`}
              defaultChecked={choice === detectedText}
              form={isHydrated ? '' : undefined}
              onChange={fill}
            />
            <label htmlFor={`${name}-${choice}`}>{choice}</label>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
