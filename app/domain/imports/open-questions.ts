import { AppError } from '../app-error.ts';
import type { Question } from './reading/answers.ts';

/** A file leaves something open, and nothing was written: it is sent again with the answers. */
export class OpenQuestionsError extends AppError {
  constructor(readonly questions: Question[]) {
    super(
      'invalid',
      ['The file leaves questions open. Nothing was imported.', ...questions.map(questionText)].join('\n'),
    );
  }
}

/** Throws OpenQuestionsError. */
export function assertAnswered({ questions }: { questions: Question[] }): void {
  if (questions.length > 0) throw new OpenQuestionsError(questions);
}

/** Returns "dates: Which day is 03/04/2025 (row 2)? dmy: 3 April 2025 (day first); mdy: 4 March 2025 (month first)". */
function questionText({ name, field, text, options }: Question): string {
  const offered = options.map((option) => `${option.value}: ${option.text}`).join('; ');
  return `${name}${field === undefined || name === 'units' ? '' : ` (${field})`}: ${text}${offered === '' ? '' : ` ${offered}`}`;
}
