/**
 * Why a database cannot be used at all, the same for every product. Each product's `access-failure.ts` derives it from the
 * driver's error.
 */
export type AccessFailure =
  /** The user is unknown, or the password is wrong. */
  | 'badCredentials'
  /** The server knows the user, but does not let it in: from this machine, or to this database. */
  | 'notAllowed'
  | 'unknownDatabase'
  /** The database is absent, and the user may not create it. */
  | 'mayNotCreate'
  | 'unknownHost'
  /** Nothing accepts connections at the address. */
  | 'closedPort'
  | 'silent'
  /** The server starts or stops. */
  | 'starting'
  | 'noConnectionLeft'
  /** The server offers no TLS. */
  | 'noTls'
  /** The server accepts the user only over TLS. */
  | 'tlsRequired'
  | 'untrustedCertificate'
  | 'wrongCertificateName'
  /** What responds at the address is not a server of this product. */
  | 'otherServer'
  /** The file is not a database of this product, or it is damaged. */
  | 'notADatabase'
  | 'cannotOpenFile'
  /** Another program has locked the file. */
  | 'locked'
  | 'missingRight'
  /** A standby, or a read-only server or file. */
  | 'readOnly'
  | 'full'

const healing: ReadonlySet<AccessFailure> = new Set(['closedPort', 'silent', 'starting', 'noConnectionLeft'])

/** Whether it may pass without a change of configuration or rights: it is worth waiting. */
export function mayPass(failure: AccessFailure | undefined): boolean {
  return failure === undefined || healing.has(failure)
}

/** Codes of Node.js for connections: https://nodejs.org/api/errors.html, https://nodejs.org/api/tls.html */
const ofCode: Readonly<Record<string, AccessFailure>> = {
  ENOTFOUND: 'unknownHost',
  EAI_AGAIN: 'silent',
  ECONNREFUSED: 'closedPort',
  // The path of a socket that no server has created.
  ENOENT: 'closedPort',
  ECONNRESET: 'silent',
  EPIPE: 'silent',
  ETIMEDOUT: 'silent',
  EHOSTUNREACH: 'silent',
  ENETUNREACH: 'silent',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrongCertificateName',
  CERT_HAS_EXPIRED: 'untrustedCertificate',
  CERT_NOT_YET_VALID: 'untrustedCertificate',
  CERT_UNTRUSTED: 'untrustedCertificate',
  CERT_SIGNATURE_FAILURE: 'untrustedCertificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'untrustedCertificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrustedCertificate',
  UNABLE_TO_GET_ISSUER_CERT: 'untrustedCertificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrustedCertificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrustedCertificate',
}

/** The failure of a connection, by the code of Node.js; undefined for other errors. */
export function connectionFailure(error: unknown): AccessFailure | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined
  return ofCode[String(error.code)]
}
