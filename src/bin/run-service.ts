/**
 * The life cycle of a service process: it starts, prints a report, waits for a signal, accepts requests until load
 * balancers have noticed, finishes running requests and exits. A second signal ends it at once.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Observer } from '../observe/events.ts'
import type { Invocation } from './command.ts'
import { paintOf } from './command-output.ts'
import { exitCodes } from './exit-codes.ts'
import type { Paint } from './terminal.ts'
import { withProgress } from './with-progress.ts'

/** A started service. */
export interface RunningService {
  readonly address: string
  readonly tableCount?: number
  /** The report of the start for the terminal. */
  readonly report: string
  /** Makes the service no longer ready; closes connections once `until` has settled. Resolves when all are closed. */
  drain(until: Promise<unknown>): Promise<void>
  /** Reads again what others may have changed; absent if there is nothing. A failure is reported to the observer. */
  reload?(): Promise<void>
  close(): Promise<void>
}

/** How to run one service. */
export interface ServicePlan {
  readonly start: () => Promise<RunningService>
  /** A foreseen failure to start as one line; undefined for others. */
  readonly explainFailure: (error: unknown) => string | undefined
  /** How long requests are still accepted after the signal. */
  readonly drainDelayMs: number
  /** How long stopping may take after that. */
  readonly shutdownTimeoutMs: number
  readonly observe: Observer
}

/** Runs a service until it is asked to stop; returns the exit code. */
export async function runService(plan: ServicePlan, invocation: Invocation): Promise<number> {
  const { observe } = plan
  const signals = listenForSignals(invocation)
  const service = await startUnlessStopped(plan, invocation, signals.first)
  if (service === undefined) return exitCodes.failed
  invocation.print(paintReport(service.report, paintOf(invocation)))
  const { address, tableCount } = service
  observe({ kind: 'Started', address, ...(tableCount === undefined ? {} : { tableCount }) })

  const { reload } = service
  // A failure is reported, and the old state stays.
  if (reload !== undefined) invocation.onReloadSignal(() => void reload().catch(() => undefined))
  const reason = await signals.first
  observe({ kind: 'Stopping', reason })
  // SIGINT comes from a terminal, where no load balancer is in front.
  const delayed = wait(reason === 'SIGINT' ? 0 : plan.drainDelayMs)
  const problem = await Promise.race([
    delayed.then(() => tooSlow(plan.shutdownTimeoutMs)),
    signals.second.then(() => 'Requests may have been aborted: a second signal came.'),
    problemOfClosing(service, delayed),
  ])
  if (problem === undefined) {
    observe({ kind: 'Stopped' })
    return exitCodes.fine
  }
  invocation.warn(problem)
  return exitCodes.failed
}

/** A signal during the start ends the process at once: there is nothing to finish yet. */
async function startUnlessStopped(
  { start, explainFailure, observe }: ServicePlan,
  invocation: Invocation,
  stopped: Promise<string>,
): Promise<RunningService | undefined> {
  try {
    return await withProgress(invocation, 'Starting', () =>
      Promise.race([start(), stopped.then(() => undefined)]),
    )
  } catch (error) {
    const explanation = explainFailure(error)
    if (explanation === undefined) observe({ kind: 'StartFailed', error })
    invocation.warn(explanation ?? `The start failed: ${messageOf(error)}`)
    return undefined
  }
}

/** The word at the start of a line says what the line is about. */
function paintReport(report: string, paint: Paint): string {
  return report.replaceAll(/^(Gatehouse [^\n]+|[A-Z][a-z]+(?= {2,}))/gm, (word) =>
    paint(word === 'Warning' ? 'caution' : 'heading', word),
  )
}

function tooSlow(milliseconds: number): Promise<string> {
  const problem = 'Requests were aborted: they took longer than shutdown_timeout.'
  return wait(milliseconds, problem, { ref: false })
}

async function problemOfClosing(
  service: RunningService,
  delayed: Promise<unknown>,
): Promise<string | undefined> {
  try {
    await service.drain(delayed)
    await service.close()
    return undefined
  } catch (error) {
    return `The service did not stop cleanly: ${messageOf(error)}`
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

interface EndSignals {
  readonly first: Promise<string>
  readonly second: Promise<string>
}

function listenForSignals({ onEndSignal }: Invocation): EndSignals {
  const first = Promise.withResolvers<string>()
  const second = Promise.withResolvers<string>()
  let count = 0
  onEndSignal((signal) => {
    count++
    if (count === 1) first.resolve(signal)
    else second.resolve(signal)
  })
  return { first: first.promise, second: second.promise }
}
