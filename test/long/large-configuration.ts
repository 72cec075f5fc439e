/** As much configuration as a gateway is built for: entities, roles, routes, accounts and tokens. */
import { randomBytes } from 'node:crypto'
import { bootstrap } from '../../src/access/administration/bootstrap.ts'
import { hashOfAuthToken, newAuthToken } from '../../src/access/authentication/auth-token.ts'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { resourceName } from '../../src/entity/definition/resource-name.ts'
import { openStore } from '../../src/store/store.ts'
import { withEntities } from '../support/published-entities.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'

const sizes = { entities: 2000, roles: 1000, routes: 1000, accounts: 10_000 }
export const administrator = { username: 'admin', password: 'correct horse battery', apiKey: 'k'.repeat(40) }
/** A token of an account whose role has as many authorities as it may have, none of which says much. */
export const vagueToken = newAuthToken(randomBytes)

const numbered = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, i) => make(i))
const moment = '2026-11-21T06:00:00.000Z'
const end = '2099-01-01T00:00:00.000Z'

/** The name of the entity with a number. */
export const entityName = (index: number) => `Thing${index}x`
/** Where it is published, below `/apis/`. */
export const resourceOf = (index: number) => resourceName(entityName(index))

/** What prepares a database for a gateway. */
export async function prepareLargeConfiguration(options: DatabaseOptions): Promise<void> {
  const entities = numbered(sizes.entities, (index) =>
    definition(entityName(index), {
      local: [
        field('name', 'string'),
        field('count', 'integer'),
        field('more', 'object'),
        field('price', 'decimal'),
      ],
      refs: index % 2 === 0 ? [] : [reference('other', entityName(index - 1), 'id')],
    }),
  )
  // As many as an upload takes.
  for (let start = 0; start < entities.length; start += 1000) {
    await withEntities(entities.slice(start, start + 1000))(options)
  }
  const database = await openDatabase(options)
  try {
    const store = await openStore(database)
    const { password, apiKey } = administrator
    await bootstrap({ store, now: () => new Date(moment), randomBytes, password, apiKey })
    await store.transaction(async (connection) => {
      for (const index of numbered(sizes.roles, (i) => i)) {
        const authorities = numbered(3, (n) => ({
          regex: `/apis/${resourceOf(index)}(/${n})?|/shop${index}/.*`,
          methods: ['GET', 'POST'],
        }))
        await store.roles.insert(connection, { name: `role${index}`, authorities })
      }
      const vague = numbered(1000, (n) => ({
        regex: `.*[a-z.]+(${n}[0-9]*x|json)(es)?(/.*)?`,
        methods: ['GET', 'POST', 'PATCH'],
      }))
      await store.roles.insert(connection, { name: 'vague', authorities: vague })
      for (const index of numbered(sizes.routes, (i) => i)) {
        await store.apiRoutes.insert(connection, {
          name: `route${index}`,
          path: index % 2 === 0 ? `/shop${index}/*` : `/apis/${resourceOf(index)}/:id`,
          methods: ['GET'],
          scope: index % 10 === 1 ? 'public' : 'protected',
          ...(index % 2 === 0 ? { target: 'http://127.0.0.1:9' } : {}),
        })
      }
      const account = { passwordHash: 'none', disabled: false, metadata: { note: 'x' }, createdAt: moment }
      const forEver = { expireDays: undefined, expiresAt: undefined }
      await store.accounts.insert(connection, { ...account, ...forEver, username: 'vague', roles: ['vague'] })
      const tokenHash = hashOfAuthToken(vagueToken) ?? ''
      await store.tokens.insert(connection, {
        tokenHash,
        username: 'vague',
        createdAt: moment,
        expiresAt: end,
      })
      for (const index of numbered(sizes.accounts, (i) => i)) {
        const username = `user${index}`
        const roles = [`role${index % sizes.roles}`]
        await store.accounts.insert(connection, { ...account, ...forEver, username, roles })
        const tokenHash = randomBytes(32).toString('hex')
        await store.tokens.insert(connection, { tokenHash, username, createdAt: moment, expiresAt: end })
      }
    })
  } finally {
    await database.driver.close()
  }
}
