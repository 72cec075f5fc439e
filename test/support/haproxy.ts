/** HAProxy in front of servers, as people run several of them: it asks each whether it is ready. */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { has } from './machine.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Whether this machine has HAProxy. */
export const hasHaproxy = has('HAProxy')

export interface RunningHaproxy {
  readonly url: string
  stop(): Promise<void>
}

/** Starts HAProxy on a free port, with the settings of the documentation. */
export async function startHaproxy(servers: readonly string[]): Promise<RunningHaproxy> {
  const folder = await temporaryFolder()
  const port = await freePort()
  const file = join(folder.path, 'haproxy.cfg')
  await writeFile(file, configuration(port, servers))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const url = `http://127.0.0.1:${port}`
  await answers(child, url)
  return {
    url,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      await folder.remove()
    },
  }
}

function configuration(port: number, servers: readonly string[]): string {
  return `
global
  maxconn 1000
defaults
  mode http
  timeout connect 5s
  timeout client 65s
  timeout server 65s
  timeout http-keep-alive 60s
  option redispatch
  retries 3
  retry-on conn-failure empty-response
frontend clients
  bind 127.0.0.1:${port}
  default_backend gatehouse
backend gatehouse
  option httpchk GET /readyz
  http-check expect status 200
  default-server check inter 500ms fall 2 rise 1
  ${servers.map((server, index) => `server node${index} ${new URL(server).host}`).join('\n  ')}
`
}

async function answers(child: ChildProcess, url: string): Promise<void> {
  let complaints = ''
  child.stderr?.on('data', (piece: Buffer) => {
    complaints += piece.toString()
  })
  for (;;) {
    if (child.exitCode !== null) throw new Error(`HAProxy did not start:\n${complaints}`)
    const answer = await fetch(`${url}/healthz`).catch(() => undefined)
    if (answer?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
