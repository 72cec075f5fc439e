/** Processor time of processes and threads, in seconds, as Linux counts it; undefined elsewhere. */
import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second. */
const ticksPerSecond = 100

function ticksOf(path: string): number {
  try {
    const text = readFileSync(path, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11]) + Number(fields[12])
  } catch {
    return 0
  }
}

/** Of a process and everything that it started. */
export function timeOfProcess(pid: number): number {
  return ownTree(pid).reduce((sum, own) => sum + ticksOf(`/proc/${own}/stat`), 0) / ticksPerSecond
}

/** Of single threads, which may be processes; each by its number. Those that have ended are left out. */
export function timesOfThreads(threads: readonly number[]): ReadonlyMap<number, number> {
  const times = new Map<number, number>()
  for (const thread of threads) {
    const ticks = ticksOf(`/proc/${processOf(thread)}/task/${thread}/stat`)
    if (ticks > 0) times.set(thread, ticks / ticksPerSecond)
  }
  return times
}

/** What threads have worked between two looks. */
export function timeBetween(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  let sum = 0
  for (const [thread, time] of after) sum += time - (before.get(thread) ?? 0)
  return sum
}

/** Resident memory of a process and everything that it started, in bytes. */
export function memoryOf(pid: number): number {
  let sum = 0
  for (const own of ownTree(pid)) {
    try {
      sum += Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${own}/status`, 'utf8'))?.[1] ?? 0) * 1024
    } catch {
      // It has ended meanwhile.
    }
  }
  return sum
}

function ownTree(pid: number): readonly number[] {
  const children: number[] = []
  try {
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const text = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      for (const child of text.split(' ')) if (child !== '') children.push(Number(child))
    }
  } catch {
    return [pid]
  }
  return [pid, ...children.flatMap(ownTree)]
}

function processOf(thread: number): number {
  try {
    return Number(/Tgid:\s+(\d+)/.exec(readFileSync(`/proc/${thread}/status`, 'utf8'))?.[1] ?? thread)
  } catch {
    return thread
  }
}
