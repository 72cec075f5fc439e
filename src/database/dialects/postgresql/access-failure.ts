import { type AccessFailure, connectionFailure } from '../../access-failure.ts'
import { firstBytes } from '../../first-bytes.ts'

/** SQLSTATEs: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const ofState: Readonly<Record<string, AccessFailure>> = {
  '25006': 'readOnly',
  '28P01': 'badCredentials',
  '3D000': 'unknownDatabase',
  '42501': 'missingRight',
  '53100': 'full',
  '53300': 'noConnectionLeft',
  '57P01': 'starting',
  '57P02': 'starting',
  '57P03': 'starting',
}

/** Why the server cannot be used, from the error of the driver; undefined if it is about something else. */
export function accessFailureOf(error: unknown): AccessFailure | undefined {
  if (!(error instanceof Error)) return undefined
  const { message } = error
  if (!('severity' in error) || !('code' in error)) {
    if (/does not support SSL/.test(message)) return 'noTls'
    // The server asks for a password, and none is configured.
    if (/^SASL: .*password must be a (?:non-empty )?string/.test(message)) return 'badCredentials'
    return connectionFailure(error)
  }
  const state = String(error.code)
  if (state === '28000') return ofRole(message)
  // A standby: https://www.postgresql.org/docs/current/hot-standby.html
  if (state === '0A000' && /during recovery/.test(message)) return 'readOnly'
  const isRefusal = error.severity === 'FATAL' && (state === '42501' || state === '55000')
  return isRefusal ? 'notAllowed' : ofState[state]
}

/** https://www.postgresql.org/docs/current/client-authentication-problems.html */
function ofRole(message: string): AccessFailure {
  if (/role ".*" does not exist/s.test(message)) return 'badCredentials'
  return /no encryption|SSL off/.test(message) ? 'tlsRequired' : 'notAllowed'
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html#PROTOCOL-MESSAGE-FORMATS-SSLREQUEST */
const sslRequest = Uint8Array.of(0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f)

/** Whether what responds at an address is no PostgreSQL server, which answers a request for TLS with one letter. */
export async function isOtherServer(address: {
  readonly host: string
  readonly port: number
}): Promise<boolean> {
  const bytes = await firstBytes(address, sslRequest)
  if (bytes === undefined) return false
  return bytes === 'closed' || !/^[SNE]/.test(String.fromCharCode(bytes[0] ?? 0))
}
