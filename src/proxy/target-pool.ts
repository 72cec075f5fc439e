import type { Target } from './target.ts'

/** How long a target that failed is skipped while others work, in milliseconds. */
const pauseMs = 5000

interface TargetState {
  readonly target: Target
  pausedUntil: number
  isDown: boolean
}

/** The targets of one service, in turn (round robin), healthy ones first. */
export class TargetPool {
  readonly #states: readonly TargetState[]
  readonly #now: () => number
  #turn = 0

  /** `now` counts milliseconds and never goes back. */
  constructor(targets: readonly Target[], now: () => number) {
    this.#states = targets.map((target) => ({ target, pausedUntil: 0, isDown: false }))
    this.#now = now
  }

  get targets(): readonly Target[] {
    return this.#states.map(({ target }) => target)
  }

  /**
   * The next target that was not tried. If none seems healthy, one is returned all the same: a wrong state must not block
   * a service. Undefined if all were tried.
   */
  next(tried: readonly Target[]): Target | undefined {
    const count = this.#states.length
    const [only] = this.#states
    if (count === 1 && only !== undefined) return tried.includes(only.target) ? undefined : only.target
    const inTurn = this.#states.map((_, index) => this.#states[(this.#turn + index) % count])
    const left = inTurn.filter((state) => state !== undefined).filter(({ target }) => !tried.includes(target))
    const chosen = left.find((state) => this.#seemsToWork(state)) ?? left[0]
    if (chosen === undefined) return undefined
    this.#turn = (this.#states.indexOf(chosen) + 1) % count
    return chosen.target
  }

  /** To be called when a target could not be reached or broke the connection before it responded. */
  failed(target: Target): void {
    const state = this.#stateOf(target)
    if (state !== undefined) state.pausedUntil = this.#now() + pauseMs
  }

  /** To be called when a target responded. */
  answered(target: Target): void {
    const state = this.#stateOf(target)
    if (state !== undefined) state.pausedUntil = 0
  }

  /** The result of the health checks of a target. */
  judge(target: Target, judgement: 'up' | 'down'): void {
    const state = this.#stateOf(target)
    if (state === undefined) return
    state.isDown = judgement === 'down'
    if (judgement === 'up') state.pausedUntil = 0
  }

  #seemsToWork({ isDown, pausedUntil }: TargetState): boolean {
    return !isDown && pausedUntil <= this.#now()
  }

  #stateOf(target: Target): TargetState | undefined {
    return this.#states.find((state) => state.target === target)
  }
}
