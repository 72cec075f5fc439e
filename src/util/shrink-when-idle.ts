import { Script } from 'node:vm'

/** Longer than two of V8's looks, which are 8 s apart: the one after a script was made sees an allocation. */
const intervalMs = 60_000

/**
 * Lets V8 give back memory while this thread has little to do, for as long as the thread lives. V8 then collects in the
 * background and in small steps. But since Node.js 24 it takes a thread that has no C++ objects on V8's heap for a
 * busy one, and waits for 100 s after the last full collection. A script is such an object; V8 forgets it after 110 s.
 *
 * Such a collection also drops compiled code. So it is not for the main thread, which would be slow after each pause.
 */
export function shrinkWhenIdle(): void {
  const makeObject = () => new Script('')
  makeObject()
  setInterval(makeObject, intervalMs).unref()
}
