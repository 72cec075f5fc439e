import { type Schema, typeText } from './openapi.ts'

interface FieldTableProps {
  readonly title: string
  readonly note?: string | undefined
  readonly fields: readonly { readonly name: string; readonly schema: Schema; readonly required: boolean }[]
}

/** Names, types and what is to be known of each. */
export function FieldTable({ title, note, fields }: FieldTableProps) {
  return (
    <>
      <h4>{title}</h4>
      {note === undefined ? null : <p>{note}</p>}
      <div className="scrolls">
        <table>
          <tbody>
            {fields.map(({ name, schema, required }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                  {required ? <small> required</small> : null}
                </th>
                <td>{typeText(schema)}</td>
                <td>{remarks(schema)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function remarks(schema: Schema): string {
  const { description, enum: values, default: ownDefault, maxLength } = schema
  return [
    ...(description === undefined ? [] : [description]),
    ...(values === undefined ? [] : [`One of ${values.map((value) => JSON.stringify(value)).join(', ')}.`]),
    ...(ownDefault === undefined ? [] : [`Default: ${JSON.stringify(ownDefault)}.`]),
    ...(maxLength === undefined ? [] : [`At most ${maxLength.toLocaleString('en')} characters.`]),
  ].join(' ')
}
