import { type ServerProduct, serverPorts } from './database-options.ts'
import type { OptionType } from './option-types.ts'

/** A database address in one line. */
export type DatabaseAddress =
  | { readonly product: 'sqlite'; readonly file: string }
  | {
      readonly product: ServerProduct
      readonly host: string
      /** Undefined for the usual port of the product. */
      readonly port: number | undefined
      readonly user: string
      readonly password: string | undefined
      readonly name: string
      /** Only for postgresql: where tables are created. */
      readonly schema: string
      readonly tls: boolean
      /** Only for postgresql: like `db_pooler` for the connected database. */
      readonly pooler: Pooler
    }

const servers = Object.keys(serverPorts) as readonly ServerProduct[]
const poolers = ['auto', 'none', 'transaction'] as const
type Pooler = (typeof poolers)[number]

/** `sqlite:FILE`, `postgresql://USER:PASSWORD@HOST:PORT/NAME?schema=…&tls=true&pooler=none` or `mysql://…`. */
export const databaseAddress: OptionType<DatabaseAddress> = {
  takes: 'sqlite:FILE, postgresql://USER:PASSWORD@HOST:PORT/NAME or mysql://USER:PASSWORD@HOST:PORT/NAME',
  placeholder: 'ADDRESS',
  holdsSecret: (address) => address.product !== 'sqlite' && address.password !== undefined,
  parse(raw) {
    const file = /^sqlite:(.+)$/.exec(raw)?.[1]
    if (file !== undefined) return { product: 'sqlite', file }
    const address = URL.parse(raw)
    const product = servers.find((name) => address?.protocol === `${name}:`)
    if (address === null || product === undefined || address.hostname === '') return undefined
    const name = decoded(address.pathname.slice(1))
    const user = decoded(address.username)
    if (name === undefined || user === undefined || name === '' || user === '') return undefined
    for (const parameter of address.searchParams.keys()) {
      if (!['schema', 'tls', 'pooler'].includes(parameter)) return undefined
    }
    const givenPooler = address.searchParams.get('pooler')
    const pooler = poolers.find((known) => known === (givenPooler ?? 'auto'))
    if (pooler === undefined || (givenPooler !== null && product !== 'postgresql')) return undefined
    return {
      product,
      host: address.hostname.replace(/^\[(.+)\]$/, '$1'),
      port: address.port === '' ? undefined : Number(address.port),
      user,
      password: address.password === '' ? undefined : decoded(address.password),
      name,
      schema: address.searchParams.get('schema') ?? 'public',
      tls: address.searchParams.get('tls') === 'true',
      pooler,
    }
  },
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
