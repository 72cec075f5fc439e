import { type FormEvent, useCallback, useEffect, useState } from 'react'
import type { LoginNeeded } from '../../browser/index.ts'
import { Moment } from './moment.tsx'
import { type ApiKey, createKey, listKeys, removeKey } from './own-account.ts'
import { PasswordField } from './password-form.tsx'
import { useCall } from './use-call.ts'

interface YourKeysProps {
  readonly onLoginNeeded: (error: LoginNeeded) => void
}

/** The API keys of who is logged in. */
export function YourKeys({ onLoginNeeded }: YourKeysProps) {
  const [keys, setKeys] = useState<readonly ApiKey[]>()
  const [made, setMade] = useState<string>()
  const [ending, setEnding] = useState<string>()
  const { isBusy, refusal, run } = useCall(onLoginNeeded)

  const look = useCallback(async () => setKeys(await listKeys()), [])
  useEffect(() => void run(look), [run, look])

  function askToEnd(name: string): void {
    setEnding(name)
    document.getElementById('key-password')?.focus()
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    const values = new FormData(form)
    const value = (name: string) => String(values.get(name) ?? '')
    setMade(undefined)
    const isDone = await run(async () => {
      if (ending === undefined) setMade(await createKey(value('key-password'), value('name')))
      else await removeKey(value('key-password'), ending)
      await look()
    })
    if (!isDone) return
    form.reset()
    setEnding(undefined)
  }

  return (
    <section aria-busy={keys === undefined && refusal === undefined}>
      <h2>API keys</h2>
      <p>A program needs a key besides your username and password. In a browser you need none.</p>
      <ul className="records">
        {(keys ?? []).map((key) => (
          <KeyItem key={key.name} apiKey={key} onEnd={() => askToEnd(key.name)} />
        ))}
      </ul>
      <form
        aria-label={ending === undefined ? 'Make a key' : 'End a key'}
        onSubmit={(event) => void submit(event)}
      >
        <h3>{ending === undefined ? 'Make a key' : `End the key “${ending}”?`}</h3>
        {ending === undefined ? (
          <label htmlFor="name">
            Name of the key
            <input id="name" name="name" autoComplete="off" maxLength={100} required />
          </label>
        ) : (
          <p>Programs that use it can no longer log on.</p>
        )}
        <PasswordField id="key-password" label="Your password" autoComplete="current-password" />
        {refusal === undefined ? null : <p role="alert">{refusal}</p>}
        <p className="buttons">
          <button type="submit" disabled={isBusy}>
            {ending === undefined ? 'Make the key' : 'End the key'}
          </button>
          {ending === undefined ? null : (
            <button type="button" onClick={() => setEnding(undefined)}>
              Keep it
            </button>
          )}
        </p>
      </form>
      {made === undefined ? null : (
        <p role="status">
          This is the key. Keep it now: it is not shown again.
          <br />
          <code>{made}</code>
        </p>
      )}
    </section>
  )
}

function KeyItem({ apiKey, onEnd }: { readonly apiKey: ApiKey; readonly onEnd: () => void }) {
  const { name, prefix, created, expires_at, last_used } = apiKey
  return (
    <li>
      <p>
        <strong>{name}</strong> {prefix === null ? null : <code>{prefix}…</code>}
        <br />
        Made <Moment time={created} otherwise="earlier" />, last used{' '}
        <Moment time={last_used} otherwise="never" />
        {expires_at === null ? null : (
          <>
            , ends <Moment time={expires_at} otherwise="never" />
          </>
        )}
      </p>
      <button type="button" aria-label={`End the key ${name}`} onClick={onEnd}>
        End
      </button>
    </li>
  )
}
