/** What the processes of the browser use, and who goes before them. */
import { readFile, writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'

/** Bytes that a process holds alone; 0 where the system does not tell, which Linux alone does. */
export async function memoryOf(process: number): Promise<number> {
  const status = await readFile(`/proc/${process}/status`, 'utf8').catch(() => '')
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}

/** Ends a process at once. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** As `nice` counts it: who draws a file can wait a little, who asks for a page cannot. */
const priority = 5

/**
 * Lets the rest of this program go before the thread that calls it and the processes that it starts from now on. On
 * Linux only: elsewhere a priority is that of the whole program.
 */
export function stepBackThread(): void {
  if (process.platform === 'linux') trySetPriority(0)
}

/** Lets this program go before the browser with that first process. */
export async function stepBackProcess(pid: number): Promise<void> {
  trySetPriority(pid)
  // Linux may share its time among sessions first, and only then look at the priorities in each: sched(7), autogroup.
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
