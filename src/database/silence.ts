/** What the server reports, over another connection, about a silent connection. */
export type Sighting = 'working' | 'idle' | 'unreachable'

/** A connection with a pending request. */
export interface Listened {
  /** How many bytes have arrived so far. */
  heard(): number
  /** What the server does for it, queried over another connection. Has a time limit, and never fails. */
  look(): Promise<Sighting>
}

/** Why a silent connection is given up: the server does not work on anything for it, or is unreachable. */
export type Lost = Exclude<Sighting, 'working'>

/** After how long without data the server is asked, in milliseconds. */
const silentMs = 2000
/** How long until the next check: after the server said that it works, was unreachable, or is idle, to be sure. */
const pauseMs = { working: 5000, unreachable: 1000, idle: 500 } as const

/**
 * Detects responses that will never arrive, long before the time limit of statements: if the server says twice in a
 * row that nothing runs, while nothing arrives, or is unreachable twice in a row. Returns a function that stops it.
 */
export function watchSilence(listened: Listened, lost: (why: Lost) => void): () => void {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let known = listened.heard()
  let before: Sighting = 'working'

  const ask = async () => {
    let seen: Sighting = 'working'
    if (listened.heard() === known) seen = await listened.look()
    if (isStopped) return
    const isSilent = listened.heard() === known
    known = listened.heard()
    if (isSilent && seen !== 'working' && seen === before) return lost(seen)
    before = isSilent ? seen : 'working'
    askAfter(isSilent ? pauseMs[seen] : silentMs)
  }
  const askAfter = (milliseconds: number) => {
    timer = setTimeout(() => void ask(), milliseconds)
  }
  askAfter(silentMs)
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
