import { useCallback, useEffect, useState } from 'react'
import { type Login, LoginNeeded, Refusal, type Session } from '../../browser/index.ts'
import { Entities } from './entities.tsx'
import { Query } from './query.tsx'
import { webFront } from './web-front.ts'
import { YourAccount } from './your-account.tsx'

/** What the page knows of its session. */
type State =
  | { readonly kind: 'asking' }
  | { readonly kind: 'loggedOut'; readonly login: string }
  | { readonly kind: 'loggedIn'; readonly session: Session }
  | { readonly kind: 'failed'; readonly message: string }

/** Who is logged in, and what there is for them; otherwise the way to log in. */
export function Page() {
  const [state, setState] = useState<State>({ kind: 'asking' })

  const fail = useCallback((error: unknown) => {
    if (error instanceof LoginNeeded) setState({ kind: 'loggedOut', login: error.login })
    else if (error instanceof Refusal) setState({ kind: 'failed', message: error.message })
    else throw error
  }, [])

  const look = useCallback(async () => {
    try {
      const session = await webFront.session()
      // The same session is the same object, so that what is shown of it stays.
      setState((before) =>
        before.kind === 'loggedIn' && before.session.id === session.id
          ? before
          : { kind: 'loggedIn', session },
      )
    } catch (error) {
      fail(error)
    }
  }, [fail])

  useEffect(() => {
    void look()
    // Meanwhile somebody may have logged out in another tab.
    const lookAgain = () => {
      if (document.visibilityState === 'visible') void look()
    }
    document.addEventListener('visibilitychange', lookAgain)
    window.addEventListener('pageshow', lookAgain)
    return () => {
      document.removeEventListener('visibilitychange', lookAgain)
      window.removeEventListener('pageshow', lookAgain)
    }
  }, [look])

  async function leave(): Promise<void> {
    try {
      await webFront.logout()
      await look()
    } catch (error) {
      fail(error)
    }
  }

  return (
    <>
      <header>
        <h1>Gatehouse</h1>
        {state.kind === 'loggedIn' && state.session.auth !== undefined ? (
          <Account login={state.session.auth} onLeave={() => void leave()} />
        ) : null}
      </header>
      <main>
        <Content
          state={state}
          onLoginNeeded={fail}
          onAgain={() => void look()}
          onLeave={() => void leave()}
        />
      </main>
    </>
  )
}

function Account({ login, onLeave }: { readonly login: Login; readonly onLeave: () => void }) {
  const { account_id, displayName = account_id, account_role } = login
  return (
    <p className="account">
      <span>
        Logged in as <strong>{displayName}</strong>
        {account_role === undefined ? null : `, role ${account_role}`}
      </span>
      <a href={accountPlace}>Your account</a>
      <button type="button" onClick={onLeave}>
        Log out
      </button>
    </p>
  )
}

/** Where on the page the own account is. */
const accountPlace = '#account'

/** The place of the page that its address names. */
function usePlace(): string {
  const [place, setPlace] = useState(location.hash)
  useEffect(() => {
    const follow = () => setPlace(location.hash)
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  return place
}

interface ContentProps {
  readonly state: State
  readonly onLoginNeeded: (error: LoginNeeded) => void
  readonly onAgain: () => void
  readonly onLeave: () => void
}

function Content({ state, onLoginNeeded, onAgain, onLeave }: ContentProps) {
  const place = usePlace()
  switch (state.kind) {
    case 'asking':
      return <p role="status">Looking for your session …</p>
    case 'loggedOut': {
      const here = location.pathname + location.search + place
      return (
        <section className="welcome">
          <h2>You are not logged in</h2>
          <p>Log in to see the entities of this gateway and to query them.</p>
          <a className="button" href={`${state.login}?returnTo=${encodeURIComponent(here)}`}>
            Log in
          </a>
        </section>
      )
    }
    case 'failed':
      return (
        <section className="welcome">
          <p role="alert">{state.message}</p>
          <button type="button" onClick={onAgain}>
            Try again
          </button>
        </section>
      )
    case 'loggedIn':
      if (place === accountPlace && state.session.auth !== undefined) {
        return (
          <>
            <p>
              <a href="#overview">Back to the entities</a>
            </p>
            <YourAccount session={state.session} onLoginNeeded={onLoginNeeded} onLeave={onLeave} />
          </>
        )
      }
      return <Workbench session={state.session} onLoginNeeded={onLoginNeeded} />
  }
}

const firstQuery = '{ __typename }'

function Workbench({ session, onLoginNeeded }: Pick<ContentProps, 'onLoginNeeded'> & { session: Session }) {
  const [query, setQuery] = useState(firstQuery)
  return (
    <>
      <Entities key={session.id} onLoginNeeded={onLoginNeeded} onQuery={setQuery} />
      <Query onLoginNeeded={onLoginNeeded} query={query} onChange={setQuery} />
      <SessionDetails session={session} />
    </>
  )
}

function SessionDetails({ session }: { readonly session: Session }) {
  return (
    <section>
      <h2>Session</h2>
      <p>What the web front tells this browser of its session, at GET /session:</p>
      <pre>{JSON.stringify(session, hideToken, 2)}</pre>
    </section>
  )
}

/** Nobody who looks over a shoulder shall have it. */
function hideToken(key: string, value: unknown): unknown {
  return key === 'accessToken' ? '(hidden)' : value
}
