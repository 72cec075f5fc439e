import { createHash } from 'node:crypto'
import { AppError } from '../errors/app-error.ts'
import { mapInSlices } from '../util/time-slices.ts'

/** Identifies a call across nodes and retries. */
export interface IdempotentCall {
  /** A hash of the account and its key. */
  readonly id: string
  /** A hash of the request, which differs if a key is used for another request. */
  readonly fingerprint: string
  /** A hash of the rights of the account: its response is shown again only while they are the same. */
  readonly rights: string
}

const lengthLimit = 255

/**
 * The call that a request identifies by its header `Idempotency-Key`, a text with or without quotes
 * (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/); undefined without one. Throws
 * PARAMETER_INVALID. Each account has its own keys.
 */
export async function readIdempotencyKey(
  header: unknown,
  {
    account,
    rights,
    api,
    document,
  }: Pick<IdempotentCall, 'rights'> & {
    readonly account: string
    readonly api: string
    readonly document: unknown
  },
): Promise<IdempotentCall | undefined> {
  if (header === undefined) return undefined
  const key = typeof header === 'string' ? unquoted(header.trim()) : ''
  if (key.length === 0 || key.length > lengthLimit || !/^[\x21-\x7e]+$/.test(key)) {
    const detail = `The header Idempotency-Key takes 1 to ${lengthLimit} visible ASCII characters without spaces, such as a UUID, with or without quotes.`
    throw new AppError('PARAMETER_INVALID', { detail })
  }
  return { id: hashOf([account, key]), fingerprint: await fingerprintOf(api, document), rights }
}

function unquoted(header: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header) ?? []
  return quoted === undefined ? header : quoted.replaceAll(/\\(["\\])/g, '$1')
}

/** The hash of both as JSON, written in time slices: a document may hold many records. */
async function fingerprintOf(api: string, document: unknown): Promise<string> {
  if (!Array.isArray(document)) return hashOf([api, document])
  const hash = createHash('sha256').update(`[${JSON.stringify(api)},[`)
  await mapInSlices(document, (record: unknown, index) => {
    hash.update(`${index === 0 ? '' : ','}${JSON.stringify(record)}`)
  })
  return hash.update(']]').digest('hex')
}

function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
