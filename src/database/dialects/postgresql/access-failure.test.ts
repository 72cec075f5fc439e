import { expect, test } from 'vitest'
import { accessFailureOf } from './access-failure.ts'

/** An error as the server sends it. */
const fromServer = (code: string, message: string, severity = 'FATAL') =>
  Object.assign(new Error(message), { code, severity })
const ofNode = (code: string, message = '') => Object.assign(new Error(message), { code })

test.each([
  [fromServer('28P01', 'password authentication failed for user "u"'), 'badCredentials'],
  [fromServer('28000', 'role "u" does not exist'), 'badCredentials'],
  [new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'), 'badCredentials'],
  [
    fromServer('28000', 'no pg_hba.conf entry for host "10.0.0.1", user "u", database "d", no encryption'),
    'tlsRequired',
  ],
  [
    fromServer('28000', 'no pg_hba.conf entry for host "10.0.0.1", user "u", database "d", SSL encryption'),
    'notAllowed',
  ],
  [fromServer('42501', 'permission denied for database "d"'), 'notAllowed'],
  [fromServer('42501', 'permission denied for schema public', 'ERROR'), 'missingRight'],
  [fromServer('3D000', 'database "d" does not exist'), 'unknownDatabase'],
  [fromServer('57P03', 'the database system is starting up'), 'starting'],
  [fromServer('53300', 'sorry, too many clients already'), 'noConnectionLeft'],
  [fromServer('0A000', 'cannot set transaction read-write mode during recovery', 'ERROR'), 'readOnly'],
  [fromServer('25006', 'cannot execute CREATE TABLE in a read-only transaction', 'ERROR'), 'readOnly'],
  [fromServer('42601', 'syntax error', 'ERROR'), undefined],
  [new Error('The server does not support SSL connections'), 'noTls'],
  [ofNode('DEPTH_ZERO_SELF_SIGNED_CERT'), 'untrustedCertificate'],
  [ofNode('SELF_SIGNED_CERT_IN_CHAIN'), 'untrustedCertificate'],
  [ofNode('ERR_TLS_CERT_ALTNAME_INVALID'), 'wrongCertificateName'],
  [ofNode('ENOTFOUND'), 'unknownHost'],
  [ofNode('ECONNREFUSED'), 'closedPort'],
  [ofNode('ENOENT', 'connect ENOENT /nowhere/.s.PGSQL.5432'), 'closedPort'],
  [ofNode('EHOSTUNREACH'), 'silent'],
  [new Error('timeout expired'), undefined],
] as const)('%s', (error, failure) => {
  expect(accessFailureOf(error)).toBe(failure)
})
