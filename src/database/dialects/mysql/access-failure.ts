import { type AccessFailure, connectionFailure } from '../../access-failure.ts'
import { firstBytes } from '../../first-bytes.ts'

/** Error numbers: https://mariadb.com/kb/en/mariadb-error-code-reference/ */
const ofNumber: Readonly<Record<number, AccessFailure>> = {
  1021: 'full',
  1040: 'noConnectionLeft',
  1044: 'notAllowed',
  1045: 'badCredentials',
  1049: 'unknownDatabase',
  1053: 'starting',
  1114: 'full',
  1129: 'notAllowed',
  1130: 'notAllowed',
  1142: 'missingRight',
  1143: 'missingRight',
  1203: 'noConnectionLeft',
  1226: 'noConnectionLeft',
  1227: 'missingRight',
  1290: 'readOnly',
  1698: 'badCredentials',
  1792: 'readOnly',
  1820: 'notAllowed',
  1836: 'readOnly',
  1927: 'starting',
  3118: 'notAllowed',
  3159: 'tlsRequired',
  4151: 'notAllowed',
}

/** Why the server cannot be used, from the error of the driver; undefined if it is about something else. */
export function accessFailureOf(error: unknown): AccessFailure | undefined {
  if (!(error instanceof Error)) return undefined
  const number = 'errno' in error && typeof error.errno === 'number' ? error.errno : 0
  if (number >= 1000) return ofNumber[number]
  const code = 'code' in error ? error.code : undefined
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') return 'noTls'
  if (code === 'HANDSHAKE_SSL_ERROR') {
    return /altnames/.test(error.message) ? 'wrongCertificateName' : 'untrustedCertificate'
  }
  if (code === 'PROTOCOL_CONNECTION_LOST') return 'silent'
  return connectionFailure(error)
}

/** Makes most servers that wait for their client say something, or close the connection. */
const anyText = new TextEncoder().encode('\r\n\r\n\r\n\r\n')

/** Versions of the protocol, and an error in place of a greeting. */
const greetings: readonly (number | undefined)[] = [9, 10, 0xff]

/**
 * Whether what responds at an address is no MySQL or MariaDB server, which greets its clients:
 * https://mariadb.com/kb/en/connection/#initial-handshake-packet
 */
export async function isOtherServer(address: {
  readonly host: string
  readonly port: number
}): Promise<boolean> {
  const greeting = await firstBytes(address)
  if (greeting !== undefined) return greeting === 'closed' || !greetings.includes(greeting[4])
  return (await firstBytes(address, anyText)) !== undefined
}
