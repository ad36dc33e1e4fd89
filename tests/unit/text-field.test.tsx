import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { TextField } from '#app/ui/forms/fields.tsx';

const field = {
  id: 'f',
  name: 'f',
  errorId: 'f-error',
  descriptionId: 'f-description',
  errors: undefined,
  initialValue: 'secret',
};

it('a password field never shows a value, even one that an answer carries; a text field does (B076)', () => {
  expect(renderToStaticMarkup(<TextField field={field} label="Password" type="password" />)).not.toContain('secret');
  expect(renderToStaticMarkup(<TextField field={field} label="Username" />)).toContain('value="secret"');
});
