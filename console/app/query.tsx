import { type FormEvent, useState } from 'react'
import { LoginNeeded, Refusal } from '../../browser/index.ts'
import { runQuery } from './web-front.ts'

interface QueryProps {
  readonly onLoginNeeded: (error: LoginNeeded) => void
  readonly query: string
  readonly onChange: (query: string) => void
}

/** A GraphQL query, and what it is answered. */
export function Query({ onLoginNeeded, query, onChange }: QueryProps) {
  const [answer, setAnswer] = useState<unknown>()
  const [message, setMessage] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)

  async function run(event: FormEvent): Promise<void> {
    event.preventDefault()
    setIsBusy(true)
    setMessage(undefined)
    try {
      setAnswer(await runQuery(query))
    } catch (error) {
      if (error instanceof LoginNeeded) return onLoginNeeded(error)
      if (!(error instanceof Refusal)) throw error
      setAnswer(undefined)
      setMessage(error.message)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <section>
      <h2>GraphQL</h2>
      <form onSubmit={(event) => void run(event)}>
        <label htmlFor="query">Query</label>
        <textarea
          id="query"
          value={query}
          onChange={(event) => onChange(event.target.value)}
          rows={Math.max(4, query.split('\n').length)}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          required
        />
        <button type="submit" disabled={isBusy}>
          Run
        </button>
      </form>
      {message === undefined ? null : <p role="alert">{message}</p>}
      {hasErrors(answer) ? <p role="alert">The query has mistakes; the answer says which.</p> : null}
      <output htmlFor="query">
        {answer === undefined ? null : <pre>{JSON.stringify(answer, undefined, 2)}</pre>}
      </output>
    </section>
  )
}

function hasErrors(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'errors' in answer
}
