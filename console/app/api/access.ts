/** What the roles of who is logged in allow. The gateway decides; the console knows no rule of its own. */
import { queryOptions, useQueries } from '@tanstack/react-query'
import { callWithJson } from './gateway.ts'

/** A call that may be allowed or not. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
}

interface Question extends Call {
  readonly settle: (isAllowed: boolean) => void
  readonly fail: (error: unknown) => void
}

/** The most calls that one question may be about. */
const mostCalls = 200

let waiting: Question[] = []

/** Whether a call is allowed. Asks for all calls of one turn of the event loop together. */
export function askWhetherAllowed({ method, path }: Call): Promise<boolean> {
  return new Promise((settle, fail) => {
    if (waiting.length === 0) setTimeout(askForAll)
    waiting.push({ method, path, settle, fail })
  })
}

function askForAll(): void {
  const questions = waiting
  waiting = []
  for (let start = 0; start < questions.length; start += mostCalls) {
    void askFor(questions.slice(start, start + mostCalls))
  }
}

async function askFor(questions: readonly Question[]): Promise<void> {
  try {
    const calls = questions.map(({ method, path }) => ({ method, path }))
    const answer = (await callWithJson('POST', '/whoami/access', { calls })) as AccessAnswer
    for (const [index, { settle }] of questions.entries()) settle(answer.calls[index]?.allowed ?? false)
  } catch (error) {
    for (const { fail } of questions) fail(error)
  }
}

interface AccessAnswer {
  readonly calls: readonly (Call & { readonly allowed: boolean })[]
}

function accessQuery(call: Call) {
  return queryOptions({
    queryKey: ['access', call.method, call.path],
    queryFn: () => askWhetherAllowed(call),
    staleTime: 60_000,
  })
}

interface Access {
  /** Whether each of the calls is allowed; undefined until the gateway has said so for all of them. */
  readonly allowed: readonly boolean[] | undefined
  /** Why the gateway could not be asked; null if it could. */
  readonly error: Error | null
}

/** Whether each of some calls is allowed, or why that is not known. */
export function useAccess(calls: readonly Call[]): Access {
  return useQueries({
    queries: calls.map(accessQuery),
    combine: (results) => ({
      allowed: results.every(({ data }) => data !== undefined)
        ? results.map(({ data }) => data === true)
        : undefined,
      error: results.find(({ error }) => error !== null)?.error ?? null,
    }),
  })
}

/** Whether each of some calls is allowed; undefined until the gateway has said so for all of them. */
export function useAllowed(calls: readonly Call[]): readonly boolean[] | undefined {
  return useAccess(calls).allowed
}

/** Whether a call is allowed; undefined until the gateway has said so, and false if it cannot be asked. */
export function useRight(method: Call['method'], path: string): boolean | undefined {
  const { allowed, error } = useAccess([{ method, path }])
  return allowed?.[0] ?? (error === null ? undefined : false)
}

/** Whether a call is allowed; false until the gateway has said so. */
export function useIsAllowed(method: Call['method'], path: string): boolean {
  return useAllowed([{ method, path }])?.[0] ?? false
}
