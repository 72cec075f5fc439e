/** Bodies, event streams and WebSockets through a published upstream API: as they come, and both ways. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request as sendRequest } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type PublishedUpstream, startPublisher } from '../support/published-upstream.ts'
import { rawRequest } from '../support/raw-request.ts'
import { closedPort, startEcho, startHttp, startRaw } from '../support/upstream-servers.ts'

const piece = randomBytes(1_000_000)
const pieces = (count: number) => Readable.from(Array.from({ length: count }, () => piece))
const digestOf = async (stream: AsyncIterable<Buffer>) => {
  const hash = createHash('sha256')
  let length = 0
  for await (const part of stream) {
    hash.update(part)
    length += part.length
  }
  return { length, digest: hash.digest('hex') }
}
const whole = await digestOf(pieces(20))

async function publish(target: string, route: object = {}): Promise<PublishedUpstream> {
  const publisher = await startPublisher()
  await publisher.publish('shop', { target, scope: 'public', ...route })
  return publisher
}

/** A promise and the way to keep it. */
function signal<Value = void>() {
  return Promise.withResolvers<Value>()
}

describe('20 MB arrive as they were sent', () => {
  test.each([
    ['with a length', { 'content-length': '20000000' }, '20000000', undefined],
    ['in chunks', {}, undefined, 'chunked'],
  ])('%s, both ways', async (_name, sentHeaders, length, coding) => {
    const seen = signal<object>()
    const upstream = await startHttp(async (request, response) => {
      const { 'content-length': length, 'transfer-encoding': coding } = request.headers
      seen.resolve({ ...(await digestOf(request)), framing: [length, coding] })
      response.writeHead(200, sentHeaders)
      pieces(20).pipe(response)
    })
    const { url } = await publish(upstream.url)
    const outgoing = sendRequest(`${url}/shop/x`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', ...sentHeaders },
    })
    const answered = once(outgoing, 'response')
    await pipeline(pieces(20), outgoing)
    const [answer] = (await answered) as [IncomingMessage]
    expect(await digestOf(answer)).toEqual(whole)
    expect(await seen.promise).toEqual({ ...whole, framing: [length, coding] })
    expect([answer.headers['content-length'], answer.headers['transfer-encoding']]).toEqual([length, coding])
  })

  test('a body larger than the gateway reads itself, of any type, is none of its business', async () => {
    const { url } = await publish((await startEcho()).url)
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=a', '']) {
      const response = await fetch(`${url}/shop/x`, {
        method: 'PUT',
        body: Buffer.alloc(1_500_000, '{'),
        headers: { ...(type === '' ? {} : { 'content-type': type }), 'content-encoding': 'gzip' },
      })
      const { body } = (await response.json()) as { body: string }
      expect([response.status, body.length]).toEqual([200, 1_500_000])
    }
  })
})

