/** What the processes of the browser use. Linux alone tells; elsewhere nothing is known. */
import { readdir, readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'

/** A process and all that come from it; empty where the system does not tell. */
export async function processTreeOf(root: number): Promise<readonly number[]> {
  const parents = new Map<number, number>()
  try {
    const names = await readdir('/proc')
    await Promise.all(
      names
        .filter((name) => /^\d+$/.test(name))
        .map(async (name) => {
          const status = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
          // The name of a process stands in brackets and may hold any character.
          const parent = /^\d+ \(.*\) \S (\d+)/s.exec(status)?.[1]
          if (parent !== undefined) parents.set(Number(name), Number(parent))
        }),
    )
  } catch {
    return []
  }
  if (!parents.has(root)) return []
  const tree = [root]
  for (const process of tree) {
    for (const [child, parent] of parents) if (parent === process && !tree.includes(child)) tree.push(child)
  }
  return tree
}

/** Bytes that a process holds alone; 0 where the system does not tell. */
export async function memoryOf(process: number): Promise<number> {
  const status = await readFile(`/proc/${process}/status`, 'utf8').catch(() => '')
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}

/** Lets other processes go before these: who draws a file can wait a little, who asks for a page cannot. */
export function stepBack(processes: readonly number[]): void {
  for (const process of processes) {
    try {
      setPriority(process, 5)
    } catch {
      // It has ended, or is not ours.
    }
  }
}
