import type { Route } from '../../http/routes.ts'
import type { IdentityKey } from './identity-keys.ts'

/** `GET /.well-known/jwks.json`: the public keys of all secrets: https://www.rfc-editor.org/rfc/rfc7517#section-5 */
export function jwksRoute(keys: readonly IdentityKey[]): Route {
  const body = Buffer.from(JSON.stringify({ keys: keys.map(({ publicKey }) => publicKey) }))
  return {
    path: '/.well-known/jwks.json',
    access: 'open',
    methods: {
      async GET(_request, reply) {
        return reply
          .header('cache-control', 'public, max-age=60')
          .header('cross-origin-resource-policy', 'cross-origin')
          .type('application/jwk-set+json')
          .send(body)
      },
    },
  }
}
