import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose'

/** What a provider does otherwise than it should, in one log-in. */
export interface Fault {
  /** Changes the claims of the ID token; a claim that is undefined is left out. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  /** Which key signs: a known one, one that nobody knows, or none. */
  readonly signature?: 'good' | 'unknown key' | 'none' | 'client secret' | 'broken'
  /** Claims of the userinfo endpoint. */
  readonly userinfo?: Readonly<Record<string, unknown>>
  /** Says why the token endpoint refuses a request, by its error; undefined if it does not. */
  readonly refuses?: (request: {
    readonly body: string
    readonly authorization: string
  }) => { readonly error: string; readonly status?: number; readonly challenge?: true } | undefined
  /** What the API for e-mail addresses answers, with this status. */
  readonly emails?: { readonly status: number; readonly list: unknown }
  /** Answers the token endpoint itself. */
  readonly token?: (response: ServerResponse) => void
  readonly keys?: (response: ServerResponse) => void
  /** Parameters of the answer that the browser brings. */
  readonly answer?: Readonly<Record<string, string>>
  /** There is another key before the one that signs. */
  readonly severalKeys?: true
  /** Changes what the provider says of itself. */
  readonly discovery?: object
  /** No ID token is given. */
  readonly noIdToken?: true
  /** Seconds until access tokens end. */
  readonly expiresIn?: number
  /** How long the token endpoint takes, in milliseconds. */
  readonly slowMs?: number
  /** The token endpoint changes the key just before it signs. */
  readonly rotatesKeys?: true
}

/** An OpenID provider that can be told to do wrong. */
export interface FaultyProvider {
  readonly issuer: string
  fault: Fault
  /** The requests that came, by path, with their bodies. */
  readonly requests: { readonly path: string; readonly body: string; readonly authorization: string }[]
  /** A token of this provider with these claims. */
  sign(claims: JWTPayload, fault?: Fault): Promise<string>
  /** Signs with another key from now on; the one before is known no longer. */
  rotateKeys(): Promise<void>
  close(): Promise<void>
}

export const faultyClient = { id: 'client', secret: 'the secret of the client' }

export async function startFaultyProvider(): Promise<FaultyProvider> {
  let good = await generateKeyPair('RS256', { extractable: true })
  const unknown = await generateKeyPair('RS256', { extractable: true })
  let jwk: JWK = { ...(await exportJWK(good.publicKey)), kid: 'good', alg: 'RS256', use: 'sig' }
  const unknownJwk: JWK = {
    ...(await exportJWK(unknown.publicKey)),
    kid: 'unknown',
    alg: 'RS256',
    use: 'sig',
  }
  const nonces = new Map<string, string>()
  const requests: FaultyProvider['requests'] = []
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`

  async function rotateKeys(): Promise<void> {
    good = await generateKeyPair('RS256', { extractable: true })
    jwk = { ...jwk, ...(await exportJWK(good.publicKey)), kid: `${jwk.kid}+` }
  }

  async function sign(claims: JWTPayload, { signature = 'good', header = {} }: Fault = {}): Promise<string> {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    if (signature === 'none') return `${encode({ alg: 'none' })}.${encode(claims)}.`
    if (signature === 'client secret') {
      const secret = new TextEncoder().encode(faultyClient.secret)
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret)
    }
    const key = signature === 'unknown key' ? unknown.privateKey : good.privateKey
    const protectedHeader: JWTHeaderParameters = { alg: 'RS256', kid: jwk.kid ?? '', ...header }
    const token = await new SignJWT(claims)
      .setProtectedHeader(JSON.parse(JSON.stringify(protectedHeader)))
      .sign(key)
    return signature === 'broken' ? `${token.slice(0, -6)}AAAAAA` : token
  }

  function claimsFor(code: string): JWTPayload {
    const nonce = nonces.get(code)
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: issuer,
      sub: 'ada',
      aud: faultyClient.id,
      iat: now,
      exp: now + 300,
      nonce,
      sid: 's-1',
    }
    return JSON.parse(JSON.stringify({ ...claims, ...running.fault.claims }))
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    let body = ''
    for await (const piece of request) body += piece
    requests.push({ path: pathname, body, authorization: request.headers.authorization ?? '' })
    const { fault } = running
    const parameters = new URLSearchParams(body)
    const send = (document: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
    switch (pathname) {
      case '/.well-known/openid-configuration':
        send({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/keys`,
          authorization_response_iss_parameter_supported: true,
          id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          ...fault.discovery,
        })
        return
      case '/authorize': {
        const code = `code-${nonces.size}`
        nonces.set(code, searchParams.get('nonce') ?? '')
        const back = new URL(searchParams.get('redirect_uri') ?? '')
        const state = searchParams.get('state') ?? ''
        back.search = new URLSearchParams({ code, state, iss: issuer, ...fault.answer }).toString()
        response.writeHead(303, { location: back.href }).end()
        return
      }
      case '/token':
        if (fault.token !== undefined) return fault.token(response)
        if (refuse(fault.refuses?.({ body, authorization: request.headers.authorization ?? '' }), response))
          return
        await new Promise((resolve) => setTimeout(resolve, fault.slowMs ?? 0))
        if (fault.rotatesKeys) await rotateKeys()
        send({
          access_token: `access-${requests.length}`,
          token_type: 'Bearer',
          expires_in: fault.expiresIn ?? 300,
          refresh_token: 'refresh',
          ...(fault.noIdToken || parameters.get('grant_type') === 'client_credentials'
            ? {}
            : { id_token: await sign(claimsFor(parameters.get('code') ?? ''), fault) }),
        })
        return
      case '/userinfo':
        send({ sub: 'ada', name: 'Ada', secret_claim: 'x', ...fault.userinfo })
        return
      case '/emails': {
        const { status, list } = fault.emails ?? { status: 404, list: { message: 'Not Found' } }
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(list))
        return
      }
      case '/keys':
        if (fault.keys !== undefined) return fault.keys(response)
        send({ keys: fault.severalKeys ? [unknownJwk, jwk] : [jwk] })
        return
      default:
        response.writeHead(404).end()
    }
  }

  const running: FaultyProvider = {
    issuer,
    fault: {},
    requests,
    sign,
    rotateKeys,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return running
}

function refuse(refusal: ReturnType<NonNullable<Fault['refuses']>>, response: ServerResponse): boolean {
  if (refusal === undefined) return false
  const challenge = refusal.challenge ? { 'www-authenticate': 'Basic realm="provider"' } : {}
  response
    .writeHead(refusal.status ?? 401, { 'content-type': 'application/json', ...challenge })
    .end(JSON.stringify({ error: refusal.error, error_description: 'It is not right.' }))
  return true
}
