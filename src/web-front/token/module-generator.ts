import * as v from 'valibot'
import { AppError } from '../../errors/app-error.ts'
import { readAnswer } from '../read-answer.ts'
import type { TokenGenerator } from './token-generator.ts'

const tokenSchema = v.object({
  accessToken: v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/)),
  expires: v.optional(v.pipe(v.string(), v.isoTimestamp())),
})

/** What a module of the operator's gives for a generator: see docs/web-front.md. */
export interface GeneratorModule {
  generate(login: object): Promise<unknown>
}

/** Tokens that a module of the operator's makes. With null it says that there will be none any more. */
export function moduleGenerator(module: GeneratorModule): TokenGenerator {
  return {
    async generate({ provider, account, gateway }) {
      const made = await settled(module.generate({ provider, account, username: gateway?.username }))
      if (made === null) throw new AppError('LOGIN_REFUSED')
      const { accessToken, expires } = readAnswer(tokenSchema, made)
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
