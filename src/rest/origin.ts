import { AppError } from '../errors/app-error.ts'
import type { Origin } from '../record/record-parts.ts'

const lengthLimit = 255

/** The values of `xid` and `xname`, from the headers of the call; by default the ids of the request and the API. */
export function readOrigin(
  headers: Readonly<Record<string, unknown>>,
  requestId: string,
  apiName: string,
): Origin {
  return {
    xid: readHeader(headers['x-xaas-xid'], 'X-Xaas-Xid') ?? requestId,
    xname: readHeader(headers['x-xaas-xname'], 'X-Xaas-Xname') ?? apiName,
  }
}

function readHeader(value: unknown, name: string): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && value.length <= lengthLimit && /^[\x20-\x7e]+$/.test(value)) return value
  const detail = `The header ${name} takes 1 to ${lengthLimit} visible characters of ASCII.`
  throw new AppError('PARAMETER_INVALID', { detail })
}
