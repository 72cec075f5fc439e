import { type FormEvent, useState } from 'react'
import { CodeForm, type Passed } from './code-form.tsx'
import { AccountFields, SecretField } from './fields.tsx'
import { type LoggedOn, logOn, Refusal, type Session, sessionOf } from './gateway.ts'
import { askForPasskey } from './passkey.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

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
export function LogonForm(props: LogonFormProps) {
  const [passed, setPassed] = useState<Passed>()
  const [fresh, setFresh] = useState<Required<LoggedOn>>()

  function finish({ session, recoveryCodes }: LoggedOn): void {
    if (recoveryCodes === undefined) props.onLogon(session)
    else setFresh({ session, recoveryCodes })
  }

  if (fresh !== undefined) {
    return <RecoveryCodes codes={fresh.recoveryCodes} onKept={() => props.onLogon(fresh.session)} />
  }
  if (passed !== undefined) {
    return <CodeForm passed={passed} onLogon={finish} onRestart={() => setPassed(undefined)} />
  }
  return <FirstForm {...props} onLogon={finish} onPassed={setPassed} />
}

interface FirstFormProps extends Omit<LogonFormProps, 'onLogon'> {
  readonly onLogon: (loggedOn: LoggedOn) => void
  /** The password was right, and a code is missing. */
  readonly onPassed: (passed: Passed) => void
}

function FirstForm({ title, asksKey, reason, onLogon, onPassed, onCancel }: FirstFormProps) {
  const [usesToken, setUsesToken] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [message, setMessage] = useState(reason)

  async function run(username: string, work: () => Promise<LoggedOn>): Promise<void> {
    setIsBusy(true)
    setMessage(undefined)
    try {
      onLogon(await work())
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { challenge, setUp } = error
      if (challenge !== undefined) return onPassed({ username, challenge, setUp })
      setMessage(error.message)
      setIsBusy(false)
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const values = new FormData(event.currentTarget)
    const value = (name: string) => String(values.get(name) ?? '')
    return run(value('username'), async () => {
      if (usesToken) return { session: await sessionOf(value('token').trim()) }
      const apiKey = asksKey ? value('apiKey').trim() : undefined
      return logOn({ username: value('username'), password: value('password') }, apiKey)
    })
  }

  const logOnByPasskey = () => run('', async () => logOn({ passkey: await askForPasskey() }, undefined))

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
        {usesToken || asksKey ? null : <PasskeyButton isBusy={isBusy} onUse={() => void logOnByPasskey()} />}
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
