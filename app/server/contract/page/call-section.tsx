import type { Call } from '../call.ts';
import { exampleOf } from '../example.server.ts';
import type { JsonSchema } from '../json-schema.ts';
import { errorStatusesOf, schemaName, queryOf, REASONS, scopeOf } from '../openapi.server.ts';
import { ANSWERS, BODIES } from '../schemas.server.ts';
import { SchemaLink } from './schema-view.tsx';

interface CallSectionProps {
  call: Call;
  named: Record<string, JsonSchema>;
}

export function CallSection({ call, named }: CallSectionProps) {
  const { id, method, path, summary, isPublic } = call;
  return (
    <article className="card" id={id}>
      <h3>
        <a href={`#${id}`}>
          <code>
            {method.toUpperCase()} {path}
          </code>
        </a>
      </h3>
      <p>{summary}.</p>
      <p className="muted">
        {isPublic ? 'Takes nobody who is signed in.' : `An access token needs the scope '${scopeOf(call)}'.`}
      </p>
      <Query call={call} />
      <Body call={call} />
      <Answers call={call} named={named} />
    </article>
  );
}

function Query({ call }: { call: Call }) {
  const entries = Object.entries(queryOf(call));
  if (entries.length === 0) return null;
  return (
    <>
      <h4>Query, all optional</h4>
      <dl className="fields">
        {entries.map(([name, description]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Body({ call: { body, example } }: { call: Call }) {
  if (!body) return null;
  return (
    <>
      <h4>
        Body: <SchemaLink name={schemaName(body, BODIES)} />
      </h4>
      {example && <Example value={example} />}
    </>
  );
}

function Answers({ call, named }: CallSectionProps) {
  const { created, response, method } = call;
  const isTagged = method === 'get' && response !== undefined;
  const name = response && schemaName(response, ANSWERS);
  return (
    <>
      <h4>
        Answer {created ? 201 : 200}: {name === undefined ? 'a CSV file' : <SchemaLink name={name} />}
      </h4>
      {name !== undefined && <Example value={exampleOf(named[name] ?? {}, named)} />}
      <h4>Otherwise</h4>
      <dl className="fields">
        {isTagged && (
          <div>
            <dt>304</dt>
            <dd>As If-None-Match has it</dd>
          </div>
        )}
        {errorStatusesOf(call).map((status) => (
          <div key={status}>
            <dt>{status}</dt>
            <dd>{REASONS[status]}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Example({ value }: { value: unknown }) {
  return (
    <details>
      <summary>Example</summary>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </details>
  );
}
