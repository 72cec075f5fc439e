import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../shell/session-gate.tsx'
import type { RecordDraft } from './record-draft.ts'
import type { StoredRecord } from './stored-record.ts'

/** What was entered, and into which state of the record. */
export interface KeptDraft {
  readonly draft: RecordDraft
  readonly stored: StoredRecord | undefined
}

/** Keeps in this tab what was entered when a session ends, until the same account opens the same form again. */
export function useKeptDraft(): {
  readonly restored: KeptDraft | undefined
  /** Says at each change what is to be kept; undefined if there is nothing to lose. */
  readonly hold: (draft: KeptDraft | undefined) => void
} {
  const { account } = useSession()
  const [key] = useState(() => `gatehouse.console.draft.${account.name}.${location.pathname}`)
  const [restored] = useState(() => readKept(key))
  const held = useRef<KeptDraft>(undefined)
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
    hold(draft) {
      held.current = draft
    },
  }
}

function readKept(key: string): KeptDraft | undefined {
  try {
    const text = sessionStorage.getItem(key)
    return text === null ? undefined : (JSON.parse(text) as KeptDraft)
  } catch {
    return undefined
  }
}

function keep(key: string, draft: KeptDraft): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // The storage of the browser is full, or turned off.
  }
}
