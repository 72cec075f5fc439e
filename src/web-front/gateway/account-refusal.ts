/** Why the gateway does not take a change of an account. */
import * as v from 'valibot'
import { loginFailure } from '../login/login-failures.ts'
import type { GatewayResponse } from './gateway-client.ts'

/** The response to a change of an account. Throws LOGIN_REFUSED, with the roles that are the reason. */
export function accepted(answer: GatewayResponse): GatewayResponse {
  const { status, document } = answer
  if (status !== 403 && status !== 422) return answer
  const details = mistakesIn(document).map(({ detail }) => detail)
  const found = `The gateway answered: ${details.join(' ') || detailOf(document)}`
  if (status === 403) throw loginFailure('roleNotGiven', { found })
  const missing = mistakesIn(document).filter(({ pointer }) => /^\/role(\/|$)/.test(pointer))
  const named = missing.map(({ detail }) => /"([^"]+)"/.exec(detail)?.[1] ?? '').join(', ')
  throw missing.length === 0
    ? loginFailure('accountRefused', { found })
    : loginFailure('roleMissing', { found, named: `The role is named ${JSON.stringify(named)}.` })
}

/** The roles in a list that a problem document points to. */
export function mistakenRoles(document: unknown, roles: readonly string[]): readonly string[] {
  const indices = mistakesIn(document).map(({ pointer }) => /^\/role\/(\d+)$/.exec(pointer)?.[1])
  return indices.flatMap((index) => (index === undefined ? [] : [roles[Number(index)] ?? '']))
}

const problemDocument = v.object({ errors: v.array(v.object({ pointer: v.string(), detail: v.string() })) })

function mistakesIn(document: unknown) {
  const reading = v.safeParse(problemDocument, document)
  return reading.success ? reading.output.errors : []
}

function detailOf(document: unknown): string {
  return isObject(document) && typeof document.detail === 'string' ? document.detail : ''
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
