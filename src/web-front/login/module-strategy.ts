import * as v from 'valibot'
import { AppError } from '../../errors/app-error.ts'
import { parseResponse } from '../parse-response.ts'
import type { Identity, RedirectStrategy } from './login-strategy.ts'

const text = v.pipe(v.string(), v.minLength(1))

const startSchema = v.object({
  url: v.pipe(v.string(), v.url()),
  kept: v.optional(v.record(v.string(), v.string()), {}),
})

const identitySchema = v.object({
  account_id: text,
  account_role: v.optional(text),
  displayName: v.optional(text),
  avatar: v.optional(text),
  properties: v.optional(v.record(v.string(), v.unknown()), {}),
  username: v.optional(text),
  accessToken: v.optional(text),
  expires: v.optional(v.pipe(v.string(), v.isoTimestamp())),
})

/** The interface of an operator's strategy module: see docs/web-front.md. */
export interface StrategyModule {
  begin(start: object): Promise<unknown>
  complete(answer: object): Promise<unknown>
}

/** Logins by a module of the operator. Any error that it throws is a failed login. */
export function moduleStrategy(module: StrategyModule, provider: string): RedirectStrategy {
  return {
    kind: 'redirect',
    async begin(start) {
      return parseResponse(startSchema, await module.begin(start))
    },
    async complete(answer) {
      return identityOf(parseResponse(identitySchema, await settled(module.complete(answer))), provider)
    },
  }
}

async function settled(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work
  } catch (cause) {
    throw new AppError('LOGIN_FAILED', { cause })
  }
}

function identityOf(
  { username, accessToken, expires, ...account }: v.InferOutput<typeof identitySchema>,
  provider: string,
): Identity {
  const { account_id, account_role, displayName, avatar, properties } = account
  return {
    account: {
      account_id,
      properties,
      ...(account_role === undefined ? {} : { account_role }),
      ...(displayName === undefined ? {} : { displayName }),
      ...(avatar === undefined ? {} : { avatar }),
    },
    gateway: { username: username ?? `${provider}:${account_id}` },
    ...(accessToken === undefined
      ? {}
      : { credential: { accessToken, ...(expires === undefined ? {} : { expires }) } }),
    groups: [],
  }
}
