/** Servers that a gateway publishes in tests: one that tells what it was asked, and one that does as it is told. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net'
import { onTestFinished } from 'vitest'

/** What an upstream was asked. */
interface ReceivedRequest {
  readonly method: string
  readonly url: string
  /** Each line as it came. */
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

export interface RunningUpstream {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

export interface EchoServer extends RunningUpstream {
  readonly received: ReceivedRequest[]
}

/** Answers each request with what it received, as JSON. Ends with the test, unless the caller closes it. */
export function startEcho(closedBy: 'test' | 'caller' = 'test'): Promise<EchoServer> {
  const received: ReceivedRequest[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const heard = await receive(request)
    received.push(heard)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(heard))
  }
  // A request that breaks off was not received.
  return openHttp((request, response) => answer(request, response).catch(() => response.destroy())).then(
    (upstream) => {
      if (closedBy === 'test') onTestFinished(upstream.close)
      return { ...upstream, received }
    },
  )
}

/** A server of Node.js; 0 takes a free port. */
export async function startHttp(listener: RequestListener, port = 0): Promise<RunningUpstream> {
  const upstream = await openHttp(listener, port)
  onTestFinished(upstream.close)
  return upstream
}

function openHttp(listener: RequestListener, port = 0): Promise<RunningUpstream> {
  const server = createServer(listener)
  return listening(server, port, () => server.closeAllConnections())
}

/** Calls `talk` once the head of a request has come, with the head; whatever it writes goes out as it is. */
export async function startRaw(
  talk: (socket: Socket, head: string) => void,
): Promise<RunningUpstream & { readonly heads: string[] }> {
  const heads: string[] = []
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    let text = ''
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (piece) => {
      text += piece.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end === -1) return
      const head = text.slice(0, end)
      text = ''
      heads.push(head)
      talk(socket, head)
    })
  })
  const upstream = await listening(server, 0, () => {
    for (const socket of sockets) socket.destroy()
  })
  onTestFinished(upstream.close)
  return { ...upstream, heads }
}

/** A port that no one listens on. */
export async function closedPort(): Promise<number> {
  const { port, close } = await startHttp(() => {})
  await close()
  return port
}

async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  const { method = '', url = '', rawHeaders } = request
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  )
  const body = Buffer.concat(await request.toArray()).toString()
  return { method, url, headers, body }
}

async function listening(
  server: Server | TcpServer,
  wantedPort: number,
  dropConnections: () => void,
): Promise<RunningUpstream> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wantedPort, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= new Promise((resolve) => {
      server.close(() => resolve())
      dropConnections()
    })
    return closed
  }
  return { url: `http://127.0.0.1:${port}`, port, close }
}
