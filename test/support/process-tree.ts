import { readdir, readFile } from 'node:fs/promises'

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
