import * as v from 'valibot'
import { AppError } from '../../errors/app-error.ts'
import { parseResponse } from '../parse-response.ts'
import type { TokenGenerator } from './token-generator.ts'

const tokenSchema = v.object({
  accessToken: v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/)),
  expires: v.optional(v.pipe(v.string(), v.isoTimestamp())),
})

/** The interface of an operator's generator module: see docs/web-front.md. */
export interface GeneratorModule {
  generate(login: object): Promise<unknown>
}

/** Tokens of an operator's module. Null means that there will be no more. */
export function moduleGenerator(module: GeneratorModule): TokenGenerator {
  return {
    async generate({ provider, account, gateway }) {
      const made = await settled(module.generate({ provider, account, username: gateway?.username }))
      if (made === null) throw new AppError('LOGIN_REFUSED')
      const { accessToken, expires } = parseResponse(tokenSchema, made)
      return { credential: { accessToken, ...(expires === undefined ? {} : { expires }) } }
    },
  }
}

async function settled(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work
  } catch (cause) {
    throw new AppError('LOGIN_UNAVAILABLE', { cause })
  }
}
