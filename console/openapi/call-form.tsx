import { type FormEvent, useRef, useState } from 'react'
import { callOf, keyOf } from './api-call.ts'
import classes from './apis.module.css'
import { filled, useApis } from './apis-context.ts'
import { CallAnswer, type CallResult, resultOf } from './call-answer.tsx'
import { CodeSamples } from './code-samples.tsx'
import { exampleToSend } from './example.ts'
import type { Document, Operation } from './openapi.ts'
import { ParameterField } from './parameter-field.tsx'

interface CallFormProps {
  readonly document: Document
  readonly operation: Operation
}

/** The parameters of an operation, to be read and filled in; the call in some languages; and what came back. */
export function CallForm({ document, operation }: CallFormProps) {
  const { source, texts } = useApis()
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map())
  const [body, setBody] = useState(() => exampleText(document, operation))
  const [result, setResult] = useState<CallResult>()
  const [isBusy, setIsBusy] = useState(false)
  const running = useRef<AbortController>(null)
  const call = callOf(operation, { values, body })

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    running.current = new AbortController()
    setIsBusy(true)
    setResult(await resultOf(source.send, call, running.current.signal))
    setIsBusy(false)
  }

  const { id, method, parameters } = operation
  return (
    <form className={classes.try} onSubmit={(event) => void submit(event)} aria-label={`${texts.try}: ${id}`}>
      {parameters.length === 0 ? null : <h3>{texts.parameters}</h3>}
      {parameters.map((parameter) => (
        <ParameterField
          key={keyOf(parameter)}
          parameter={parameter}
          value={values.get(keyOf(parameter)) ?? ''}
          onChange={(value) => setValues(new Map(values).set(keyOf(parameter), value))}
        />
      ))}
      {operation.body === undefined ? null : (
        <label className={classes.body}>
          <strong>{texts.body}</strong>
          <textarea
            value={body}
            rows={Math.min(16, body.split('\n').length + 1)}
            spellCheck={false}
            onChange={(event) => setBody(event.target.value)}
          />
        </label>
      )}
      <p className={classes.sending}>
        <button type="submit" className={classes.send} data-method={method} disabled={isBusy}>
          {filled(texts.send, { method })}
        </button>
        {isBusy ? (
          <button type="button" className={classes.plain} onClick={() => running.current?.abort()}>
            {texts.cancel}
          </button>
        ) : null}
        <code>{call.path}</code>
      </p>
      {result === undefined ? null : <CallAnswer result={result} />}
      <CodeSamples call={call} needsToken={operation.needsToken} />
    </form>
  )
}

function exampleText(document: Document, { body }: Operation): string {
  if (body === undefined) return ''
  return body.schema === undefined ? '{}' : JSON.stringify(exampleToSend(document, body.schema), null, 2)
}
