import type { Target } from './target.ts'

/** How long a target that failed is skipped while others work, in milliseconds. */
const pauseMs = 5000

/** What is known of a target. `unknown`: nothing was sent to it, or it has never been reached. */
export interface TargetHealth {
  readonly target: Target
  readonly state: 'unknown' | 'healthy' | 'unhealthy'
  /** Since when it is in that state; in milliseconds since 1970. */
  readonly since: number
  /** The last failure in a sentence, and when it was; undefined if there was none. */
  readonly failure: { readonly reason: string; readonly at: number } | undefined
}

interface TargetState {
  readonly target: Target
  pausedUntil: number
  isDown: boolean
  state: TargetHealth['state']
  since: number
  failure: TargetHealth['failure']
}

/** The targets of one service, in turn (round robin), healthy ones first. */
export class TargetPool {
  readonly #states: readonly TargetState[]
  readonly #now: () => number
  readonly #time: () => number
  #turn = 0

  /** `now` counts milliseconds and never goes back; `time` is the time in milliseconds since 1970. */
  constructor(targets: readonly Target[], now: () => number, time: () => number = Date.now) {
    this.#now = now
    this.#time = time
    const fresh = {
      pausedUntil: 0,
      isDown: false,
      state: 'unknown',
      since: time(),
      failure: undefined,
    } as const
    this.#states = targets.map((target) => ({ target, ...fresh }))
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
  failed(target: Target, reason: string): void {
    const state = this.#stateOf(target)
    if (state === undefined) return
    state.pausedUntil = this.#now() + pauseMs
    state.failure = { reason, at: this.#time() }
    this.#enter(state, 'unhealthy')
  }

  /** To be called when a target responded. */
  answered(target: Target): void {
    const state = this.#stateOf(target)
    if (state === undefined) return
    state.pausedUntil = 0
    if (!state.isDown) this.#enter(state, 'healthy')
  }

  /** One health check of a target: why it failed, if it did. It does not yet decide. */
  checked(target: Target, failure: string | undefined): void {
    const state = this.#stateOf(target)
    if (state === undefined) return
    if (failure !== undefined) state.failure = { reason: failure, at: this.#time() }
    else if (state.state === 'unknown') this.#enter(state, 'healthy')
  }

  /** The result of the health checks of a target. */
  judge(target: Target, judgement: 'up' | 'down'): void {
    const state = this.#stateOf(target)
    if (state === undefined) return
    state.isDown = judgement === 'down'
    if (judgement === 'up') state.pausedUntil = 0
    this.#enter(state, state.isDown ? 'unhealthy' : 'healthy')
  }

  /** What is known of each target. */
  health(): readonly TargetHealth[] {
    return this.#states.map(({ target, state, since, failure }) => ({ target, state, since, failure }))
  }

  #enter(target: TargetState, state: TargetHealth['state']): void {
    if (target.state === state) return
    target.state = state
    target.since = this.#time()
  }

  #seemsToWork({ isDown, pausedUntil }: TargetState): boolean {
    return !isDown && pausedUntil <= this.#now()
  }

  #stateOf(target: Target): TargetState | undefined {
    return this.#states.find((state) => state.target === target)
  }
}