describe('L8 no one is sent faster than they read', () => {
  test('a client that does not read makes the upstream wait', async () => {
    let sent = 0
    const upstream = await startHttp(async (_request, response) => {
      for (let count = 0; count < 200 && !response.destroyed; count += 1) {
        if (!response.write(piece)) await once(response, 'drain').catch(() => {})
        sent += piece.length
      }
      response.end()
    })
    const { url } = await publish(upstream.url)
    const client = connect(Number(new URL(url).port), '127.0.0.1')
    onTestFinished(() => void client.destroy())
    client.pause()
    client.write('GET /shop/x HTTP/1.1\r\nHost: a\r\n\r\n')
    await stopsAt(() => sent)
    expect(sent).toBeLessThan(40_000_000)
  })

  test('an upstream that does not read makes the client wait', async () => {
    const upstream = await startRaw((socket) => socket.pause())
    const { url } = await publish(upstream.url)
    let sent = 0
    const client = connect(Number(new URL(url).port), '127.0.0.1')
    onTestFinished(() => void client.destroy())
    client.on('error', () => {})
    client.write('POST /shop/x HTTP/1.1\r\nHost: a\r\nContent-Length: 200000000\r\n\r\n')
    const send = () => {
      while (sent < 200_000_000) {
        sent += piece.length
        if (!client.write(piece)) break
      }
    }
    client.on('drain', send)
    send()
    await stopsAt(() => sent)
    expect(sent).toBeLessThan(40_000_000)
    await upstream.close()
  })

  /** Done when a number that is more than nothing has stayed the same for a while. */
  async function stopsAt(read: () => number): Promise<void> {
    let last = -1
    while (last <= 0 || read() !== last) {
      last = read()
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
  }
})

describe('L8 who goes away ends the other side', () => {
  test('a client that leaves before the answer', async () => {
    const [asked, ended] = [signal(), signal()]
    const upstream = await startHttp((request) => {
      asked.resolve()
      request.once('close', () => ended.resolve())
    })
    const { url } = await publish(upstream.url)
    const leaving = new AbortController()
    const answer = fetch(`${url}/shop/x`, { signal: leaving.signal })
    await asked.promise
    leaving.abort()
    await expect(answer).rejects.toThrow()
    await ended.promise
  })

  test('a client that leaves amid the answer', async () => {
    const ended = signal()
    const upstream = await startHttp((_request, response) => {
      response.write('hello')
      response.once('close', () => ended.resolve())
    })
    const { url } = await publish(upstream.url)
    const leaving = new AbortController()
    const { body } = await fetch(`${url}/shop/x`, { signal: leaving.signal })
    await body?.getReader().read()
    leaving.abort()
    await ended.promise
  })

  test('a client that leaves amid its request', async () => {
    const [asked, ended] = [signal(), signal<boolean>()]
    const upstream = await startHttp((request) => {
      asked.resolve()
      request.on('error', () => {})
      request.once('close', () => ended.resolve(request.complete))
      request.resume()
    })
    const { url } = await publish(upstream.url)
    const client = connect(Number(new URL(url).port), '127.0.0.1')
    client.write('POST /shop/x HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhello')
    await asked.promise
    client.destroy()
    expect(await ended.promise).toBe(false)
  })

  test('an upstream that answers before it has read all, while the client sends on', async () => {
    const upstream = await startRaw((socket) => {
      socket.write('HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig')
    })
    const { url } = await publish(upstream.url)
    const client = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
    let text = ''
    client.on('data', (part) => {
      text += part.toString('latin1')
    })
    client.write('POST /shop/x HTTP/1.1\r\nHost: a\r\nContent-Length: 20000000\r\n\r\n')
    await pipeline(pieces(20), client, { end: false })
    await expect.poll(() => text).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\n\r\nbig$/)
    client.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await once(client, 'end')
    expect(text).toMatch(/big\w*HTTP\/1\.1 200 /)
    client.destroy()
  })

  test('a client that stops sending is told so', async () => {
    const { url } = await publish((await startEcho()).url, { timeout: { idle: 0.2, response: 0.05 } })
    const { status, text } = await rawRequest(
      url,
      'POST /shop/x HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhello',
    )
    expect(status).toBe(408)
    expect(text).toContain('"code":"REQUEST_TIMEOUT"')
  })
})

describe('a client that asks whether to send its body', () => {
  const head = 'POST /shop/x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n'

  /** Sends the head, the body once it is asked for, and gives everything that came until the end. */
  function ask(url: string, lines = ''): Promise<string> {
    const { promise, resolve } = signal<string>()
    const client = connect(Number(new URL(url).port), '127.0.0.1')
    let text = ''
    client.write(`${head}${lines}\r\n`)
    client.on('data', (part) => {
      if (text === '' && part.toString().startsWith('HTTP/1.1 100')) client.write('hello')
      text += part.toString('latin1')
      if (/\r\n\r\n[\s\S]*(hello|later|no)/.test(text)) client.end()
    })
    client.on('close', () => resolve(text))
    return promise
  }
  const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)

  test('is told to by the upstream', async () => {
    const echo = await startEcho()
    const { url } = await publish(echo.url)
    expect(statusesIn(await ask(url))).toEqual(['100', '200'])
    expect(echo.received).toMatchObject([{ body: 'hello' }])
  })

  test('is told not to by the upstream', async () => {
    const upstream = await startRaw((socket) =>
      socket.write('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno'),
    )
    const { url } = await publish(upstream.url)
    const text = await ask(url)
    expect(statusesIn(text)).toEqual(['417'])
    expect(text).toMatch(/^connection: close\r$/im)
    expect(upstream.heads.join()).toMatch(/^expect: 100-continue\r$/im)
  })

  test('is told to after a while when the upstream does not know how to', async () => {
    const upstream = await startRaw((socket) => {
      socket.removeAllListeners('data')
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nlater'))
    })
    const { url } = await publish(upstream.url)
    expect(statusesIn(await ask(url))).toEqual(['100', '200'])
  })

  test('is refused before it sends anything when it may not call', async () => {
    const { url } = await publish((await startEcho()).url, { scope: 'protected' })
    const text = await ask(url)
    expect(statusesIn(text)).toEqual(['401'])
    expect(text).toMatch(/^connection: close\r$/im)
  })

  test('sends it to an API of our own, too', async () => {
    const { url } = await publish((await startEcho()).url)
    const text = await new Promise<string>((resolve) => {
      const client = connect(Number(new URL(url).port), '127.0.0.1')
      let heard = ''
      client.write(head.replace('/shop/x', '/logon').replace('Content-Length: 5', 'Content-Length: 2'))
      client.write('Content-Type: application/json\r\nConnection: close\r\n\r\n')
      client.on('data', (part) => {
        if (heard === '') client.write('{}')
        heard += part.toString()
      })
      client.on('close', () => resolve(heard))
    })
    expect(statusesIn(text)).toEqual(['100', '422'])
  })
})

