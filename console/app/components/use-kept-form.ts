import { useEffect, useRef, useState } from 'react'
import { useSession } from '../shell/session-gate.tsx'

/** What was entered into a form, kept for the time without a session. */
export interface KeptForm<Entered> {
  /** What was entered before the session ended; undefined if nothing was lost. */
  readonly restored: Entered | undefined
  /** Says at each change what is to be kept; undefined if there is nothing to lose. */
  readonly hold: (entered: Entered | undefined) => void
}

/**
 * Keeps in this tab what was entered when a session ends, until the same account opens the same form again. What is kept can
 * be written as JSON, and has no secrets: anyone who uses this tab can read it.
 */
export function useKeptForm<Entered>(): KeptForm<Entered> {
  const { account } = useSession()
  const [key] = useState(() => `gatehouse.console.draft.${account.name}.${location.pathname}`)
  const [restored] = useState(() => readKept<Entered>(key))
  const held = useRef<Entered>(undefined)
  useEffect(() => {
    const { pathname } = location
    sessionStorage.removeItem(key)
    return () => {
      // Who leaves the form is at another address by now; without a session the form goes, but the address stays.
      if (location.pathname === pathname && held.current !== undefined) keep(key, held.current)
    }
  }, [key])
  return {
    restored,
    hold(entered) {
      held.current = entered
    },
  }
}

function readKept<Entered>(key: string): Entered | undefined {
  try {
    const text = sessionStorage.getItem(key)
    return text === null ? undefined : (JSON.parse(text) as Entered)
  } catch {
    return undefined
  }
}

function keep(key: string, entered: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(entered))
  } catch {
    // The storage of the browser is full, or turned off.
  }
}
