import { load } from 'cheerio/slim';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { PostedForm } from '#app/server/posted-forms.server.ts';
import { texts } from '#app/domain/texts.ts';
import { SendAgainPage } from '#app/ui/page/send-again-page.tsx';

const shown = {
  productName: 'Flightline',
  text: 'The database cannot be reached.',
  reference: '7',
  action: '/account',
};
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

it.each([
  [['currentPassword'], ['current-password']],
  [
    ['currentPassword', 'password', 'confirmPassword'],
    ['current-password', 'new-password', 'new-password'],
  ],
  [
    ['password', 'confirmPassword'],
    ['new-password', 'new-password'],
  ],
])('the page that sends a form again asks a browser for %j as %j (B909)', (passwords, hints) => {
  const $ = load(pageOf(...passwords.map((name): [string, string] => [name, ''])));
  const inputs = $('input[type=password]').toArray();
  expect(inputs.map((input) => $(input).attr('autocomplete'))).toEqual(hints);
});
