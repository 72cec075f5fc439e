/**
 * Passwords: any text of 8 to 1,024 characters, in Unicode's composed form (NFC), including spaces, except the most
 * common ones. Stored as Argon2id hashes with the parameters of
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
import { hash, verify } from '@node-rs/argon2'
import * as v from 'valibot'
import { refuse } from '../../documents/document-schema.ts'
import { AppError } from '../../errors/app-error.ts'
import type { RandomSource } from '../../util/random-source.ts'
import { Semaphore } from '../../util/semaphore.ts'
import { isCommonPassword } from './common-passwords.ts'

/** The Argon2 cost of a password hash. */
export interface PasswordCost {
  /** KiB of memory. */
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** Hashes and verifies passwords, a few at a time: each takes memory and a thread. */
export interface Passwords {
  hash(password: string): Promise<string>
  /** Without a hash it takes the same time and is false. */
  verify(passwordHash: string | undefined, password: string): Promise<boolean>
}

const leastLength = 8
const lengthLimit = 1024
/** Composing shortens a text by a small factor at most, and takes long for a much longer one. */
const uncomposedLimit = 16 * lengthLimit
/** The library adds its defaults: Argon2id of version 19. */
const servedCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnce = 3
const waitingLimit = 256

/** Validates a new password. */
export const passwordSchema = v.pipe(
  v.string(),
  v.metadata({ minLength: leastLength, maxLength: lengthLimit, format: 'password' }),
  refuse(muchTooLong),
  v.transform((text) => text.normalize('NFC')),
  refuse(mistakeIn),
)

/** Hashes one password, regardless of others. */
export function hashPassword(password: string, cost = servedCost): Promise<string> {
  return hash(password.normalize('NFC'), cost)
}

/** Passwords with a dummy hash for accounts that do not exist. */
export function createPasswords(randomBytes: RandomSource, cost = servedCost): Passwords {
  const nobodysHash = randomHash(randomBytes, cost)
  const turns = new Semaphore(atOnce)

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = turns.runUnlessCrowded(work, waitingLimit)
    if (turn !== undefined) return turn
    throw new AppError('TOO_BUSY', {
      detail: 'Too many passwords are being checked at once. Try again in a few seconds.',
      headers: { 'retry-after': '5' },
    })
  }

  return {
    hash: async (password) => inTurn(() => hashPassword(password, cost)),
    async verify(passwordHash, password) {
      // No stored password is longer than this.
      const text = password.slice(0, uncomposedLimit).normalize('NFC')
      const isRight = await inTurn(() => verify(passwordHash ?? nobodysHash, text))
      return isRight && passwordHash !== undefined
    },
  }
}

/** The hash of a password that no one knows: it costs the same to verify, and is made without hashing. */
function randomHash(randomBytes: RandomSource, { memoryCost, timeCost, parallelism }: PasswordCost): string {
  const base64 = (size: number) => Buffer.from(randomBytes(size)).toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${base64(16)}$${base64(32)}`
}

function muchTooLong({ length }: string): string | undefined {
  return length > uncomposedLimit ? lengthMistake(length) : undefined
}

function lengthMistake(length: number): string {
  return `A password has ${leastLength} to 1,024 characters, and this one has ${length}.`
}

function mistakeIn(password: string): string | undefined {
  const length = [...password].length
  if (length < leastLength || length > lengthLimit) return lengthMistake(length)
  if (!password.isWellFormed()) return 'A password must not contain lone surrogates.'
  return isCommonPassword(password)
    ? 'This is one of the most common passwords, which are tried first. Choose another one.'
    : undefined
}
