/** A backend for the bench, in its own process: small answers, 1 GB in both directions, and the logon of a gateway. */
import { createServer, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

const piece = Buffer.alloc(65_536, 'x')
const pieces = 2 ** 30 / piece.length
const small = JSON.stringify({ id: 'p1', name: 'uplink-1', portType: 'trunk', isActivated: true })
const expire = new Date(Date.now() + 86_400_000).toISOString()

const answers: Readonly<Record<string, string>> = {
  '/logon': JSON.stringify({ 'x-xaas-auth-token': 'ght_bench', expire, role: { name: 'bench' } }),
  '/whoami': JSON.stringify({ username: 'bench', account_expire: null, metadata: {} }),
}

const server = createServer(async (incoming, outgoing) => {
  const { method, url = '' } = incoming
  if (url === '/large' && method === 'GET') {
    Readable.from(gigabyte(), { objectMode: false }).pipe(outgoing)
    return
  }
  const text = url === '/large' ? String(await lengthOf(incoming)) : (answers[url] ?? small)
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
  outgoing.end(text)
})

function* gigabyte() {
  for (let count = 0; count < pieces; count += 1) yield piece
}

async function lengthOf(stream: IncomingMessage): Promise<number> {
  let length = 0
  for await (const part of stream) length += (part as Buffer).length
  return length
}

server.listen(Number(process.env.BENCH_PORT), '127.0.0.1')
