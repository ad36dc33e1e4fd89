import type { Call } from '../call.ts';
import { choicesOf, exampleOf, itemsOf, type JsonSchema, propertiesOf, referenceOf } from '../example.server.ts';
import { errorStatusesOf, queryDescriptionsOf, STATUS_DESCRIPTIONS, schemaName, scopeOf } from '../openapi.server.ts';
import { ANSWERS, BODIES } from '../schemas.server.ts';

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
  const entries = Object.entries(queryDescriptionsOf(call));
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
            <dd>{STATUS_DESCRIPTIONS[status]}</dd>
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

export const schemaAnchor = (name: string) => `schema-${name}`;

export function SchemaType({ schema }: { schema: JsonSchema }) {
  const name = referenceOf(schema);
  if (name !== undefined) return <SchemaLink name={name} />;
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.map((choice, at) => <Choice key={at} isFirst={at === 0} schema={choice} />);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const items = itemsOf(schema);
  if (items) return <>list of {<SchemaType schema={items} />}</>;
  return [schema.type ?? 'any', schema.format && `(${schema.format})`].filter(Boolean).join(' ');
}

function SchemaLink({ name }: { name: string }) {
  return <a href={`#${schemaAnchor(name)}`}>{name}</a>;
}

function Choice({ schema, isFirst }: { schema: JsonSchema; isFirst: boolean }) {
  return (
    <>
      {isFirst ? '' : ' or '}
      <SchemaType schema={schema} />
    </>
  );
}

export function SchemaFields({ schema }: { schema: JsonSchema }) {
  const parts = [schema, ...choicesOf(schema)].filter((part) => propertiesOf(part).length > 0);
  return parts.map((part, at) => (
    <dl key={at} className="fields">
      {propertiesOf(part).map(([name, field]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            {!part.required?.includes(name) && <span className="optional"> optional</span>}
          </dt>
          <dd>
            <SchemaType schema={field} />
            {field.description !== undefined && <p>{field.description}</p>}
            <SchemaFields schema={itemsOf(field) ?? field} />
          </dd>
        </div>
      ))}
    </dl>
  ));
}
