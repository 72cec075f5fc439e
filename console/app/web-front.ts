/** The web front as the page sees it: every call that is made, and what its refusals mean to a person. */

/** What the web front knows of this browser: the answer of `GET /session`. */
export interface Session {
  readonly id: string
  /** Absent where nobody has to log in. */
  readonly auth?: Login
  /** Path below which calls go on to the gateway. */
  readonly backend: string
}

export interface Login {
  readonly account_id: string
  readonly account_role?: string
  readonly displayName?: string
  readonly strategy: string
  readonly provider: string
  /** Only where the web front does not put it into calls itself. */
  readonly accessToken?: string
}

/** An entity, as far as the page shows it. */
export interface Entity {
  readonly name: string
  /** Path of its published API; null where it has none. */
  readonly resource: string | null
  /** As it was uploaded: what has a default may be absent. */
  readonly definition: {
    readonly persistence?: boolean
    readonly abstract?: boolean
    readonly attributes: {
      readonly identifier: Field
      readonly local_fields?: readonly Field[]
      readonly ref_fields?: readonly Field[]
    }
  }
}

interface Field {
  readonly field_name: string
  readonly field_persistence?: boolean
}

/** Something was not done; the message is for the person at the page. */
export class Refusal extends Error {}

/** Nobody is logged in, or no longer. */
export class LoginNeeded extends Refusal {
  /** Where to send the browser. */
  readonly login: string

  constructor(login: string) {
    super('You are not logged in.')
    this.login = login
  }
}

/** The session of this browser. Throws LoginNeeded or another Refusal, as all the others do. */
export async function readSession(): Promise<Session> {
  return (await call('GET', '/session')) as Session
}

/** Ends the session of this browser, in all its tabs. */
export async function logOut(): Promise<void> {
  await call('POST', '/logout')
}

/** The most that a page of a list has. */
const pageSize = 1000

/** The entities whose definitions were uploaded to the gateway. */
export async function listEntities(session: Session): Promise<readonly Entity[]> {
  const all: Entity[] = []
  for (;;) {
    const last = all.at(-1)
    const after = last === undefined ? '' : `&after=${encodeURIComponent(last.name)}`
    const page = await callGateway(session, 'GET', `/manage/entities?limit=${pageSize}${after}`)
    all.push(...(page as readonly Entity[]))
    if ((page as readonly Entity[]).length < pageSize) return all
  }
}

/** What a GraphQL query is answered, its errors included. */
export async function runQuery(session: Session, query: string): Promise<unknown> {
  return callGateway(session, 'POST', '/graphql', { query })
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Calls the gateway. The web front puts the token into calls, unless it gave it to us. */
export function callGateway({ backend, auth }: Session, method: Method, path: string, document?: object) {
  const headers: HeadersInit = {
    ...(document === undefined ? {} : { 'content-type': 'application/json' }),
    ...(auth?.accessToken === undefined ? {} : { 'x-xaas-auth-token': auth.accessToken }),
  }
  const body = document === undefined ? {} : { body: JSON.stringify(document) }
  return call(method, path.replace(/\?.*/, ''), { address: backend + path, headers, ...body })
}

/** Calls the web front itself. Throws LoginNeeded or another Refusal. */
export async function call(
  method: Method,
  path: string,
  { address = path, ...init }: RequestInit & { readonly address?: string } = {},
): Promise<unknown> {
  let response: Response
  let answer: unknown
  try {
    response = await fetch(address, { ...init, method })
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    answer = isJson ? await response.json() : undefined
  } catch {
    throw new Refusal('There was no answer. Is Gatehouse running, and reachable from here?')
  }
  if (response.ok || isGraphqlResult(answer)) return answer
  throw refusalOf(response.status, answer, `${method} on ${path}`)
}

function isGraphqlResult(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && !('type' in answer) && 'errors' in answer
}

/** From a problem document; the empty one means that the role does not allow what was asked. */
function refusalOf(status: number, answer: unknown, what: string): Refusal {
  const { code, detail, title, login, errors } = (answer ?? {}) as Readonly<Record<string, unknown>>
  if (code === 'LOGIN_REQUIRED') return new LoginNeeded(String(login))
  if (status === 401 && code === undefined)
    return new Refusal(`The role of this account does not allow ${what}.`)
  if (Array.isArray(errors) && errors.length > 0) {
    return new Refusal(errors.map((mistake: { readonly detail: string }) => mistake.detail).join(' '))
  }
  return new Refusal(String(detail ?? title ?? `${what} was answered with status ${status}.`))
}
