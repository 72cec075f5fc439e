import { useState } from 'react'
import classes from './apis.module.css'
import { useApis } from './apis-context.ts'
import { CallForm } from './call-form.tsx'
import { CodeText } from './code-text.tsx'
import { Described } from './described.tsx'
import { exampleOf } from './example.ts'
import type { Document, Operation, OperationResponse } from './openapi.ts'
import { Fields } from './schema-view.tsx'

interface OperationSectionProps {
  readonly document: Document
  readonly operation: Operation
}

/** One operation: closed a line, open everything about it. */
export function OperationSection({ document, operation }: OperationSectionProps) {
  const { texts } = useApis()
  const [isOpen, setIsOpen] = useState(false)
  const { id, method, path, summary, needsToken } = operation
  return (
    <details id={id} className={classes.operation} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <span className={classes.method} data-method={method}>
          {method}
        </span>{' '}
        <code>{path}</code> <span>{summary}</span>
        {needsToken ? null : <small> {texts.public}</small>}
      </summary>
      {isOpen ? <OperationContent document={document} operation={operation} /> : null}
    </details>
  )
}

function OperationContent({ document, operation }: OperationSectionProps) {
  const { texts } = useApis()
  const { description, body, responses } = operation
  return (
    <div className={classes.details}>
      {description === undefined ? null : (
        <p>
          <Described text={description} />
        </p>
      )}
      <CallForm document={document} operation={operation} />
      {body?.schema === undefined ? null : (
        <>
          <h3>{texts.body}</h3>
          <p className={classes.faint}>{body.mediaType}</p>
          <Fields document={document} schema={body.schema} />
        </>
      )}
      <h3>{texts.responses}</h3>
      {responses.map((response) => (
        <ResponseView key={response.status} document={document} response={response} />
      ))}
    </div>
  )
}

interface ResponseViewProps {
  readonly document: Document
  readonly response: OperationResponse
}

/** A status; open, with the schema and an example of its body. */
function ResponseView({ document, response: { status, description, content = {} } }: ResponseViewProps) {
  const { texts } = useApis()
  const [isOpen, setIsOpen] = useState(false)
  const [mediaType, body] = Object.entries(content)[0] ?? []
  const line = (
    <>
      <strong>{status}</strong>{' '}
      <span>
        <Described text={description} />
      </span>
    </>
  )
  if (body === undefined) return <p className={classes.response}>{line}</p>
  return (
    <details className={classes.response} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{line}</summary>
      {isOpen ? (
        <>
          <p className={classes.faint}>{mediaType}</p>
          <Fields document={document} schema={body.schema} />
          <h4>{texts.example}</h4>
          <CodeText text={JSON.stringify(exampleOf(document, body.schema), null, 2)} />
        </>
      ) : null}
    </details>
  )
}
