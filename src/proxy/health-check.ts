import { type Target, targetPath } from './target.ts'
import type { TargetPool } from './target-pool.ts'
import { type Agents, startTargetRequest, type Timeouts } from './target-request.ts'

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
    const works = await answersWell(target, check, agents)
    if (isStopped) return
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

async function answersWell(
  target: Target,
  { path, timeoutMs }: HealthCheck,
  agents: Agents,
): Promise<boolean> {
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
    return given.kind === 'answer' && given.answer.status >= 200 && given.answer.status < 400
  } catch {
    return false
  } finally {
    outgoing.destroy()
  }
}
