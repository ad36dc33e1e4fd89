import type { PostedForm } from '#app/server/posted-forms.server.ts';
import { SECRET_FIELD_PATTERN } from '#app/domain/typed-forms/field-names.ts';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import { Button, Card, DescriptionList } from '../elements.tsx';
import { HiddenField } from '../forms/fields.tsx';
import { ProductLogo } from './product-logo.tsx';
import { Reference } from './reference.tsx';
import { Styles } from './styles.tsx';
import { labelOf, describeTypedValues } from '#app/typed-values.ts';

interface SendAgainProps {
  productName: string;
  text: string;
  reference: string | undefined;
  action: string;
  posted: PostedForm;
}

/** A whole document without script or loader data, so that it can be shown while nothing can be read. */
export function SendAgainPage({ productName, text, reference, action, posted }: SendAgainProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${texts.sendAgain} · ${productName}`}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Styles />
      </head>
      <body>
        <header className="site-header">
          <a className="site-header-link" href={paths.dashboard}>
            <ProductLogo />
            <span>{productName}</span>
          </a>
        </header>
        <main id="main">
          <div className="screen" data-width="form">
            <div className="screen-header">
              <div className="screen-title">
                <h1>{texts.sendAgain}</h1>
              </div>
            </div>
            <p>{text}</p>
            <p>
              {texts.keptInPage} {posted.fields.some(([name]) => name === 'requestId') && texts.sentAgainOnce}
            </p>
            <SendAgainForm action={action} posted={posted} />
            {reference && <Reference to={reference} />}
          </div>
        </main>
      </body>
    </html>
  );
}

function SendAgainForm({ action, posted: { fields, isMultipart } }: Pick<SendAgainProps, 'action' | 'posted'>) {
  const kept = fields.filter(isKept);
  const missing = fields.filter((field) => !isKept(field));
  const names = [...new Set(missing.map(([name]) => name))];
  return (
    <Card>
      <DescriptionList items={describeTypedValues(kept)} />
      <form method="post" action={action} encType={isMultipart ? 'multipart/form-data' : undefined} noValidate>
        {kept.map(([name, value], at) => (
          <HiddenField key={at} name={name} value={value} />
        ))}
        {names.length > 0 && <p>{texts.enterAgain}</p>}
        {names.map((name) => (
          <EnteredAgain
            key={name}
            name={name}
            files={missing.flatMap(([of, value]) => (of === name && value instanceof File ? [value.name] : []))}
            autoComplete={secretHint(name, names)}
          />
        ))}
        <Button variant="primary">Send again</Button>
      </form>
    </Card>
  );
}

function isKept(field: [string, FormDataEntryValue]): field is [string, string] {
  return typeof field[1] === 'string' && !SECRET_FIELD_PATTERN.test(field[0]);
}

function EnteredAgain({ name, files, autoComplete }: { name: string; files: string[]; autoComplete: string }) {
  const isFile = files.length > 0;
  return (
    <div className="field">
      <label htmlFor={name}>{labelOf(name)}</label>
      {isFile && (
        <p className="hint" id={`${name}-hint`}>
          {files.join(', ')}
        </p>
      )}
      <input
        {...(isFile
          ? { type: 'file', accept: 'image/*', multiple: files.length > 1, 'aria-describedby': `${name}-hint` }
          : { type: name === 'code' ? 'text' : 'password', autoComplete })}
        id={name}
        name={name}
      />
    </div>
  );
}

function secretHint(name: string, all: string[]): string {
  if (name === 'code') return 'one-time-code';
  return all.includes('confirmPassword') && name !== 'currentPassword' ? 'new-password' : 'current-password';
}
