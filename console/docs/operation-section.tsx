import { useState } from 'react'
import type { Session } from '../logon/gateway.ts'
import { FieldTable } from './field-table.tsx'
import { type Document, type Operation, objectSchema } from './openapi.ts'
import { TryForm } from './try-form.tsx'

interface OperationSectionProps {
  readonly document: Document
  readonly operation: Operation
  readonly session: Session | undefined
}

/** One operation: closed a line, open everything about it. */
export function OperationSection({ document, operation, session }: OperationSectionProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { id, method, path, summary, needsToken } = operation
  return (
    <details id={id} className="operation" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <span className={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>{' '}
        <span>{summary}</span>
        {needsToken ? null : <small> needs no token</small>}
      </summary>
      {isOpen ? <OperationContent document={document} operation={operation} session={session} /> : null}
    </details>
  )
}

function OperationContent({ document, operation, session }: OperationSectionProps) {
  const { parameters, body, responses } = operation
  const sent = body && objectSchema(document, body.schema)
  const answered = Object.values(responses.find(({ status }) => status.startsWith('2'))?.content ?? {})[0]
  const record = answered && objectSchema(document, answered.schema)
  return (
    <div className="content">
      {parameters.length === 0 ? null : (
        <FieldTable
          title="Parameters"
          fields={parameters.map(({ name, schema, description, required = false }) => ({
            name,
            schema: description === undefined ? schema : { ...schema, description },
            required,
          }))}
        />
      )}
      {sent === undefined ? null : (
        <FieldTable title={`Body, ${body?.mediaType}`} note={sent.description} fields={fieldsOf(sent)} />
      )}
      {record === undefined ? null : (
        <FieldTable title="Answer" fields={fieldsOf({ properties: record.properties ?? {} })} />
      )}
      <h4>Statuses</h4>
      <dl>
        {responses.map(({ status, description }) => (
          <div key={status}>
            <dt>{status}</dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      <h4>Try it</h4>
      <TryForm document={document} operation={operation} session={session} />
    </div>
  )
}

function fieldsOf({ properties = {}, required = [] }: NonNullable<ReturnType<typeof objectSchema>>) {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
  }))
}
