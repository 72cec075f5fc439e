/** A problem document: https://www.rfc-editor.org/rfc/rfc9457 */
export interface Problem {
  readonly type?: string
  readonly title?: string
  readonly status?: number
  /** The code of an error of Gatehouse. */
  readonly code?: string
  readonly detail?: string
  readonly requestId?: string
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[]
  readonly [member: string]: unknown
}

/** A call that was refused, or that failed. The message is the sentence of the problem document, for people. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  /** Empty if the response was no problem document. */
  readonly problem: Problem
  /** Its body has been read if it was a problem document; undefined if there was no response. */
  readonly response: Response | undefined

  constructor(message: string, problem: Problem = {}, response?: Response) {
    super(message)
    this.status = response?.status ?? 0
    this.problem = problem
    this.response = response
  }

  /** The id under which the log has the request; undefined if there was no response. */
  get requestId(): string | undefined {
    return this.response?.headers.get('x-request-id') ?? undefined
  }
}

/** No one is logged in, or no longer. */
export class LoginNeeded extends Refusal {
  override readonly name = 'LoginNeeded'
  /** The path of the web front at which to log in. */
  readonly login: string

  constructor(login: string, problem?: Problem, response?: Response) {
    super('You are not logged in.', problem, response)
    this.login = login
  }
}

/** The role of the account does not allow the method on the path. */
export class RoleRefused extends Refusal {
  override readonly name = 'RoleRefused'
}

/** The token is missing or has ended, and a new one did not help. */
export class TokenRefused extends Refusal {
  override readonly name = 'TokenRefused'
}

/** The backend behind the web front, or an upstream API, responded with a 401 of its own. */
export class UpstreamRefused extends Refusal {
  override readonly name = 'UpstreamRefused'
}

/** There was no response: the server or the network is down, or the browser does not allow the call. */
export class NoAnswer extends Refusal {
  override readonly name = 'NoAnswer'
}

/** The error that a response means; undefined if it is for the caller. `what` is the call, for a message. */
export async function refusalOf(response: Response, what: string): Promise<Refusal | undefined> {
  const isProblem = /^application\/problem\+json\b/.test(response.headers.get('content-type') ?? '')
  if (!isProblem && response.status !== 401) return undefined
  const problem = isProblem ? await problemIn(response) : {}
  const { detail, title, login, errors } = problem
  const mistakes = errors?.map((mistake) => mistake.detail).join(' ')
  const message = mistakes || (detail ?? title ?? `${what} was answered with status ${response.status}.`)
  switch (response.status === 401 && response.headers.get('x-gatehouse-refused')) {
    case 'login':
      return new LoginNeeded(typeof login === 'string' ? login : '/auth', problem, response)
    case 'role':
      return new RoleRefused(`The role of this account does not allow ${what}.`, problem, response)
    case 'token':
      return new TokenRefused(message, problem, response)
    case 'upstream':
      return new UpstreamRefused(message, problem, response)
    default:
      return isProblem ? new Refusal(message, problem, response) : undefined
  }
}

async function problemIn(response: Response): Promise<Problem> {
  try {
    const read: unknown = await response.json()
    return typeof read === 'object' && read !== null ? (read as Problem) : {}
  } catch {
    return {}
  }
}
