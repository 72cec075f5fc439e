/** A client of the management API of a running gateway: over HTTP, with the rights of the account that logs on. */
import * as v from 'valibot'
import { ask } from '../http/outgoing.ts'
import { AdminFailure } from './admin-failure.ts'
import { describeProblem } from './describe-problem.ts'

/** The gateway to call, and the account. */
export interface ManagementSettings {
  /** Without a trailing slash. */
  readonly url: string
  readonly username: string
  readonly password: string
  readonly apiKey: string
}

/** Sends requests with a token. */
export interface ManagementClient {
  /**
   * The document of a successful response, a list with all its pages; undefined if there is none. Throws `AdminRefusal`
   * for an error response, and `AdminFailure` if there is no response.
   */
  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<unknown>
}

/** The gateway has refused a request or failed. */
export class AdminRefusal extends AdminFailure {
  readonly status: number
  readonly document: unknown

  constructor(lines: readonly string[], { status, document }: { status: number; document: unknown }) {
    super(lines)
    this.name = 'AdminRefusal'
    this.status = status
    this.document = document
  }
}

/** Uploads of many definitions take long, and lists may be long. */
const limits = { timeoutMs: 600_000, maxBytes: 256_000_000 }

const logonResponse = v.object({ 'x-xaas-auth-token': v.string() })

/** Does the work, logs on at its first request, and ends the token, even if the work failed. */
export async function withManagement<Result>(
  settings: ManagementSettings,
  work: (client: ManagementClient) => Promise<Result>,
): Promise<Result> {
  let token: Promise<string> | undefined
  const client: ManagementClient = {
    async call(method, path, body) {
      token ??= logOn(settings)
      const headers = withToken(await token)
      const { status, document, next } = await send(settings, method, path, { headers, body })
      if (status >= 200 && status < 300) {
        if (next === undefined || !Array.isArray(document)) return document
        const others = await client.call(method, pathAfter(path, next))
        return Array.isArray(others) ? [...document, ...others] : document
      }
      const lines = isOnlyRefused(status, document)
        ? [`The roles of “${settings.username}” do not allow ${method} on ${path.replace(/\?.*/, '')}.`]
        : describeProblem(status, document)
      throw new AdminRefusal(lines, { status, document })
    },
  }
  try {
    return await work(client)
  } finally {
    await logOff(settings, token)
  }
}

/** The path of the page after another one; the gateway may name it with another address. */
function pathAfter(path: string, next: string): string {
  const [front = '', query = ''] = path.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('after', next)
  return `${front}?${parameters}`
}

/** The cursor of the next page, from a `Link` header: https://www.rfc-editor.org/rfc/rfc8288 */
function nextPageIn(link: string | null): string | undefined {
  const [, address] = /^<([^>]*)>; rel="next"$/.exec(link ?? '') ?? []
  if (address === undefined || !URL.canParse(address, 'http://gateway')) return undefined
  return new URL(address, 'http://gateway').searchParams.get('after') ?? undefined
}

function withToken(token: string): Readonly<Record<string, string>> {
  return { 'x-xaas-auth-token': token }
}

/** The path of a record: each name is one segment of it. */
export function recordPath(...names: readonly string[]): string {
  return `/manage${names.map((name) => `/${segmentOf(name)}`).join('')}`
}

/** A name that would lead to another path than that of a record is refused. */
function segmentOf(name: string): string {
  if (name === '' || name === '.' || name === '..' || !name.isWellFormed()) {
    throw new AdminFailure([`${JSON.stringify(name)} is not the name of a record.`])
  }
  return encodeURIComponent(name)
}

async function logOn(settings: ManagementSettings): Promise<string> {
  const { username, password, apiKey } = settings
  const { status, document } = await send(settings, 'POST', '/logon', {
    headers: { 'x-xaas-api-key': apiKey },
    body: { username, password },
  })
  if (status !== 200) {
    throw new AdminFailure([`Logging on as “${username}” failed.`, ...describeProblem(status, document)])
  }
  const reading = v.safeParse(logonResponse, document)
  if (!reading.success) throw notAGateway(settings)
  return reading.output['x-xaas-auth-token']
}

/** A token ends by itself: a failure here is not a failure of the work. */
async function logOff(settings: ManagementSettings, token: Promise<string> | undefined): Promise<void> {
  if (token === undefined) return
  try {
    await send(settings, 'POST', '/logoff', { headers: withToken(await token) })
  } catch (error) {
    if (!(error instanceof AdminFailure)) throw error
  }
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

async function send(
  settings: ManagementSettings,
  method: string,
  path: string,
  { headers, body }: Sent,
): Promise<{ readonly status: number; readonly document: unknown; readonly next?: string | undefined }> {
  const init = {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
  const { status, headers: responseHeaders, bytes } = await askGateway(settings, path, init)
  if (bytes.length === 0 && status < 300) return { status, document: undefined }
  if (!/json/.test(responseHeaders.get('content-type') ?? '')) throw notAGateway(settings, status)
  try {
    const next = nextPageIn(responseHeaders.get('link'))
    return { status, document: JSON.parse(new TextDecoder().decode(bytes)), next }
  } catch {
    throw notAGateway(settings, status)
  }
}

async function askGateway({ url }: ManagementSettings, path: string, init: RequestInit) {
  try {
    return await ask(url + path, init, limits)
  } catch (error) {
    throw new AdminFailure(
      [`The gateway at ${url} cannot be reached: ${reasonOf(error)}. Give its address with --url.`],
      error,
    )
  }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was reset',
  ETIMEDOUT: 'it timed out',
  EPROTO: 'it does not speak https',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https',
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return reasons[code] ?? (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')
}

/** The only refusal without a problem document: the role does not allow the request. */
function isOnlyRefused(status: number, document: unknown): boolean {
  return (
    status === 401 && typeof document === 'object' && document !== null && Object.keys(document).length === 0
  )
}

function notAGateway({ url }: ManagementSettings, status?: number): AdminFailure {
  const answer =
    status === undefined ? 'it responds to a logon differently' : `it responded with status ${status}`
  return new AdminFailure([`${url} is not a gateway: ${answer}. Give the address of the gateway with --url.`])
}
