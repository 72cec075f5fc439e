/** Memory and priority of the browser's processes. */
import { readFile, writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'

/** Private memory of a process in bytes; 0 on systems other than Linux, which do not report it. */
export async function memoryOf(process: number): Promise<number> {
  const status = await readFile(`/proc/${process}/status`, 'utf8').catch(() => '')
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}

/** Kills a process. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** A `nice` value: rendering can wait a little, requests for pages cannot. */
const priority = 5

/**
 * Lowers the priority of the calling thread and of the processes that it starts from now on. On Linux only: elsewhere
 * a priority applies to the whole program.
 */
export function stepBackThread(): void {
  if (process.platform === 'linux') trySetPriority(0)
}

/** Gives this program priority over the browser with that main process. */
export async function stepBackProcess(pid: number): Promise<void> {
  trySetPriority(pid)
  // Linux may divide CPU time among sessions first, and apply priorities only within each: sched(7), autogroup.
  const [own, group] = await Promise.all([sessionGroupOf('self'), sessionGroupOf(pid)])
  if (own === group) return
  await writeFile(`/proc/${pid}/autogroup`, String(priority)).catch(() => {})
}

async function sessionGroupOf(process: number | 'self'): Promise<string> {
  const text = await readFile(`/proc/${process}/autogroup`, 'utf8').catch(() => '')
  return text.split(' ')[0] ?? ''
}

function trySetPriority(pid: number): void {
  try {
    setPriority(pid, priority)
  } catch {
    // It has ended, or the system does not allow it.
  }
}
