/** Asks a server over a number of connections that are kept, each with one request at a time. */
import { connect, type Socket } from 'node:net'

/** A request, ready to be written to a socket. */
export interface LoadRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  /** Milliseconds that each request took. */
  readonly latencies: readonly number[]
}

/** Asks for this long, then waits until everything that was asked is answered. */
export async function load(
  port: number,
  connections: number,
  milliseconds: number,
  next: () => LoadRequest,
): Promise<LoadResult> {
  const clients = await Promise.all(Array.from({ length: connections }, () => LoadClient.open(port)))
  const latencies: number[] = []
  const start = performance.now()
  const end = start + milliseconds
  await Promise.all(
    clients.map(async (client) => {
      for (let sent = performance.now(); sent < end; sent = performance.now()) {
        await client.ask(next())
        latencies.push(performance.now() - sent)
      }
    }),
  )
  const seconds = (performance.now() - start) / 1000
  for (const client of clients) client.close()
  return { requests: latencies.length, seconds, latencies }
}

/** Reads only as much of an answer as tells where it ends. */
class LoadClient {
  readonly #socket: Socket
  #head = ''
  /** Bytes of the body still to come; -1 while the head is read, -2 where it ends with an empty chunk. */
  #left = -1
  #tail = ''
  #done: PromiseWithResolvers<void> | undefined

  static async open(port: number): Promise<LoadClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    return new LoadClient(socket)
  }

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('error', (error) => this.#done?.reject(error))
    socket.on('close', () => this.#done?.reject(new Error('The server closed the connection.')))
  }

  ask({ method, path, headers, body }: LoadRequest): Promise<void> {
    this.#done = Promise.withResolvers<void>()
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    this.#socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
    return this.#done.promise
  }

  close(): void {
    this.#done = undefined
    this.#socket.destroy()
  }

  #read(bytes: Buffer): void {
    if (this.#left === -1) {
      const before = this.#head.length
      this.#head += bytes.toString('latin1')
      const end = this.#head.indexOf('\r\n\r\n')
      if (end < 0) return
      if (!/^HTTP\/1\.1 200/.test(this.#head)) {
        this.#done?.reject(new Error(this.#head))
        return
      }
      const length = /\r\ncontent-length: *(\d+)/i.exec(this.#head.slice(0, end + 2))?.[1]
      this.#head = ''
      this.#left = length === undefined ? -2 : Number(length)
      this.#body(bytes.subarray(end + 4 - before))
    } else this.#body(bytes)
  }

  #body(bytes: Buffer): void {
    if (this.#left === -2) {
      this.#tail = (this.#tail + bytes.toString('latin1', Math.max(0, bytes.length - 7))).slice(-7)
      if (!this.#tail.endsWith('\r\n0\r\n\r\n')) return
      this.#tail = ''
    } else {
      this.#left -= bytes.length
      if (this.#left > 0) return
    }
    this.#left = -1
    this.#done?.resolve()
  }
}
