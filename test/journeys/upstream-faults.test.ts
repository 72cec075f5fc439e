/** What a client sees of a published upstream API that is slow, away, or answers what is no answer. */
import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { startPublisher } from '../support/published-upstream.ts'
import { startEcho, startHttp, startRaw } from '../support/upstream-servers.ts'

const ok = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`

/** A public route to a server that talks as it likes. */
async function startShop(talk: (socket: Socket, head: string) => void, route: object = {}) {
  const upstream = await startRaw(talk)
  const publisher = await startPublisher()
  await publisher.publish('shop', { target: upstream.url, scope: 'public', ...route })
  const call = async (method = 'GET', options: { body?: unknown } = {}) => {
    const { status, headers, body } = await publisher.request(method, '/shop/x', { token: null, ...options })
    return { status, type: headers.get('content-type'), body }
  }
  return { ...publisher, upstream, call }
}

const problem = (status: number, code: string) => ({
  status,
  type: 'application/problem+json',
  body: expect.objectContaining({ status, code }),
})
const broken = problem(502, 'UPSTREAM_BROKEN')
const timeout = problem(504, 'UPSTREAM_TIMEOUT')

/** Sends bytes and collects what comes until the connection ends, and how it ends. `heard` is told each time what came so far. */
function converse(
  url: string,
  bytes: string,
  heard: (text: string) => void = () => {},
): Promise<{ readonly text: string; readonly end: string }> {
  const { port, hostname } = new URL(url)
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    onTestFinished(() => void socket.destroy())
    socket.on('data', (piece) => {
      text += piece.toString('latin1')
      heard(text)
    })
    socket.on('end', () => resolve({ text, end: 'closed' }))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve({ text, end: error.code ?? '' }))
  })
}

describe('L6 no answer at all', () => {
  const ways: readonly (readonly [string, (socket: Socket) => void])[] = [
    ['closes the connection', (socket) => socket.end()],
    ['resets the connection', (socket) => socket.resetAndDestroy()],
    ['breaks off in the head', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-')],
    ['speaks another protocol', (socket) => socket.end('220 mail.example ESMTP\r\n')],
    [
      'says two lengths',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
    ],
    [
      'says a length and chunks',
      (socket) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
    ],
    [
      'says a coding that no one knows',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'),
    ],
    [
      'has a head without an end',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}\r\n`),
    ],
    [
      'switches protocols though no one asked',
      (socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
  ]
  test.each(ways)('an upstream that %s is 502', async (_name, talk) => {
    const { call } = await startShop(talk)
    expect(await call()).toEqual(broken)
    expect(await call('POST', { body: {} })).toEqual(broken)
  })

  test('an upstream that is silent is 504', async () => {
    const { call } = await startShop(() => {}, { timeout: { response: 0.2 } })
    expect(await call()).toEqual(timeout)
    expect(await call('POST', { body: {} })).toEqual(timeout)
  })

  test('R18: one that accepts connections and then falls silent is 504, and found again', async () => {
    const echo = await startEcho()
    const proxy = await startFaultProxy('127.0.0.1', Number(new URL(echo.url).port))
    onTestFinished(() => proxy.close())
    const target = `http://127.0.0.1:${proxy.port}`
    const route = { scope: 'public', timeout: { connect: 0.5, response: 0.5 } }
    const { call, publish } = await startShop(() => {}, { ...route, target })
    expect((await call()).status).toBe(200)
    for (const mode of ['blackhole', { muteAfter: 20 }] as const) {
      // No connection is kept that still works.
      proxy.setMode('refuse')
      proxy.setMode(mode)
      expect(await call()).toEqual(timeout)
      expect(await call('POST', { body: {} })).toEqual(timeout)
      proxy.setMode('pass')
      expect((await call()).status).toBe(200)
    }
    // In the handshake of TLS.
    proxy.setMode('blackhole')
    await publish('shop', { ...route, target: target.replace('http:', 'https:') })
    expect(await call()).toEqual(timeout)
    expect(await call('POST', { body: {} })).toEqual(timeout)
  })

  test('one that cannot be connected to in time is 504', async () => {
    // Addresses for documentation: packets to them are lost. https://www.rfc-editor.org/rfc/rfc5737
    const { call } = await startShop(() => {}, { target: 'http://192.0.2.1:81', timeout: { connect: 0.2 } })
    const { status, body } = await call()
    // Where the network says at once that there is no way, it is not even a matter of time.
    expect([502, 504]).toContain(status)
    expect(['UPSTREAM_UNREACHABLE', 'UPSTREAM_TIMEOUT']).toContain((body as { code: string }).code)
  })

  test('a name that is not one is 502', async () => {
    const { call } = await startShop(() => {}, { target: 'http://nobody.invalid' })
    expect(await call()).toEqual(problem(502, 'UPSTREAM_UNREACHABLE'))
  })

  test('a server without TLS behind https is 502', async () => {
    const echo = await startEcho()
    const { call } = await startShop(() => {}, { target: echo.url.replace('http:', 'https:') })
    expect(await call()).toEqual(problem(502, 'UPSTREAM_UNREACHABLE'))
  })

  test('the log says what the client is not told', async () => {
    const { call, events, upstream } = await startShop((socket) => socket.resetAndDestroy())
    const { body } = await call()
    const failures = events.filter((event) => event.kind === 'RequestFailed')
    expect(failures).toEqual([
      {
        kind: 'RequestFailed',
        requestId: (body as { requestId: string }).requestId,
        error: expect.any(Error),
      },
    ])
    expect(String(failures.map(({ error }) => (error as Error).cause))).toContain(upstream.url)
    expect(JSON.stringify(body)).not.toContain(String(upstream.port))
  })
})

