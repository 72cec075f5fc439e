import { type FormEvent, useState } from 'react'
import type { Session } from '../logon/gateway.ts'
import { type Document, exampleOf, type Operation, objectSchema, type Parameter } from './openapi.ts'
import { addressOf, type CallAnswer, sendCall } from './send-call.ts'

interface TryFormProps {
  readonly document: Document
  readonly operation: Operation
  readonly session: Session | undefined
}

/** Puts a call together, sends it, and shows what came back. */
export function TryForm({ document, operation, session }: TryFormProps) {
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map())
  const [body, setBody] = useState(() => exampleText(document, operation))
  const [answer, setAnswer] = useState<CallAnswer>()
  const [isBusy, setIsBusy] = useState(false)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    setIsBusy(true)
    setAnswer(await sendCall(operation, values, { body, session }))
    setIsBusy(false)
  }

  return (
    <form className="try" onSubmit={submit} aria-label={`Try ${operation.id}`}>
      {operation.parameters.map((parameter) => (
        <ParameterField
          key={`${parameter.in} ${parameter.name}`}
          parameter={parameter}
          value={values.get(parameter.name) ?? ''}
          onChange={(value) => setValues(new Map(values).set(parameter.name, value))}
        />
      ))}
      {operation.body === undefined ? null : (
        <label className="wide">
          Body
          <textarea
            value={body}
            rows={8}
            spellCheck={false}
            onChange={(event) => setBody(event.target.value)}
          />
        </label>
      )}
      <p className="wide">
        <button type="submit" disabled={isBusy}>
          Send
        </button>{' '}
        <code>
          {operation.method} {addressOf(operation, values)}
        </code>
      </p>
      {answer === undefined ? null : <Answer answer={answer} />}
    </form>
  )
}

interface ParameterFieldProps {
  readonly parameter: Parameter
  readonly value: string
  readonly onChange: (value: string) => void
}

function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
  const { name, in: place, required = false } = parameter
  return (
    <label>
      {name} <small>{place}</small>
      <input
        value={value}
        required={required}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}

function Answer({ answer }: { readonly answer: CallAnswer }) {
  return (
    <output className="answer wide" aria-label="Answer">
      <strong>{answer.status}</strong>
      {answer.headers.map(([name, value]) => (
        <code key={name}>
          {name}: {value}
        </code>
      ))}
      {answer.body === '' ? null : <pre>{answer.body}</pre>}
    </output>
  )
}

function exampleText(document: Document, { body }: Operation): string {
  const schema = body && objectSchema(document, body.schema)
  return schema === undefined ? '' : JSON.stringify(exampleOf(schema), null, 2)
}
