/** What the server says, over another connection, about one on which nothing comes. */
export type Sighting = 'working' | 'idle' | 'unreachable'

/** A connection on which an answer is waited for. */
export interface Listened {
  /** How many bytes have come on it so far. */
  heard(): number
  /** What the server does for it, asked over another connection. In bounded time, and never fails. */
  look(): Promise<Sighting>
}

/** Why a connection on which nothing comes is given up: the server knows of no work on it, or cannot be reached. */
export type Lost = Exclude<Sighting, 'working'>

/** How long nothing may come until the server is asked, in milliseconds. */
const silentMs = 2000
/** How long until it is asked again: after it said that it works, when it cannot be reached, and to be sure. */
const pauseMs = { working: 5000, unreachable: 1000, idle: 500 } as const

/**
 * Finds out about answers that will never come, long before statements are too late: when the server says twice in a row
 * that nothing runs, while nothing comes, or cannot be asked twice in a row. Gives the way to stop it.
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
