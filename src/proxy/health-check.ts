import { type Target, targetPath } from './target.ts'
import type { TargetPool } from './target-pool.ts'
import { type Agents, startTargetRequest, type Timeouts } from './target-request.ts'
import { failureSentence } from './upstream-failure.ts'

/** The health check of targets. */
export interface HealthCheck {
  /** Below the target's own path; a healthy target responds with a status from 200 to 399. */
  readonly path: string
  readonly intervalMs: number
  /** How many equal results in a row change the state. */
  readonly threshold: number
  readonly timeoutMs: number
}

/** Checks every target of a pool periodically; returns a function that stops it. */
export function watchHealth(
  pool: TargetPool,
  check: HealthCheck,
  agents: Agents,
  judged: (target: Target, judgement: 'up' | 'down') => void,
): () => void {
  const stops = pool.targets.map((target) => watchTarget(target, pool, check, agents, judged))
  return () => {
    for (const stop of stops) stop()
  }
}

function watchTarget(
  target: Target,
  pool: TargetPool,
  check: HealthCheck,
  agents: Agents,
  judged: (target: Target, judgement: 'up' | 'down') => void,
): () => void {
  let judgement: 'up' | 'down' = 'up'
  let contrary = 0
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  const ask = async () => {
    const failure = await failureOf(target, check, agents)
    if (isStopped) return
    const works = failure === undefined
    pool.checked(target, failure)
    contrary = works === (judgement === 'up') ? 0 : contrary + 1
    if (contrary >= check.threshold) {
      judgement = works ? 'up' : 'down'
      contrary = 0
      pool.judge(target, judgement)
      judged(target, judgement)
    }
    askAfter(check.intervalMs)
  }
  const askAfter = (milliseconds: number) => {
    timer = setTimeout(() => void ask(), milliseconds).unref()
  }
  askAfter(0)
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

/** Why a target is not healthy, in a sentence; undefined if it is. */
async function failureOf(
  target: Target,
  { path, timeoutMs }: HealthCheck,
  agents: Agents,
): Promise<string | undefined> {
  const timeouts: Timeouts = { connect: timeoutMs, response: timeoutMs, idle: timeoutMs }
  const { outgoing, reaction } = startTargetRequest(
    {
      target,
      method: 'GET',
      path: targetPath(target, { prefix: '' }, path),
      headers: ['Host', target.host],
      timeouts,
      ownConnection: true,
    },
    agents,
  )
  outgoing.end()
  try {
    const given = await reaction
    if (given.kind !== 'answer') return `The health check of ${path} was answered with another protocol.`
    const { status } = given.answer
    if (status >= 200 && status < 400) return undefined
    return `The health check of ${path} was answered with ${status}.`
  } catch (error) {
    return failureSentence(error)
  } finally {
    outgoing.destroy()
  }
}