describe('server-sent events', () => {
  test('arrive one by one, while the stream goes on', async () => {
    const send = signal<(text: string) => void>()
    const upstream = await startHttp((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      send.resolve((text) => response.write(`data: ${text}\n\n`))
    })
    const { url } = await publish(upstream.url)
    const { headers, body } = await fetch(`${url}/shop/events`)
    expect(headers.get('content-type')).toBe('text/event-stream')
    const reader = body?.getReader()
    const write = await send.promise
    for (const text of ['one', 'two', 'three']) {
      write(text)
      const { value } = (await reader?.read()) ?? {}
      expect(new TextDecoder().decode(value)).toBe(`data: ${text}\n\n`)
    }
    await reader?.cancel()
  })
})

describe('WebSocket', () => {
  /** An upstream that chooses the last sub-protocol, sends back what it gets, and tells how it was closed. */
  async function startSocketServer() {
    const port = await closedPort()
    const server = new WebSocketServer({
      port,
      host: '127.0.0.1',
      handleProtocols: (protocols) => [...protocols].at(-1) ?? false,
    })
    await once(server, 'listening')
    onTestFinished(() => {
      for (const client of server.clients) client.terminate()
      server.close()
    })
    const closed = signal<[number, string]>()
    const headers = signal<IncomingMessage['headers']>()
    server.on('connection', (socket, request) => {
      headers.resolve(request.headers)
      socket.on('message', (message, isBinary) => {
        if (String(message) === 'close') socket.close(4002, 'from upstream')
        else if (String(message) === 'drop') socket.terminate()
        else socket.send(message, { binary: isBinary })
      })
      socket.on('close', (code, reason) => closed.resolve([code, String(reason)]))
    })
    return { target: `http://127.0.0.1:${port}`, closed: closed.promise, headers: headers.promise, server }
  }

  const open = (url: string, headers: Record<string, string> = {}, protocols = ['a', 'b']) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/shop/socket?x=1`, protocols, { headers })
    onTestFinished(() => socket.terminate())
    return socket
  }
  const closing = (socket: WebSocket) =>
    once(socket, 'close').then(([code, reason]) => [code, String(reason)] as const)

  test('carries texts and bytes both ways, with the sub-protocol that the upstream chose', async () => {
    const upstream = await startSocketServer()
    const { url, events } = await publish(upstream.target)
    const socket = open(url)
    await once(socket, 'open')
    expect(socket.protocol).toBe('b')
    for (const sent of ['hello', piece]) {
      socket.send(sent)
      const [received, isBinary] = (await once(socket, 'message')) as [Buffer, boolean]
      expect(isBinary).toBe(typeof sent !== 'string')
      expect(received.equals(Buffer.from(sent))).toBe(true)
    }
    expect(await upstream.headers).toMatchObject({
      host: upstream.target.slice('http://'.length),
      'x-forwarded-for': '127.0.0.1',
      connection: 'Upgrade',
      upgrade: 'websocket',
    })
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'RequestHandled', path: '/shop/socket', status: 101 }),
    )
  })

  test('passes the client’s close on', async () => {
    const upstream = await startSocketServer()
    const { url } = await publish(upstream.target)
    const socket = open(url)
    await once(socket, 'open')
    socket.close(4001, 'from client')
    expect(await closing(socket)).toEqual([4001, 'from client'])
    expect(await upstream.closed).toEqual([4001, 'from client'])
  })

  test('passes the upstream’s close on', async () => {
    const upstream = await startSocketServer()
    const { url } = await publish(upstream.target)
    const socket = open(url)
    await once(socket, 'open')
    socket.send('close')
    expect(await closing(socket)).toEqual([4002, 'from upstream'])
    expect(await upstream.closed).toEqual([4002, 'from upstream'])
  })

  test('a connection that breaks on one side breaks on the other', async () => {
    for (const who of ['upstream', 'client']) {
      const upstream = await startSocketServer()
      const { url } = await publish(upstream.target)
      const socket = open(url)
      await once(socket, 'open')
      if (who === 'upstream') socket.send('drop')
      else socket.terminate()
      expect((await closing(socket))[0]).toBe(1006)
      expect((await upstream.closed)[0]).toBe(1006)
    }
  })

  test('needs a token like every request, and tells the upstream who it is', async () => {
    const upstream = await startSocketServer()
    const { url, token } = await publish(upstream.target, { scope: 'protected', methods: ['GET'] })
    const refused = open(url)
    const [, answer] = (await once(refused, 'unexpected-response')) as [unknown, IncomingMessage]
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([401, 'application/problem+json'])
    refused.on('error', () => {})
    const socket = open(url, { 'x-xaas-auth-token': token, 'x-gatehouse-account': 'evil' })
    await once(socket, 'open')
    const headers = await upstream.headers
    expect([headers['x-gatehouse-account'], headers['x-xaas-auth-token']]).toEqual(['admin', undefined])
  })

  test('an upstream that does not want to is heard', async () => {
    const { url } = await publish((await startEcho()).url)
    const socket = open(url)
    socket.on('error', () => {})
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
    expect(answer.statusCode).toBe(200)
  })

  test('an upstream that is not there is 502', async () => {
    const { url } = await publish(`http://127.0.0.1:${await closedPort()}`)
    const socket = open(url)
    socket.on('error', () => {})
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
    expect(answer.statusCode).toBe(502)
  })

  test.each([
    [
      'another protocol',
      'GET /shop/x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
      200,
    ],
    [
      'another method',
      'POST /shop/x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 2\r\n\r\nhi',
      200,
    ],
    [
      'an API of our own',
      'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      200,
    ],
    [
      'a path that is refused',
      'GET /shop/../x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      400,
    ],
    [
      'a path where there is nothing',
      'GET /none HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      401,
    ],
  ])('%s is not switched', async (_name, bytes, status) => {
    const echo = await startEcho()
    const { url } = await publish(echo.url)
    const answer = await rawRequest(url, bytes)
    expect(answer.status).toBe(status)
    for (const { headers } of echo.received) {
      expect(headers.filter(([name]) => /^upgrade$/i.test(name))).toEqual([])
    }
  })
})

