import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

/** A real OpenID provider on this machine, where whoever comes is logged in as one account at once. */
export interface OpenidProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Who logs in next. */
  account: string
  /** What happened there: names of events. */
  readonly events: readonly string[]
  /** How many requests came to a path. */
  readonly requests: ReadonlyMap<string, number>
  /** Answers every request with this status while it is set. */
  away: number | undefined
  /** How long the token endpoint takes, in milliseconds. */
  slowMs: number
  /** Seconds until access tokens end that it gives. */
  accessTokenSeconds: number
  /** The tokens that were shown at its userinfo endpoint, in their order. */
  readonly bearers: readonly string[]
  /** Takes no refresh token any more that it gave. */
  forgetRefreshTokens(): void
  /** Signs with another key from now on. */
  rotateKeys(): Promise<void>
  close(): Promise<void>
}

const clientId = 'gatehouse'
const clientSecret = 'a-secret-of-the-client'

/** What distinguishes providers from each other. */
export interface OpenidTraits {
  /** The path of the issuer, such as `/realms/staff`. */
  readonly path?: string
  /** How clients may authenticate, as the metadata says, and how this one does. */
  readonly authenticationMethods?: readonly [string, ...string[]]
  /** The claims of a scope. */
  readonly claims?: Readonly<Record<string, readonly string[]>>
  /** The values of claims. */
  readonly person?: Readonly<Record<string, unknown>>
  /** Whether the ID token has all claims; otherwise only the userinfo has. */
  readonly claimsInIdToken?: boolean
  /** The scopes that it knows, if not the usual ones. */
  readonly scopes?: readonly string[]
  /** The client’s secret, if not the usual one. */
  readonly secret?: string
}

export async function startOpenidProvider(
  redirectUris: () => readonly string[],
  traits: OpenidTraits = {},
): Promise<OpenidProvider> {
  const events: string[] = []
  const requests = new Map<string, number>()
  const bearers: string[] = []
  const records = new Map<string, Record<string, unknown>>()
  let serve: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async () => {}
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const { path: prefix = '', authenticationMethods, secret = clientSecret } = traits
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}${prefix}`

  const running: OpenidProvider = {
    issuer,
    clientId,
    clientSecret: secret,
    account: 'ada',
    events,
    requests,
    away: undefined,
    slowMs: 0,
    accessTokenSeconds: 3600,
    bearers,
    forgetRefreshTokens() {
      for (const key of records.keys()) if (key.startsWith('RefreshToken:')) records.delete(key)
    },
    rotateKeys: async () => {
      serve = await build()
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }

  async function build() {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const kid = `key-${records.size}-${Date.now()}`
    const key = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }
    const provider = new Provider(issuer, {
      adapter: adapterFor(records),
      clients: [
        {
          client_id: clientId,
          client_secret: secret,
          ...(authenticationMethods === undefined
            ? {}
            : { token_endpoint_auth_method: authenticationMethods[0] }),
          redirect_uris: redirectUris(),
          post_logout_redirect_uris: redirectUris().map((uri) => `${new URL(uri).origin}/`),
          grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
          response_types: ['code'],
          backchannel_logout_uri: undefined,
        },
      ],
      jwks: { keys: [key] },
      cookies: { keys: ['a key for the cookies of tests'] },
      ...(authenticationMethods === undefined ? {} : { clientAuthMethods: [...authenticationMethods] }),
      claims: traits.claims ?? {
        openid: ['sub'],
        profile: ['name', 'picture', 'department'],
        email: ['email', 'email_verified'],
      },
      conformIdTokenClaims: !(traits.claimsInIdToken ?? true),
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        revocation: { enabled: true },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: { enabled: true },
      },
      scopes: traits.scopes ?? ['openid', 'offline_access', 'profile', 'email', 'api'],
      pkce: { required: () => true },
      rotateRefreshToken: true,
      issueRefreshToken: async () => true,
      ttl: {
        AccessToken: () => running.accessTokenSeconds,
        IdToken: 3600,
        RefreshToken: 86_400,
        Grant: 86_400,
        Session: 86_400,
        Interaction: 600,
      },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `${prefix}/interaction/${uid}` },
      findAccount: async (_context: unknown, accountId: string) => ({
        accountId,
        claims: async () => ({
          sub: accountId,
          name: `Name of ${accountId}`,
          picture: `https://images.example.org/${accountId}.png`,
          email: `${accountId}@example.org`,
          email_verified: true,
          department: 'ports',
          ...traits.person,
        }),
      }),
    })
    for (const event of [
      'grant.success',
      'grant.error',
      'grant.revoked',
      'refresh_token.consumed',
      'end_session.success',
    ])
      provider.on(event, () => events.push(event))
    const callback = provider.callback()
    return async (request: IncomingMessage, response: ServerResponse) => {
      // What is mounted at a path finds the whole one in `originalUrl`.
      Object.assign(request, { originalUrl: request.url, url: request.url?.slice(prefix.length) })
      const path = new URL(request.url ?? '/', issuer).pathname
      requests.set(path, (requests.get(path) ?? 0) + 1)
      if (path === '/me') bearers.push(request.headers.authorization?.replace(/^Bearer /, '') ?? '')
      if (running.away !== undefined) {
        response.writeHead(running.away).end()
        return
      }
      if (path === '/token') await new Promise((resolve) => setTimeout(resolve, running.slowMs))
      if (!path.startsWith('/interaction/')) return callback(request, response)
      await interact(provider, running.account, request, response)
    }
  }

  serve = await build()
  return running
}

async function interact(
  provider: Provider,
  accountId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response)
  const options = { mergeWithLastSubmission: true }
  if (accountId === '') {
    const error = { error: 'access_denied', error_description: '<script>alert(1)</script>' }
    await provider.interactionFinished(request, response, error, options)
    return
  }
  if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, { login: { accountId } }, options)
    return
  }
  const grant = new provider.Grant({ accountId, clientId: params.client_id ?? '' })
  grant.addOIDCScope(params.scope ?? '')
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } }, options)
}

/** Keeps the records of a provider over a change of its keys. */
function adapterFor(records: Map<string, Record<string, unknown>>) {
  return (model: string) => {
    const keyOf = (id: string) => `${model}:${id}`
    const find = async (id: string) => records.get(keyOf(id))
    const findBy = async (field: string, value: string) =>
      [...records].find(([key, record]) => key.startsWith(`${model}:`) && record[field] === value)?.[1]
    return {
      find,
      findByUid: (uid: string) => findBy('uid', uid),
      findByUserCode: (code: string) => findBy('userCode', code),
      async upsert(id: string, record: Record<string, unknown>) {
        records.set(keyOf(id), record)
      },
      async destroy(id: string) {
        records.delete(keyOf(id))
      },
      async consume(id: string) {
        const record = records.get(keyOf(id))
        if (record !== undefined) record.consumed = Math.floor(Date.now() / 1000)
      },
      async revokeByGrantId(grantId: string) {
        for (const [key, record] of records) if (record.grantId === grantId) records.delete(key)
      },
    }
  }
}
