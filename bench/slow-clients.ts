/**
 * What clients that take their time, and connections that say nothing, do to others:
 * `npm run bench slow-clients`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchAdministrator, logOn } from './logon.ts'
import { startProgram } from './program.ts'
import { percentile } from './statistics.ts'

const clients = 500
const idleConnections = 5000

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
const { url, stop } = await startProgram(folder, { ...benchAdministrator, GATEHOUSE_LOG_LEVEL: 'error' })
const { hostname, port } = new URL(url)
const headers = await logOn(url)
const token = headers['x-xaas-auth-token'] ?? ''

/** 50 requests a second for some seconds: their milliseconds. */
async function normalTraffic(seconds: number): Promise<readonly number[]> {
  const times: Promise<number>[] = []
  for (let number = 0; number < 50 * seconds; number += 1) {
    const asked = performance.now()
    times.push(
      fetch(`${url}/graphql`, { headers })
        .then((response) => response.arrayBuffer())
        .then(() => performance.now() - asked),
    )
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return Promise.all(times)
}

interface SlowClient {
  readonly socket: Socket
  /** Milliseconds until the server closed; undefined while it has not. */
  closedAfter: number | undefined
}

/** Opens connections that send this and then one byte a second. */
function openSlowly(count: number, start: string, drip: string): readonly SlowClient[] {
  return Array.from({ length: count }, () => {
    const begun = performance.now()
    const socket = connect(Number(port), hostname, () => socket.write(start))
    const client: SlowClient = { socket, closedAfter: undefined }
    const timer = setInterval(() => drip !== '' && socket.writable && socket.write(drip), 1000)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(timer)
      client.closedAfter = performance.now() - begun
    })
    socket.resume()
    return client
  })
}

const shown = (times: readonly number[]) =>
  `median ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`

try {
  await normalTraffic(2)
  console.log(`50 requests a second alone: ${shown(await normalTraffic(5))}`)
  const common = `Host: localhost\r\nX-Xaas-Auth-Token: ${token}\r\n`
  const modes = [
    { name: 'slow heads', start: `GET /graphql HTTP/1.1\r\n${common}`, drip: 'X-A: b\r\n', limit: 14 },
    {
      name: 'slow bodies',
      start: `POST /graphql HTTP/1.1\r\n${common}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      drip: ' ',
      limit: 34,
    },
  ]
  for (const { name, start, drip, limit } of modes) {
    const slow = openSlowly(clients, start, drip)
    const times = await normalTraffic(limit)
    const closed = slow.flatMap(({ closedAfter }) => closedAfter ?? [])
    for (const { socket } of slow) socket.destroy()
    console.log(
      `beside ${clients} ${name}: ${shown(times)}; ${closed.length} were closed, after at most ${(Math.max(...closed) / 1000).toFixed(1)} s`,
    )
  }
  const idle = openSlowly(idleConnections, '', '')
  await new Promise((resolve) => setTimeout(resolve, 2000))
  const open = idle.filter(
    ({ socket, closedAfter }) => closedAfter === undefined && !socket.connecting,
  ).length
  console.log(`beside ${open} connections that say nothing: ${shown(await normalTraffic(5))}`)
  for (const { socket } of idle) socket.destroy()
} finally {
  await stop()
  await rm(folder, { recursive: true })
}