describe('L6 an answer that breaks off is never taken for a whole one', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n'
  const breakOff = (socket: Socket) => socket.destroy()
  const ways: readonly (readonly [string, string, (socket: Socket) => void])[] = [
    ['of a length', `${head}Content-Length: 100\r\n\r\nhello`, breakOff],
    ['in chunks', `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`, breakOff],
    ['inside of a chunk', `${head}Transfer-Encoding: chunked\r\n\r\n50\r\nhello`, breakOff],
    [
      'with a chunk that is not one',
      `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`,
      (socket) => socket.write('zz\r\n'),
    ],
  ]
  for (const version of ['1.1', '1.0']) {
    test.each(ways)(`%s, to a client of HTTP/${version}`, async (_name, bytes, goOn) => {
      const talking: Socket[] = []
      const { url, events } = await startShop((socket) => {
        socket.write(bytes)
        talking.push(socket)
      })
      // Only then: a reset together with data may look like an end to a client.
      const heard = (text: string) => text.includes('hello') && talking.splice(0).forEach(goOn)
      const { text, end } = await converse(url, `GET /shop/x HTTP/${version}\r\nHost: a\r\n\r\n`, heard)
      expect({ end, isEnded: text.includes('0\r\n\r\n'), isShown: text.includes('hello') }).toEqual({
        end: 'ECONNRESET',
        isEnded: false,
        isShown: true,
      })
      await expect.poll(() => events.map(({ kind }) => kind)).toContain('RequestFailed')
    })
  }

  test('one that stops coming is cut after the idle time', async () => {
    const { url } = await startShop(
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello'),
      {
        timeout: { idle: 0.3, response: 0.05 },
      },
    )
    const { end, text } = await converse(url, 'GET /shop/x HTTP/1.1\r\nHost: a\r\n\r\n')
    expect({ end, body: text.split('\r\n\r\n')[1] }).toEqual({ end: 'ECONNRESET', body: 'hello' })
  })

  test('one that ends with its connection is whole', async () => {
    const { call } = await startShop((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nhello'))
    expect(await call()).toEqual({ status: 200, type: null, body: 'hello' })
  })
})

describe('L6 what an upstream sends too much is no one’s answer', () => {
  const evil = ok('evil')
  const ways: readonly (readonly [string, (socket: Socket) => void])[] = [
    ['bytes after the length', (socket) => socket.write(`${ok('ok')}more`)],
    ['a second answer at once', (socket) => socket.write(ok('ok') + evil)],
  ]
  test.each(ways)('%s', async (_name, talk) => {
    const { call } = await startShop((socket, head) =>
      head.startsWith('GET') ? talk(socket) : socket.write(ok('own')),
    )
    for (const round of [1, 2, 3]) {
      expect([round, (await call()).body]).toEqual([round, 'ok'])
      expect([round, (await call('POST', { body: {} })).body]).toEqual([round, 'own'])
    }
  })

  test('a second answer later', async () => {
    let last: Socket | undefined
    const { call } = await startShop((socket, head) => {
      last = socket
      socket.write(ok(head.startsWith('GET') ? 'ok' : 'own'))
    })
    for (const round of [1, 2, 3]) {
      expect([round, (await call()).body]).toEqual([round, 'ok'])
      // While no one waits for an answer on the connection: anyone who does could not tell it from its own.
      const gone = new Promise((resolve) => last?.once('close', resolve))
      last?.write(evil)
      await gone
      expect([round, (await call('POST', { body: {} })).body]).toEqual([round, 'own'])
    }
  })
})

describe('connections that are kept open', () => {
  test('are used again', async () => {
    const ports = new Set<number | undefined>()
    const upstream = await startHttp((request, response) => {
      ports.add(request.socket.remotePort)
      response.end()
    })
    const { request, publish } = await startPublisher()
    await publish('shop', { target: upstream.url })
    for (const _ of [1, 2, 3, 4]) await request('GET', '/shop/x')
    expect(ports.size).toBe(1)
  })

  test('and were closed meanwhile cost no request that changes nothing', async () => {
    const used = new Set<Socket>()
    let count = 0
    const { call } = await startShop((socket) => {
      count += 1
      if (used.has(socket)) socket.resetAndDestroy()
      else socket.write(ok('ok'))
      used.add(socket)
    })
    for (const _ of [1, 2, 3]) expect((await call()).body).toBe('ok')
    expect(count).toBe(4)
  })

  test('a request that changes something is sent once', async () => {
    let count = 0
    const { call } = await startShop((socket) => {
      count += 1
      if (count === 2) socket.resetAndDestroy()
      else socket.write(ok('ok'))
    })
    expect((await call('POST', { body: {} })).status).toBe(200)
    expect(await call('POST', { body: {} })).toEqual(broken)
    expect(count).toBe(2)
  })
})

describe('answers without a body', () => {
  test.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n', 200, '1000'],
    ['HEAD', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', 200, null],
    ['GET', 'HTTP/1.1 204 No Content\r\n\r\n', 204, null],
    ['GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\nETag: "a"\r\n\r\n', 304, '1000'],
    ['DELETE', 'HTTP/1.1 204 No Content\r\n\r\n', 204, null],
  ])('%s: %j', async (method, answer, status, length) => {
    const { request } = await startShop((socket) => socket.write(answer))
    for (const _ of [1, 2]) {
      const given = await request(method, '/shop/x', { token: null })
      expect([given.status, given.headers.get('content-length'), given.body]).toEqual([status, length, ''])
    }
  })
})

