import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { closedPort } from './upstream-servers.ts'

const jsonServer = createRequire(import.meta.url).resolve('json-server/lib/cli/bin.js')

/** Serves records as a small REST API that others wrote, in its own process; gives its address. */
export async function startJsonServer(records: object): Promise<string> {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'db.json')
  await writeFile(file, JSON.stringify(records))
  const port = await closedPort()
  const child = spawn(process.execPath, [jsonServer, '--host', '127.0.0.1', '--port', String(port), file], {
    cwd: folder.path,
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    await stop(child)
    await folder.remove()
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(url))) await new Promise((resolve) => setTimeout(resolve, 50))
  return url
}

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )

function stop(child: ChildProcess): Promise<unknown> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill()
  return ended
}
