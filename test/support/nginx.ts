/** nginx in front of servers, as people run several of them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { has } from './machine.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Whether this machine has nginx. */
export const hasNginx = has('nginx')

export interface RunningNginx {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Starts nginx, on a free port unless one is given. Requests go to the servers in turn; every answer says in `X-Answered-By` which of them
 * gave it. The servers hear of the client in `X-Forwarded-For`.
 */
export async function startNginx(servers: readonly string[], givenPort?: number): Promise<RunningNginx> {
  const port = givenPort ?? (await freePort())
  return startNginxWith(inFrontOf(port, servers), `http://127.0.0.1:${port}`)
}

/** Starts nginx with a configuration of its own, the part inside `http`, and waits until it answers at `url`. */
export async function startNginxWith(configuration: string, url: string): Promise<RunningNginx> {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'nginx.conf')
  await writeFile(file, whole(folder.path, configuration))
  const child = spawn('nginx', ['-c', file, '-p', folder.path, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
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

function whole(folder: string, configuration: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 512; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
${configuration}
}
`
}

function inFrontOf(port: number, servers: readonly string[]): string {
  return `
  upstream servers {
    ${servers.map((server) => `server ${new URL(server).host} max_fails=1 fail_timeout=2s;`).join('\n    ')}
    keepalive 16;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://servers;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      add_header X-Answered-By $upstream_addr always;
    }
  }`
}

async function answers(child: ChildProcess, url: string): Promise<void> {
  let complaints = ''
  child.stderr?.on('data', (piece: Buffer) => {
    complaints += piece.toString()
  })
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nginx did not start:\n${complaints}`)
    try {
      await fetch(url)
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
