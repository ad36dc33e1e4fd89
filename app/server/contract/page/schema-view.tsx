import { choicesOf, itemsOf, type JsonSchema, propertiesOf, referenceOf } from '../json-schema.ts';

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

export function SchemaLink({ name }: { name: string }) {
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
