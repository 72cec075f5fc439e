import { type FormEvent, useState } from 'react'
import type { LoginNeeded, Session } from '../../browser/index.ts'
import { changePassword } from './own-account.ts'
import { useCall } from './use-call.ts'

interface PasswordFormProps {
  readonly session: Session
  readonly onLoginNeeded: (error: LoginNeeded) => void
  readonly onChanged: () => void
}

/** Changes the password of who is logged in. */
export function PasswordForm({ session, onLoginNeeded, onChanged }: PasswordFormProps) {
  const [message, setMessage] = useState<{ readonly role: 'alert' | 'status'; readonly text: string }>()
  const { isBusy, refusal, run } = useCall(onLoginNeeded)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    const values = new FormData(form)
    const value = (name: string) => String(values.get(name) ?? '')
    setMessage(undefined)
    if (value('next') !== value('again')) {
      setMessage({ role: 'alert', text: 'The two new passwords are different. Enter the same one twice.' })
      return
    }
    if (!(await run(() => changePassword(value('password'), value('next'))))) return
    form.reset()
    const text = 'Your password is changed. You are logged out everywhere else.'
    setMessage({ role: 'status', text })
    onChanged()
  }

  return (
    <section>
      <h2>Password</h2>
      <form onSubmit={(event) => void submit(event)}>
        <input
          hidden
          readOnly
          name="username"
          autoComplete="username"
          value={session.auth?.account_id ?? ''}
        />
        <PasswordField id="password" label="Current password" autoComplete="current-password" />
        <PasswordField id="next" label="New password" autoComplete="new-password" />
        <PasswordField id="again" label="New password again" autoComplete="new-password" />
        {refusal === undefined ? null : <p role="alert">{refusal}</p>}
        {message === undefined ? null : <p role={message.role}>{message.text}</p>}
        <button type="submit" disabled={isBusy}>
          Change the password
        </button>
      </form>
    </section>
  )
}

interface PasswordFieldProps {
  readonly id: string
  readonly label: string
  readonly autoComplete: 'current-password' | 'new-password'
}

/** A password with its label. */
export function PasswordField({ id, label, autoComplete }: PasswordFieldProps) {
  return (
    <label htmlFor={id}>
      {label}
      <input id={id} name={id} type="password" autoComplete={autoComplete} required />
    </label>
  )
}
