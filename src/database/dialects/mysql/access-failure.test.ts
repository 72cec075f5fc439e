import { expect, test } from 'vitest'
import { accessFailureOf } from './access-failure.ts'

/** An error as the server sends it. */
const fromServer = (errno: number, message: string) => Object.assign(new Error(message), { errno })
const ofDriver = (code: string, message = '') => Object.assign(new Error(message), { code })

test.each([
  [fromServer(1045, "Access denied for user 'u'@'h' (using password: YES)"), 'badCredentials'],
  [fromServer(1698, "Access denied for user 'root'@'h'"), 'badCredentials'],
  [fromServer(1044, "Access denied for user 'u'@'h' to database 'd'"), 'notAllowed'],
  [fromServer(1130, "Host 'h' is not allowed to connect"), 'notAllowed'],
  [fromServer(1049, "Unknown database 'd'"), 'unknownDatabase'],
  [fromServer(1142, "CREATE command denied to user 'u'@'h'"), 'missingRight'],
  [fromServer(1290, 'The server is running with the --read-only option'), 'readOnly'],
  [fromServer(1836, 'Running in read-only mode'), 'readOnly'],
  [fromServer(1040, 'Too many connections'), 'noConnectionLeft'],
  [fromServer(1053, 'Server shutdown in progress'), 'starting'],
  [fromServer(3159, 'Connections using insecure transport are prohibited'), 'tlsRequired'],
  [fromServer(1064, 'You have an error in your SQL syntax'), undefined],
  [ofDriver('HANDSHAKE_NO_SSL_SUPPORT'), 'noTls'],
  [ofDriver('HANDSHAKE_SSL_ERROR', 'self-signed certificate'), 'untrustedCertificate'],
  [
    ofDriver('HANDSHAKE_SSL_ERROR', "Hostname/IP does not match certificate's altnames"),
    'wrongCertificateName',
  ],
  [ofDriver('ENOTFOUND'), 'unknownHost'],
  [ofDriver('ECONNREFUSED'), 'closedPort'],
  [ofDriver('ETIMEDOUT'), 'silent'],
] as const)('%s', (error, failure) => {
  expect(accessFailureOf(error)).toBe(failure)
})
