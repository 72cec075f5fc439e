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
  const [passed, setPassed] = useState<Passed>()
  const [isBusy, setIsBusy] = useState(false)
  const [message, setMessage] = useState(reason)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const values = new FormData(event.currentTarget)
    const value = (name: string) => String(values.get(name) ?? '')
    setIsBusy(true)
    setMessage(undefined)
    try {
      onLogon(await enter(value))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { challenge, code, message: refusal } = error
      if (challenge !== undefined) setPassed({ username: value('username'), challenge })
      else setMessage(passed !== undefined && code === 'LOGON_REFUSED' ? wrongCode : refusal)
      setIsBusy(false)
    }
  }

  function startAgain(): void {
    setPassed(undefined)
    setMessage(undefined)
  }

  function enter(value: (name: string) => string): Promise<Session> {
    if (usesToken) return sessionOf(value('token').trim())
    if (passed !== undefined) return logOn({ ...passed, code: value('code').trim() }, undefined)
    const apiKey = asksKey ? value('apiKey').trim() : undefined
    return logOn({ username: value('username'), password: value('password') }, apiKey)
  }

  if (passed !== undefined) {
    return (
      <main className="logon">
        <form onSubmit={submit}>
          <h1>Enter your code</h1>
          <p>
            The account “{passed.username}” has a second factor. Enter the code that your authenticator app
            shows.
          </p>
          <CodeField />
          {message === undefined ? null : <p role="alert">{message}</p>}
          <button type="submit" disabled={isBusy}>
            Log on
          </button>
          <button type="button" className="link" onClick={startAgain}>
            Log on as someone else
          </button>
        </form>
      </main>
    )
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

/** A password that was right, without the code that is still missing. */
interface Passed {
  readonly username: string
  readonly challenge: string
}

const wrongCode = 'This code is wrong, was used before, or came more than ten minutes after the password.'

function CodeField() {
  return (
    <label>
      Code, or a recovery code
      <input
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        // biome-ignore lint/a11y/noAutofocus: the form has no other field, and follows a form that was sent
        autoFocus
        required
      />
    </label>
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
