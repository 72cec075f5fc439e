import { inTime } from '../util/in-time.ts'
import type { Argument, Calls, Reply, ReplyStream } from './calls.ts'
import { builtIn, type CallMessage, type ReplyMessage } from './messages.ts'
import type { StartedWorker, StartWorker } from './start-worker.ts'
import { WorkerLost } from './worker-lost.ts'

export interface ChannelOptions<Event> {
  /** Creates the error of a call whose function threw, from what `faultOf` returned on the other side. */
  readonly errorOf: (fault: unknown) => Error
  /** Creates the error of a call that gets no reply; by default `WorkerLost` itself. */
  readonly lostError?: (lost: WorkerLost) => Error
  readonly onEvent?: (event: Event) => void
  /** Called once if the worker is lost before this side ends it. */
  readonly onLost?: (lost: WorkerLost) => void
}

export interface CallOptions {
  /** When aborted, its reason rejects the call, and the worker's function is notified. */
  readonly signal?: AbortSignal
  /** Memory of the argument that is transferred. */
  readonly handedOver?: readonly ArrayBuffer[]
  /**
   * How long the worker may take, in milliseconds, counted from the last reply to an earlier call. A worker that takes
   * longer is mute, and is ended.
   */
  readonly timeoutMs?: number
}

interface Pending {
  readonly id: number
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  readonly timeoutMs: number | undefined
  stopListening?: () => void
}

/**
 * Calls functions in a thread or process, and waits for their replies; ends by `end` or when the worker fails. Calls
 * arrive in the order in which they are made; replies come in any order. A pending call keeps this process alive.
 */
export class WorkerChannel<C extends Calls<C>, Event = never> {
  /** Resolved when the worker has ended. */
  readonly gone: Promise<void>
  readonly #worker: StartedWorker
  readonly #options: ChannelOptions<Event>
  /** In the order of the calls. A list, because usually the first call gets the next reply. */
  readonly #pending: Pending[] = []
  #lastId = 0
  #timer: NodeJS.Timeout | undefined
  #lost: WorkerLost | undefined
  #unsent: CallMessage[] = []
  #handedOver: ArrayBuffer[] = []

