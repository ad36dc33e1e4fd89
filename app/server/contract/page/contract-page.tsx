import { paths, serverOnlyPaths } from '#app/paths.ts';
import { API_CALLS } from '../calls.server.ts';
import { contractSchemas, TAGS, tagOf } from '../openapi.server.ts';
import { CallSection, schemaAnchor, SchemaFields, SchemaType } from './call-section.tsx';

/** A whole document of its own, because it needs no script and comes from no screen. */
export function ContractPage({ productName, styles }: { productName: string; styles: string }) {
  const named = contractSchemas();
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`API - ${productName}`}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <style dangerouslySetInnerHTML={{ __html: styles }} />
      </head>
      <body>
        <header>
          <a href={paths.dashboard}>{productName}</a>
        </header>
        <main>
          <h1>API</h1>
          <Introduction />
          <Contents />
          {TAGS.map(([tag, description]) => (
            <section key={tag} aria-labelledby={tag}>
              <h2 id={tag}>{tag}</h2>
              <p>{description}.</p>
              {API_CALLS.filter((call) => tagOf(call) === tag).map((call) => (
                <CallSection key={call.id} call={call} named={named} />
              ))}
            </section>
          ))}
          <section aria-labelledby="schemas">
            <h2 id="schemas">Schemas</h2>
            {Object.entries(named).map(([name, schema]) => (
              <article key={name} className="card" id={schemaAnchor(name)}>
                <h3>{name}</h3>
                {schema.type !== 'object' && (
                  <p>
                    <SchemaType schema={schema} />
                  </p>
                )}
                <SchemaFields schema={schema} />
              </article>
            ))}
          </section>
        </main>
      </body>
    </html>
  );
}

function Introduction() {
  return (
    <ul className="card facts">
      <li>
        JSON in and out. Programs get this contract as <a href={serverOnlyPaths.contract}>OpenAPI 3.1</a>.
      </li>
      <li>
        Send <code>Authorization: Bearer</code> with an <a href={paths.addAccessToken}>access token</a>, made for a
        scope: read, fly or manage. <code>RateLimit</code> says how many requests are left.
      </li>
      <li>
        Send an <code>Idempotency-Key</code> with each write: the same key and body again get the same answer.
      </li>
      <li>
        Lists take <code>limit</code>; <code>Link</code> names the next page, and what to ask later for what has
        changed. <code>ETag</code> and <code>If-None-Match</code> spare what is known.
      </li>
      <li>A failure says in words what is wrong, as plain text unless stated otherwise.</li>
    </ul>
  );
}

function Contents() {
  return (
    <nav className="card" aria-label="Calls">
      {TAGS.map(([tag]) => (
        <details key={tag} open>
          <summary>{tag}</summary>
          <ul>
            {API_CALLS.filter((call) => tagOf(call) === tag).map(({ id, method, path, summary }) => (
              <li key={id}>
                <a href={`#${id}`}>
                  <code>
                    {method.toUpperCase()} {path}
                  </code>
                </a>{' '}
                <span className="muted">{summary}</span>
              </li>
            ))}
          </ul>
        </details>
      ))}
      <p>
        <a href="#schemas">Schemas</a>
      </p>
    </nav>
  );
}
