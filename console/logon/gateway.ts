/** The gateway as the page sees it: every call that is made, and what its refusals mean to a person. */

/** Someone who has logged on. */
export interface Session {
  readonly token: string
  readonly username: string
  /** When the token ends, as the gateway writes it. */
  readonly expire: string
}

/** A session, and what was made for it. */
export interface LoggedOn {
  readonly session: Session
  /** If a second factor was set up: to be shown once. */
  readonly recoveryCodes?: readonly string[]
}

/** What an authenticator app needs for a second factor. */
export interface NewSecret {
  readonly secret: string
  /** The same as an address, for a QR code. */
  readonly uri: string
}

/** The gateway said no, or nothing; the message is for the person at the page. */
export class Refusal extends Error {
  /** As the gateway says it; undefined if it did not. */
  readonly code: unknown
  /** Says that the password was right and that the code of the second factor is missing. */
  readonly challenge: string | undefined
  /** Of the response; 0 if there was none. */
  readonly status: number
  /** Says that a second factor is to be set up, and its code to be sent with the challenge. */
  readonly setUp: NewSecret | undefined

  constructor(
    message: string,
    { code, challenge, secret, uri, status }: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
    this.status = typeof status === 'number' ? status : 0
    this.code = code
    this.challenge = typeof challenge === 'string' ? challenge : undefined
    this.setUp = typeof secret === 'string' && typeof uri === 'string' ? { secret, uri } : undefined
  }

  /** Whether a new log-on may help: there is no token, or it has ended. */
  get needsLogon(): boolean {
    return this.code === 'TOKEN_MISSING' || this.code === 'TOKEN_INVALID'
  }
}

/** What a person logs on with: a passkey, or a password; a challenge and a code follow the password, if the account has a second factor. */
type Entered =
  | { readonly username: string; readonly password: string }
  | { readonly username: string; readonly challenge: string; readonly code: string }
  | { readonly passkey: object }

/** Logs on with an account; without an API key only where the gateway lets its pages do that. Throws a Refusal. */
export async function logOn(entered: Entered, apiKey: string | undefined): Promise<LoggedOn> {
  const answer =
    apiKey === undefined
      ? await call('POST', 'logon/browser', new Headers({ 'x-requested-with': 'gatehouse' }), entered)
      : await call('POST', 'logon', new Headers({ 'x-xaas-api-key': apiKey }), entered)
  const { 'x-xaas-auth-token': token, recovery_codes: codes } = answer as Record<string, unknown>
  const session = await sessionOf(String(token))
  return Array.isArray(codes) ? { session, recoveryCodes: codes.map(String) } : { session }
}

/** The session that a token belongs to. Throws a Refusal. */
export async function sessionOf(token: string): Promise<Session> {
  const { username, expire } = (await call('GET', 'whoami', withToken(token))) as Record<string, unknown>
  return { token, username: String(username), expire: String(expire) }
}

/** Ends the token at the gateway. Throws a Refusal. */
export async function logOff({ token }: Session): Promise<void> {
  await call('POST', 'logoff', withToken(token))
}

/** Headers by which the gateway knows who calls. */
export function withToken(token: string, headers = new Headers()): Headers {
  headers.set('x-xaas-auth-token', token)
  return headers
}

/** Makes a call, at a path below that of the page. Gives its JSON; throws a Refusal. */
export async function call(
  method: 'GET' | 'POST',
  path: string,
  headers: Headers,
  document?: unknown,
): Promise<unknown> {
  if (document !== undefined) headers.set('content-type', 'application/json')
  let response: Response
  let answer: unknown
  try {
    response = await fetch(path, {
      method,
      headers,
      ...(document !== undefined && { body: JSON.stringify(document) }),
    })
    answer = await readJson(response)
  } catch {
    throw new Refusal('The gateway did not answer. Is it running, and reachable from here?')
  }
  if (response.ok || isGraphqlResult(answer)) return answer
  throw refusalOf(response.status, answer, `${method} on /${path}`)
}

async function readJson(response: Response): Promise<unknown> {
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  if (isJson) return response.json()
  // A body that is not read keeps its connection.
  await response.text()
  return undefined
}

function isGraphqlResult(answer: unknown): boolean {
  return (
    typeof answer === 'object' && answer !== null && ('data' in answer || Array.isArray(errorsOf(answer)))
  )
}

function errorsOf(answer: object): unknown {
  return 'errors' in answer && !('type' in answer) ? answer.errors : undefined
}

/** From a problem document; the empty one means that the role does not allow what was asked. */
function refusalOf(status: number, answer: unknown, what: string): Refusal {
  const problem = (answer ?? {}) as Readonly<Record<string, unknown>>
  const { code, detail, title } = problem
  if (status === 401 && code === undefined) {
    return new Refusal(`The role of this account does not allow ${what}.`, { status })
  }
  const message = detail ?? title ?? `The gateway answered ${what} with status ${status}.`
  return new Refusal(String(message), { ...problem, status })
}