  constructor(start: StartWorker, options: ChannelOptions<Event>) {
    this.#options = options
    const { promise, resolve } = Promise.withResolvers<void>()
    this.gone = promise
    this.#worker = start({
      onReplies: (replies) => {
        for (const reply of replies) this.#settle(reply)
      },
      onError: (error) => this.#lose('failed', error),
      onGone: () => {
        this.#lose('failed')
        resolve()
      },
    })
    this.#worker.unref()
  }

  /** Whether it accepts no more calls. */
  get isOver(): boolean {
    return this.#lost !== undefined
  }

  /** The number of the next call in the worker: `Serving.current`. */
  get nextId(): number {
    return this.#lastId + 1
  }

  /** The number of the oldest pending call; 0 if there is none. */
  get oldestId(): number {
    return this.#pending[0]?.id ?? 0
  }

  /** Calls a function. */
  call<Name extends keyof C & string>(
    name: Name,
    argument: Argument<C, Name>,
    options?: CallOptions,
  ): Promise<Reply<C, Name>> {
    return this.#call(name, argument, options)
  }

  /** Calls a function that replies in pieces; the options apply to each of them. */
  async open<Name extends keyof C & string>(
    name: Name,
    argument: Argument<C, Name>,
    options?: CallOptions,
  ): Promise<ReplyStream<C, Name>> {
    const id = this.nextId
    const head = await this.#call<unknown>(name, argument, options)
    const stream = {
      head,
      next: () => this.#call<unknown>(builtIn.nextPiece, id, options),
      close: () => this.#post(0, builtIn.closeStream, id),
    }
    return stream as ReplyStream<C, Name>
  }

  /** Calls a function without waiting for a reply. */
  tell<Name extends keyof C & string>(name: Name, argument: Argument<C, Name>): void {
    this.#post(0, name, argument)
  }

  /**
   * Rejects all calls and ends the worker; with a cause, as one that failed. The worker has `withinMs` to end by
   * itself. Resolved when it has ended.
   */
  async end(withinMs = 0, cause?: unknown): Promise<void> {
    this.#lose(cause === undefined ? 'closed' : 'failed', cause)
    this.#worker.ref()
    if (withinMs > 0 && (await inTime(this.gone, withinMs))) return
    this.#worker.terminate()
    await this.gone
  }

  #call<Value>(name: string, argument: unknown, options: CallOptions = {}): Promise<Value> {
    if (this.#lost !== undefined) return Promise.reject(this.#errorOf(this.#lost, false))
    const { signal, timeoutMs } = options
    if (signal?.aborted) return Promise.reject(signal.reason)
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      const pending: Pending = { id, resolve, reject, timeoutMs }
      this.#pending.push(pending)
      if (this.#pending.length === 1) {
        this.#worker.ref()
        this.#watch()
      }
      if (signal !== undefined) this.#listen(pending, signal)
      this.#post(id, name, argument, options.handedOver)
    })
  }

  #listen(pending: Pending, signal: AbortSignal): void {
    const onAbort = () => {
      this.#take(pending.id)
      pending.reject(signal.reason)
      this.#post(0, builtIn.cancel, pending.id)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    pending.stopListening = () => signal.removeEventListener('abort', onAbort)
  }

  /** Messages of the same turn of the event loop are sent together. */
  #post(id: number, name: string, argument: unknown, handedOver?: readonly ArrayBuffer[]): void {
    if (handedOver !== undefined) this.#handedOver.push(...handedOver)
    if (this.#unsent.push([id, name, argument]) === 1) setImmediate(() => this.#send())
  }

  #send(): void {
    const [calls, handedOver] = [this.#unsent, this.#handedOver]
    this.#unsent = []
    this.#handedOver = []
    this.#worker.post(calls, handedOver)
  }

  #settle(message: ReplyMessage): void {
    const [id, value] = message
    if (id === 0) {
      this.#options.onEvent?.(value as Event)
      return
    }
    const pending = this.#take(id)
    if (message.length === 3) pending?.reject(this.#options.errorOf(message[2]))
    else pending?.resolve(value as never)
  }

  /** Removes a pending call; undefined if it is no longer pending. */
  #take(id: number): Pending | undefined {
    const index = this.#pending[0]?.id === id ? 0 : this.#pending.findIndex((pending) => pending.id === id)
    if (index === -1) return undefined
    const [pending] = index === 0 ? [this.#pending.shift()] : this.#pending.splice(index, 1)
    if (this.#pending.length === 0) this.#worker.unref()
    if (index === 0) this.#watch()
    pending?.stopListening?.()
    return pending
  }

  /** Limits the time of the oldest pending call. */
  #watch(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#timer = undefined
    const timeoutMs = this.#pending[0]?.timeoutMs
    if (timeoutMs === undefined) return
    this.#timer = setTimeout(() => {
      this.#lose('mute')
      this.#worker.terminate()
    }, timeoutMs)
  }

  #lose(reason: WorkerLost['reason'], cause?: unknown): void {
    if (this.#lost !== undefined) return
    this.#lost = new WorkerLost(reason, false, cause)
    clearTimeout(this.#timer)
    this.#worker.unref()
    for (const [index, { reject, stopListening }] of this.#pending.splice(0).entries()) {
      stopListening?.()
      reject(this.#errorOf(this.#lost, index === 0))
    }
    if (reason !== 'closed') this.#options.onLost?.(this.#lost)
  }

  #errorOf({ reason, cause }: WorkerLost, isOldest: boolean): Error {
    const lost = new WorkerLost(reason, isOldest, cause)
    return this.#options.lostError?.(lost) ?? lost
  }
}