test('a “100 Continue” that no one asked for is passed over', async () => {
  const { call } = await startShop((socket) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${ok('ok')}`))
  const answers = [await call(), await call('POST', { body: {} }), await call()]
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [200, 'ok'],
    [200, 'ok'],
    [200, 'ok'],
  ])
})

test('what comes before an answer is passed on where it has a meaning', async () => {
  const { url } = await startShop((socket) =>
    socket.end(
      `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n${ok('ok')}`,
    ),
  )
  const { text } = await converse(url, 'GET /shop/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  expect(text.match(/^HTTP\/1\.1 \d+|^Link.*$|^ok$/gm)).toEqual([
    'HTTP/1.1 102',
    'HTTP/1.1 103',
    'Link: </a.css>; rel=preload',
    'HTTP/1.1 200',
    'ok',
  ])
  const old = await converse(url, 'GET /shop/x HTTP/1.0\r\n\r\n')
  expect(old.text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

test('L6 L10 each of many clients gets its own answer, while others leave and connections break', async () => {
  const upstream = await startHttp((request, response) => {
    const number = Number(new URL(request.url ?? '', 'http://a').searchParams.get('n'))
    request.resume()
    const text = `${number}:${'x'.repeat((number * 997) % 50_000)}:${number}`
    if (number % 7 === 0) response.socket?.destroy()
    else if (number % 5 === 0) {
      response.writeHead(200, { 'content-length': text.length + 10 }).write(text)
      setTimeout(() => response.socket?.destroy(), 1)
    } else response.end(text)
  })
  const { publish, url } = await startPublisher()
  await publish('shop', {
    target: [upstream.url, upstream.url.replace('127.0.0.1', 'localhost')],
    scope: 'public',
  })
  const outcome = async (number: number): Promise<string> => {
    const leaving = new AbortController()
    if (number % 3 === 0) setTimeout(() => leaving.abort(), number % 20)
    const method = number % 2 === 0 ? 'GET' : 'POST'
    try {
      const answer = await fetch(`${url}/shop/x?n=${number}`, {
        method,
        signal: leaving.signal,
        ...(method === 'POST' ? { body: 'y'.repeat(number * 10) } : {}),
      })
      const text = await answer.text()
      if (answer.status === 502) return 'broken'
      return text.startsWith(`${number}:`) && text.endsWith(`:${number}`)
        ? 'own'
        : `foreign: ${text.slice(0, 20)}`
    } catch {
      return 'cut'
    }
  }
  const numbers = Array.from({ length: 600 }, (_, index) => index + 1)
  const outcomes = new Map(numbers.map((number) => [number, Promise.resolve('')]))
  for (let start = 0; start < numbers.length; start += 60) {
    const batch = numbers.slice(start, start + 60)
    for (const number of batch) outcomes.set(number, outcome(number))
    await Promise.all(batch.map((number) => outcomes.get(number)))
  }
  for (const number of numbers) {
    const expected = number % 7 === 0 ? ['broken'] : number % 5 === 0 ? ['cut'] : ['own']
    // A connection that is kept open may end just when a request that must not be repeated takes it.
    const possible = [
      ...expected,
      ...(number % 3 === 0 ? ['cut'] : []),
      ...(number % 2 === 1 ? ['broken'] : []),
    ]
    expect([number, possible]).toEqual([number, expect.arrayContaining([await outcomes.get(number)])])
  }
})
