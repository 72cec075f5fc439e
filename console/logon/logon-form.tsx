import { type FormEvent, useState } from 'react'
import { logOn, Refusal, type Session, sessionOf } from './gateway.ts'

interface LogonFormProps {
  /** What one logs on for. */
  readonly title: string
  /** Whether one needs an API key, too. */
  readonly asksKey: boolean
  /** Why one has to log on, where that needs saying. */
  readonly reason: string | undefined
  readonly onLogon: (session: Session) => void
  /** Goes on without an account, where the gateway lets in anybody. */
  readonly onCancel?: (() => void) | undefined
}

/** Asks for an account, or for a token that someone has already. */
export function LogonForm({ title, asksKey, reason, onLogon, onCancel }: LogonFormProps) {
  const [usesToken, setUsesToken] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [message, setMessage] = useState(reason)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const values = new FormData(event.currentTarget)
    const value = (name: string) => String(values.get(name) ?? '')
    setIsBusy(true)
    setMessage(undefined)
    try {
      onLogon(
        usesToken
          ? await sessionOf(value('token').trim())
          : await logOn({
              ...(asksKey && { apiKey: value('apiKey').trim() }),
              username: value('username'),
              password: value('password'),
            }),
      )
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setMessage(error.message)
      setIsBusy(false)
    }
  }

  return (
    <main className="logon">
      <form onSubmit={submit}>
        <h1>{title}</h1>
        <p>{usesToken ? 'Go on with a token that you have.' : 'Log on with your account of this gateway.'}</p>
        {usesToken ? <SecretField name="token" label="Token" /> : <AccountFields asksKey={asksKey} />}
        {message === undefined ? null : <p role="alert">{message}</p>}
        <button type="submit" disabled={isBusy}>
          {usesToken ? 'Use the token' : 'Log on'}
        </button>
        <button type="button" className="link" onClick={() => setUsesToken(!usesToken)}>
          {usesToken ? 'Log on with an account' : 'Use a token instead'}
        </button>
        {onCancel === undefined ? null : (
          <button type="button" className="link" onClick={onCancel}>
            Go on without logging on
          </button>
        )}
      </form>
    </main>
  )
}

function AccountFields({ asksKey }: { readonly asksKey: boolean }) {
  return (
    <>
      {asksKey ? <SecretField name="apiKey" label="API key" /> : null}
      <label>
        Username
        <input name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} required />
      </label>
      <label>
        Password
        <input name="password" type="password" autoComplete="current-password" required />
      </label>
    </>
  )
}

/** What goes into a header: characters that a header can hold. */
function SecretField({ name, label }: { readonly name: string; readonly label: string }) {
  return (
    <label>
      {label}
      <input
        name={name}
        type="password"
        autoComplete="off"
        pattern="\s*[!-~]+\s*"
        title="Letters, digits and signs, without blanks"
        required
      />
    </label>
  )
}
