/** An issuer of JSON Web Tokens, with its keys at a loopback address. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import type { TokenIssuer } from '../../src/access/authentication/token-issuers/token-issuer.ts'

/** How the issuer responds: as it should, with status 500, never, with a redirect, or with something that is no key set. */
type Manner = 'fine' | 'failing' | 'silent' | 'moved' | 'odd'

interface SigningKey {
  readonly kid: string
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly jwk: JWK
}

/** What a token is signed with, if not as usual. */
interface Signing {
  readonly header?: Readonly<Record<string, unknown>>
  readonly key?: SigningKey
}

export interface TestIssuer {
  readonly url: string
  /** To be extended by roles. */
  readonly settings: TokenIssuer
  /** The paths it was asked for. */
  readonly asked: string[]
  readonly key: SigningKey
  manner: Manner
  /** A token for the gateway that is valid for an hour from `now`, with some claims changed; undefined leaves one out. */
  token(claims?: Readonly<Record<string, unknown>>, signing?: Signing): Promise<string>
  /** Replaces the key; the old one is gone. */
  rotate(): Promise<void>
  close(): Promise<void>
}

export const audience = 'https://api.example.org'

export async function makeKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

export async function startIssuer(now: () => Date, name = 'staff'): Promise<TestIssuer> {
  let key = await makeKey('key-1')
  let rotations = 1
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { url = '' } = request
    asked.push(url)
    const send = (document: unknown) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(document))
    }
    switch (issuer.manner) {
      case 'silent':
        return
      case 'failing':
        return void response.writeHead(500).end()
      case 'moved':
        return void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
      case 'odd':
        return send({ keys: 'none' })
      default:
        if (url === '/certs') return send({ keys: [key.jwk] })
        if (url === '/.well-known/openid-configuration')
          return send({ issuer: address, jwks_uri: `${address}/certs` })
        return void response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer: TestIssuer = {
    url: address,
    settings: {
      name,
      issuer: address,
      audience: [audience],
      algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      account: 'sub',
    },
    asked,
    get key() {
      return key
    },
    manner: 'fine',
    async token(claims = {}, { header = {}, key: signer = key } = {}) {
      const seconds = Math.floor(now().getTime() / 1000)
      const usual = { iss: address, aud: audience, sub: 'ada', iat: seconds, exp: seconds + 3600 }
      const payload = Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined)
      return new SignJWT(Object.fromEntries(payload) as JWTPayload)
        .setProtectedHeader({ alg: signer.alg, kid: signer.kid, ...header })
        .sign(signer.privateKey, { crit: { made: true } })
    },
    async rotate() {
      rotations += 1
      key = await makeKey(`key-${rotations}`)
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return issuer
}