describe('L9 B16 a stream does not outlive the right to it', () => {
  const changes: readonly (readonly [string, (publisher: PublishedUpstream) => Promise<unknown>])[] = [
    ['the token ends', ({ request }) => request('POST', '/logoff')],
    ['the route is deleted', ({ request }) => request('DELETE', '/manage/routes/shop')],
    [
      'the route takes other methods',
      ({ publish }) => publish('shop', { target: 'http://127.0.0.1:1', methods: ['PUT'] }),
    ],
  ]
  test.each(changes)('when %s', async (_name, change) => {
    const upstream = await startHttp((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    })
    const publisher = await publish(upstream.url, { scope: 'protected' })
    const { body } = await fetch(`${publisher.url}/shop/events`, {
      headers: { 'x-xaas-auth-token': publisher.token },
    })
    const reader = body?.getReader()
    await reader?.read()
    await change(publisher)
    await expect(reader?.read()).rejects.toThrow()
  })
})

test('when the gateway ends, streams without an end are ended, and other answers are finished', async () => {
  const slow = signal<() => void>()
  const upstream = await startHttp((request, response) => {
    if (request.url === '/shop/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    } else slow.resolve(() => response.end('finished'))
  })
  const sockets = new WebSocketServer({ port: await closedPort(), host: '127.0.0.1' })
  onTestFinished(() => void sockets.close())
  const { url, gateway, publish: publishMore } = await publish(upstream.url)
  const { port } = sockets.address() as { port: number }
  await publishMore('sockets', { path: '/sockets', scope: 'public', target: `http://127.0.0.1:${port}` })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/sockets`)
  await once(socket, 'open')
  const socketClosed = once(socket, 'close')
  const events = await fetch(`${url}/shop/events`)
  const reader = events.body?.getReader()
  await reader?.read()
  const answer = fetch(`${url}/shop/slow`)
  const finish = await slow.promise
  const closed = gateway.close()
  await socketClosed
  await expect(reader?.read()).rejects.toThrow()
  finish()
  expect(await (await answer).text()).toBe('finished')
  await closed
})
