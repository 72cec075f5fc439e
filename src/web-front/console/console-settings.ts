import type { Target } from '../../proxy/target.ts'

/** The console, which comes with the program. */
export interface ConsoleSettings {
  /** Path below which it is served, such as `/console`; it needs no percent-encoding. */
  readonly path: string
  /** Its built files. */
  readonly folder: string
  /** The gateway that it shows; absent without one. */
  readonly gateway?: Target
}
