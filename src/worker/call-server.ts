import { type Call, type Calls, HandedOver, Streamed } from './calls.ts'
import { builtIn, type CallMessage, type ReplyMessage } from './messages.ts'

/** Replies are sent together, but none waits longer for others than this, in milliseconds, and for the call that then runs. */
const mostWaitMs = 2

/** What a worker's functions can use. */
export interface Serving<Event = never> {
  /** The number of the call whose function runs: `WorkerChannel.nextId`. */
  readonly current: number
  /** Sends an event. */
  tell(event: Event): void
  /** Whether the call with an argument may take long: finished calls do not wait for it. Without it they wait for the next one. */
  mayTakeLong?: (argument: unknown) => boolean
}

export type SendReplies = (replies: readonly ReplyMessage[], handedOver: readonly ArrayBuffer[]) => void

/** The answering side of a channel: runs functions in the order in which they are called. */
export class CallServer<C extends Calls<C>, Event> implements Serving<Event> {
  current = 0
  mayTakeLong?: (argument: unknown) => boolean
  readonly #functions: ReadonlyMap<string, (argument: unknown, call: Call) => unknown>
  readonly #faultOf: (error: unknown) => unknown
  readonly #sendReplies: SendReplies
  readonly #streams = new Map<number, Iterator<unknown, void>>()
  readonly #controllers = new Map<number, AbortController>()
  #replies: ReplyMessage[] = []
  #handedOver: ArrayBuffer[] = []

  /** `faultOf` converts what a function throws to plain data. */
  constructor(
    build: (serving: Serving<Event>) => C,
    faultOf: (error: unknown) => unknown,
    send: SendReplies,
  ) {
    this.#faultOf = faultOf
    this.#sendReplies = send
    this.#functions = new Map(Object.entries(build(this)))
  }

  tell(event: Event): void {
    this.#sendReplies([[0, event]], [])
  }

  handle(calls: readonly CallMessage[]): void {
    let since = performance.now()
    for (const [id, name, argument] of calls) {
      if (this.mayTakeLong?.(argument)) this.#send()
      this.current = id
      this.#carryOut(id, name, argument)
      if (performance.now() - since < mostWaitMs) continue
      this.#send()
      since = performance.now()
    }
    this.#send()
  }

  #carryOut(id: number, name: string, argument: unknown): void {
    try {
      const result = this.#run(id, name, argument)
      if (result instanceof Promise) void this.#replyLater(id, result)
      else this.#reply(id, result)
    } catch (error) {
      this.#refuse(id, error)
    }
  }

  async #replyLater(id: number, result: Promise<unknown>): Promise<void> {
    try {
      this.#reply(id, await result)
    } catch (error) {
      this.#refuse(id, error)
    }
    this.#controllers.delete(id)
    this.#send()
  }

  #run(id: number, name: string, argument: unknown): unknown {
    if (name === builtIn.nextPiece) return this.#nextPiece(Number(argument))
    if (name === builtIn.closeStream) return this.#closeStream(Number(argument))
    if (name === builtIn.cancel) return this.#controllers.get(Number(argument))?.abort()
    const run = this.#functions.get(name)
    if (run === undefined) throw new TypeError(`The worker has no function ${name}.`)
    return run(argument, new ServedCall(id, this.#controllers))
  }

  #nextPiece(stream: number): unknown {
    try {
      const next = this.#streams.get(stream)?.next()
      if (next !== undefined && !next.done) return next.value
    } catch (error) {
      this.#streams.delete(stream)
      throw error
    }
    this.#streams.delete(stream)
    return undefined
  }

  #closeStream(stream: number): void {
    this.#streams.get(stream)?.return?.()
    this.#streams.delete(stream)
  }

  #reply(id: number, result: unknown): void {
    if (id === 0) return
    if (result instanceof Streamed) {
      this.#streams.set(id, result.pieces)
      this.#replies.push([id, result.head])
    } else if (result instanceof HandedOver) {
      this.#handedOver.push(...result.memory)
      this.#replies.push([id, result.value])
    } else {
      this.#replies.push([id, result])
    }
  }

  #refuse(id: number, error: unknown): void {
    if (id !== 0) this.#replies.push([id, undefined, this.#faultOf(error)])
  }

  #send(): void {
    if (this.#replies.length === 0) return
    const [replies, handedOver] = [this.#replies, this.#handedOver]
    this.#replies = []
    this.#handedOver = []
    this.#sendReplies(replies, handedOver)
  }
}

class ServedCall implements Call {
  readonly #id: number
  readonly #controllers: Map<number, AbortController>

  constructor(id: number, controllers: Map<number, AbortController>) {
    this.#id = id
    this.#controllers = controllers
  }

  /** Created on demand: most functions end before they could notice an abort. */
  get signal(): AbortSignal {
    const known = this.#controllers.get(this.#id)
    if (known !== undefined) return known.signal
    const controller = new AbortController()
    this.#controllers.set(this.#id, controller)
    return controller.signal
  }
}
