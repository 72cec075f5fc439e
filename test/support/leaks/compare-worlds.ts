/** Sends requests of an account to worlds that differ in what it cannot see, and says where answers differ. */
import type { TestGateway } from '../test-gateway.ts'
import type { LeakRequest } from './leak-requests.ts'

/** A gateway on one of the databases, with the tokens of its accounts by name. */
export interface ComparedWorld {
  readonly part: { readonly name: string }
  readonly gateway: TestGateway
  readonly tokens: Readonly<Record<string, string>>
  /** The accounts' own ids, which differ from gateway to gateway. */
  readonly ids: readonly string[]
}

/** Everything of an answer that may tell something. */
interface WholeAnswer {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
}

/** What differs from one request to the next in any world, and the version of a schema that has other hidden parts. */
const ownHeaders = ['date', 'x-request-id', 'connection', 'keep-alive', 'x-gatehouse-schema']
const madeText = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Where the answers to a request differ from those of the first world; empty if nowhere. */
export async function differencesOf(
  worlds: readonly ComparedWorld[],
  account: string,
  request: LeakRequest,
): Promise<readonly string[]> {
  const [first, ...others] = worlds
  const [expected, ...answers] = await Promise.all(worlds.map((world) => answerOf(world, account, request)))
  if (first === undefined) return []
  const differences: string[] = []
  for (const [index, world] of others.entries()) {
    const found = answers[index]
    if (JSON.stringify(found) === JSON.stringify(expected)) continue
    const told = `${request.method} ${request.path} ${JSON.stringify(request.body) ?? ''} ${JSON.stringify(request.headers) ?? ''}`
    differences.push(
      `${told}\n${first.part.name}: ${JSON.stringify(expected)}\n${world.part.name}: ${JSON.stringify(found)}`,
    )
  }
  return differences
}

async function answerOf(
  world: ComparedWorld,
  account: string,
  { method, path, body, headers }: LeakRequest,
): Promise<WholeAnswer> {
  const filled = (text: string) => fill(text, world, account)
  const sent = body === undefined ? undefined : await filled(JSON.stringify(body))
  const response = await fetch(world.gateway.url + (await filled(path)), {
    method,
    headers: {
      'x-xaas-auth-token': world.tokens[account] ?? '',
      'x-xaas-xid': 'x',
      'x-xaas-xname': 'n',
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(
        await Promise.all(
          Object.entries(headers ?? {}).map(async ([name, value]) => [name, await filled(value)]),
        ),
      ),
    },
    ...(sent === undefined ? {} : { body: sent }),
  })
  const text = await response.text()
  const requestId = response.headers.get('x-request-id') ?? ''
  const version = response.headers.get('x-gatehouse-schema') ?? ''
  const plain = (part: string) =>
    [requestId, version, world.gateway.url, ...world.ids]
      .filter((own) => own !== '')
      .reduce((rest, own) => rest.replaceAll(own, '…'), part)
      .replace(madeText, '(made)')
  // Of what was made now, the tag and the length depend on a key that differs in any case.
  const isMade = plain(text).includes('(made)')
  const shown = [...response.headers].filter(
    ([name]) => !ownHeaders.includes(name) && !(isMade && name === 'etag'),
  )
  return {
    status: response.status,
    headers: shown.map(([name, value]) => [name, name === 'content-length' ? '' : plain(value)]),
    text: plain(text),
  }
}

/** Puts in what only the world knows. */
async function fill(text: string, world: ComparedWorld, account: string): Promise<string> {
  let filled = text
  for (const [whole, kind = '', rest = ''] of text.matchAll(/\{\{(etag|admin|cursor):(.*?)\}\}/g)) {
    const value = await worldsValue(kind, rest, world, account)
    filled = filled.replace(whole, () => value)
  }
  return filled
}

async function worldsValue(
  kind: string,
  rest: string,
  { gateway, tokens }: ComparedWorld,
  account: string,
): Promise<string> {
  if (kind !== 'cursor') {
    const token = kind === 'admin' ? gateway.token : (tokens[account] ?? null)
    const { headers } = await gateway.request('GET', rest, { token })
    return headers.get('etag') ?? '"none"'
  }
  const split = rest.indexOf(':')
  const list = rest.slice(0, split)
  const { headers } = await gateway.request('GET', `${list}&first=1`, { token: tokens[account] ?? null })
  const after = /after=([A-Za-z0-9_-]+)/.exec(headers.get('link') ?? '')?.[1]
  if (after === undefined) return 'none'
  const [tag] = JSON.parse(Buffer.from(after, 'base64url').toString()) as readonly string[]
  const values = JSON.parse(rest.slice(split + 1).replaceAll("'", '"')) as readonly unknown[]
  return Buffer.from(JSON.stringify([tag, ...values])).toString('base64url')
}
