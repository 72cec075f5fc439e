import { type FormEvent, useEffect, useState } from 'react'
import { CodeField } from './fields.tsx'
import { type LoggedOn, logOn, type NewSecret, Refusal } from './gateway.ts'

/** A password that was right, without the code that is still missing. */
export interface Passed {
  readonly username: string
  readonly challenge: string
  /** If a second factor is to be set up first. */
  readonly setUp: NewSecret | undefined
}

interface CodeFormProps {
  readonly passed: Passed
  readonly onLogon: (loggedOn: LoggedOn) => void
  readonly onRestart: () => void
}

const wrongCode = 'This code is wrong, was used before, or came more than ten minutes after the password.'

/** Asks for the code of the second factor, or for the first code of one that is to be set up. */
export function CodeForm({ passed: { username, challenge, setUp }, onLogon, onRestart }: CodeFormProps) {
  const [isBusy, setIsBusy] = useState(false)
  const [message, setMessage] = useState<string>()

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code') ?? '').trim()
    setIsBusy(true)
    setMessage(undefined)
    try {
      onLogon(await logOn({ username, challenge, code }, undefined))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setMessage(error.code === 'LOGON_REFUSED' ? wrongCode : error.message)
      setIsBusy(false)
    }
  }

  return (
    <main className="logon">
      <form onSubmit={submit}>
        <h1>{setUp === undefined ? 'Enter your code' : 'Set up a second factor'}</h1>
        {setUp === undefined ? (
          <p>
            The account “{username}” has a second factor. Enter the code that your authenticator app shows.
          </p>
        ) : (
          <SetUp username={username} {...setUp} />
        )}
        <CodeField isFirst={setUp !== undefined} />
        {message === undefined ? null : <p role="alert">{message}</p>}
        <button type="submit" disabled={isBusy}>
          Log on
        </button>
        <button type="button" className="link" onClick={onRestart}>
          Log on as someone else
        </button>
      </form>
    </main>
  )
}

/** The secret for an authenticator app. What draws it is loaded when it is needed. */
function SetUp({ username, secret, uri }: NewSecret & { readonly username: string }) {
  const [picture, setPicture] = useState<string>()
  useEffect(() => {
    let isCurrent = true
    void import('uqr').then(({ renderSVG }) => {
      if (isCurrent) setPicture(`data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 4 }))}`)
    })
    return () => {
      isCurrent = false
    }
  }, [uri])
  return (
    <>
      <p>
        The account “{username}” needs one. Scan the picture with an authenticator app, or enter the key into
        it. Then enter the code that the app shows.
      </p>
      {picture === undefined ? null : <img src={picture} alt="QR code of the key" width={200} height={200} />}
      <p>
        Key: <code>{secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code>
      </p>
      <p>
        <a href={uri}>Open an app on this device</a>
      </p>
    </>
  )
}
