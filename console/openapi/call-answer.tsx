import type { ApiCall } from './api-call.ts'
import classes from './apis.module.css'
import { type ApiSource, filled, useApis } from './apis-context.ts'
import { CodeText } from './code-text.tsx'
import { indentedJson } from './json-text.ts'

/** What came back. */
export type CallResult =
  | { readonly reason: string }
  | {
      readonly status: number
      readonly statusText: string
      readonly milliseconds: number
      readonly headers: readonly (readonly [name: string, value: string])[]
      readonly bytes: number
      /** Undefined if it is not text. */
      readonly text: string | undefined
    }

/** Makes a call. Never throws: what went wrong is the result. */
export async function resultOf(
  send: ApiSource['send'],
  call: ApiCall,
  signal: AbortSignal,
): Promise<CallResult> {
  const start = performance.now()
  try {
    const response = await send(call, signal)
    const bytes = await response.arrayBuffer()
    const milliseconds = Math.round(performance.now() - start)
    const { status, statusText } = response
    const isText = /json|text|xml|yaml|javascript|^$/.test(response.headers.get('content-type') ?? '')
    const text = isText ? readable(new TextDecoder().decode(bytes)) : undefined
    return { status, statusText, milliseconds, headers: [...response.headers], bytes: bytes.byteLength, text }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Longer texts make a page slow. */
const mostShown = 100_000

/** A response: status, duration, headers and body. */
export function CallAnswer({ result }: { readonly result: CallResult }) {
  const { texts } = useApis()
  if ('reason' in result) {
    return (
      <fieldset className={classes.answer} aria-label={texts.answer} aria-live="polite">
        <strong>{texts.noAnswer}</strong>
        <p>{result.reason}</p>
      </fieldset>
    )
  }
  const { status, statusText, milliseconds, headers, bytes, text } = result
  return (
    <fieldset className={classes.answer} aria-label={texts.answer} aria-live="polite">
      <p>
        <strong data-status={Math.floor(status / 100)}>
          {status} {statusText}
        </strong>{' '}
        · {filled(texts.milliseconds, { count: milliseconds })} ·{' '}
        {filled(texts.bytes, { count: bytes.toLocaleString('en') })}
      </p>
      <details>
        <summary>{texts.headers}</summary>
        {headers.map(([name, value]) => (
          <code key={name}>
            {name}: {value}
          </code>
        ))}
      </details>
      {text === undefined ? <p>{texts.notText}</p> : null}
      {text ? <CodeText text={text.slice(0, mostShown)} /> : null}
      {text !== undefined && text.length > mostShown ? <p>{texts.cut}</p> : null}
    </fieldset>
  )
}

function readable(text: string): string {
  return indentedJson(text) ?? text
}
