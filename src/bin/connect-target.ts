/** Something that a service connects to, as `check-config --connect` tries it. */
export interface ConnectTarget {
  /** For example `database` or `provider staff`. */
  readonly name: string
  /** Connects, changes nothing, and returns what was found. Throws `TargetFailed`, or any other error. */
  attempt(): Promise<string>
}

/** A target that cannot be used, for the reason in the message. */
export class TargetFailed extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TargetFailed'
  }
}

/** How a target fared. */
export interface TargetOutcome {
  readonly name: string
  readonly isUsable: boolean
  readonly text: string
}

/** Tries all targets, each by itself. Never fails. */
export function tryTargets(targets: readonly ConnectTarget[]): Promise<readonly TargetOutcome[]> {
  return Promise.all(
    targets.map(async ({ name, attempt }) => {
      try {
        return { name, isUsable: true, text: await attempt() }
      } catch (error) {
        return { name, isUsable: false, text: deepestMessage(error) }
      }
    }),
  )
}

/** One line for each target. */
export function targetLines(outcomes: readonly TargetOutcome[]): string {
  const width = Math.max(...outcomes.map(({ name }) => name.length))
  return outcomes
    .map(({ name, isUsable, text }) => `${name.padEnd(width)}  ${isUsable ? 'works' : 'FAILS'}  ${text}`)
    .join('\n')
}

/** Errors of clients have their reason in their deepest cause. */
function deepestMessage(error: unknown): string {
  let deepest = error
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause
  const text = deepest instanceof Error ? deepest.message : String(deepest)
  return text.trim().replaceAll(/\s*[\r\n]+\s*/g, ' ')
}
