import { load } from 'cheerio/slim';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { PostedForm } from '#app/server/posted-forms.server.ts';
import { texts } from '#app/domain/texts.ts';
import { SendAgainPage } from '#app/ui/page/send-again-page.tsx';

const text = 'The database cannot be reached.';
const shown = { productName: 'Flightline', text, reference: '7', action: '/account' };
const pageOf = (...fields: PostedForm['fields']) =>
  renderToStaticMarkup(<SendAgainPage {...shown} posted={{ fields, isMultipart: false }} />);

it('the page that sends a form again shows a tick as Yes, and has its reference (B909)', () => {
  const $ = load(pageOf(['refueled', 'on'], ['intent', 'save'], ['requestId', '1']));
  expect([$('dl').text(), $('code').text()]).toEqual(['RefueledYes', '7']);
});

it('the page that sends a form again asks for what was typed only if a password, code or file was not kept (B909)', () => {
  const left: PostedForm['fields'] = [
    ['code', ''],
    ['password', ''],
    ['receipt', new File(['x'], 'fuel.jpg')],
  ];
  const asked = (page: string) => page.includes(texts.enterAgain);
  expect([pageOf(['make', 'Cessna']), ...left.map((field) => pageOf(field))].map(asked)).toEqual([
    ...[false, true, true, true],
  ]);
});

it('the page that sends a form again asks a browser for the passwords of its form, old and new (B909)', () => {
  const hintsOf = (...passwords: string[]) => {
    const $ = load(pageOf(...passwords.map((name): [string, string] => [name, ''])));
    return $('input[type=password]')
      .toArray()
      .map((input) => $(input).attr('autocomplete'));
  };
  const both = ['new-password', 'new-password'];
  expect(hintsOf('currentPassword')).toEqual(['current-password']);
  expect(hintsOf('password', 'confirmPassword')).toEqual(both);
  expect(hintsOf('currentPassword', 'password', 'confirmPassword')).toEqual(['current-password', ...both]);
});
