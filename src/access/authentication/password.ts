/**
 * Passwords: any text of 8 to 1,024 characters, in Unicode's composed form (NFC), blanks and all, but none of the
 * most common ones. Kept as
 * Argon2id with the parameters of https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
import { hash, verify } from '@node-rs/argon2'
import * as v from 'valibot'
import { refuse } from '../../documents/document-schema.ts'
import { AppError } from '../../errors/app-error.ts'
import type { RandomSource } from '../../util/random-source.ts'
import { Semaphore } from '../../util/semaphore.ts'
import { isCommonPassword } from './common-passwords.ts'

/** Makes and checks the kept form of passwords, a few at a time: each takes memory and a thread. */
export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes the same time, and is false, when there is no hash to compare with. */
  verify(passwordHash: string | undefined, password: string): Promise<boolean>
}

const leastLength = 8
const lengthLimit = 1024
/** Composing shortens a text a few times at most; composing a much longer one takes long. */
const uncomposedLimit = 16 * lengthLimit
/** What the library uses when it is not told: Argon2id of version 19. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnce = 3
const waitingLimit = 256

/** Reads a password that is to be set. */
export const passwordSchema = v.pipe(
  v.string(),
  refuse(muchTooLong),
  v.transform((text) => text.normalize('NFC')),
  refuse(mistakeIn),
)

/** Hashes one password, whatever else is being hashed. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), parameters)
}

/** Passwords with a hash at hand to compare with where there is none. */
export function createPasswords(randomBytes: RandomSource): Passwords {
  const nobodysHash = randomHash(randomBytes)
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
    hash: async (password) => inTurn(() => hashPassword(password)),
    async verify(passwordHash, password) {
      // What is cut off was part of no kept password.
      const text = password.slice(0, uncomposedLimit).normalize('NFC')
      const isRight = await inTurn(() => verify(passwordHash ?? nobodysHash, text))
      return isRight && passwordHash !== undefined
    },
  }
}

/** The kept form of a password that nobody knows: of the same cost to compare with, and made without hashing. */
function randomHash(randomBytes: RandomSource): string {
  const { memoryCost, timeCost, parallelism } = parameters
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
  if (!password.isWellFormed()) return 'A password must not hold halves of characters.'
  return isCommonPassword(password)
    ? 'This is one of the most common passwords, which are tried first. Choose another one.'
    : undefined
}
