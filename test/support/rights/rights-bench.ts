/** A gateway with the entities of a world, and an account whose roles change from case to case. */
import type { PlainRow, PlainValue } from '../plain-evaluator.ts'
import type { TestProduct } from '../products.ts'
import type { Random } from '../random.ts'
import { createAccount, logonAs } from '../test-accounts.ts'
import { type Answer, startTestGateway, type TestGateway } from '../test-gateway.ts'
import type { PlainCaller, WrittenAuthority } from './plain-rights.ts'
import { anyone, callerWith, randomOf, type WrittenRoute } from './random-rights.ts'
import {
  definitionsOf,
  randomValue,
  restValue,
  type State,
  type World,
  type WorldEntity,
} from './rights-world.ts'

export type Headers = Readonly<Record<string, string>>

/** What writes say of their origin. */
const origin = { 'x-xaas-xid': 'x', 'x-xaas-xname': 'n' }
const roleNames = ['one', 'two', 'three']

export class RightsBench {
  readonly world: World
  readonly #gateway: TestGateway
  readonly #token: string
  /** The texts that only the product can make, by entity and instance. */
  #globalIds = new Map<string, string>()
  #state: State = new Map()
  #isAnonymous = false
  #routeCount = 0
  #caller: PlainCaller = callerWith([], [], {})
  #ofRoles: readonly WrittenAuthority[] = []

  private constructor(gateway: TestGateway, token: string, world: World) {
    this.#gateway = gateway
    this.#token = token
    this.world = world
  }

  /** Starts one. */
  static async start(product: TestProduct, world: World): Promise<RightsBench> {
    const gateway = await startTestGateway(product)
    must(await gateway.request('POST', '/manage/entities', { body: definitionsOf(world) }), 201)
    for (const name of roleNames)
      must(await gateway.request('PUT', `/manage/roles/${name}`, { body: { authorities: [] } }))
    const account = await createAccount(gateway, 'caller', [])
    return new RightsBench(gateway, await logonAs(gateway, account), world)
  }

  /** Whether nothing is opened to anyone, and the caller has a token. */
  get hasOwnRightsOnly(): boolean {
    return !this.#isAnonymous && this.#routeCount === 0
  }

  get state(): State {
    return this.#state
  }

  get caller(): PlainCaller {
    return this.#caller
  }

  /** What went wrong inside, for a failing case. */
  get failures(): string {
    return this.#gateway.events
      .flatMap((event) =>
        'error' in event && event.error instanceof Error
          ? [String(event.error.stack), String(event.error.cause ?? '')]
          : [],
      )
      .slice(-2)
      .join('\n')
  }

  close(): Promise<void> {
    return this.#gateway.close()
  }

  /** The caller's authorities without those of public routes. */
  get ofRoles(): readonly WrittenAuthority[] {
    return this.#ofRoles
  }

  /** A request of the caller. */
  call(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    return this.#gateway.request(method, path, {
      token: this.#isAnonymous ? null : this.#token,
      headers: { ...origin, ...headers },
      ...(body !== undefined && { body }),
    })
  }

  /** A request of the administrator. */
  ask(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#gateway.request(method, path, { headers: origin, ...(body !== undefined && { body }) })
  }

  globalIdOf(entity: string, instance: PlainValue): string {
    const known = this.#globalIds.get(`${entity} ${instance}`)
    if (known === undefined) throw new Error(`No ${entity} ${instance}`)
    return known
  }

  /** Gives the account these roles and this metadata, beside these public routes. */
  async become(
    roles: readonly WrittenAuthority[][],
    metadata: Readonly<Record<string, unknown>>,
    routes: readonly WrittenRoute[] = [],
  ): Promise<void> {
    const names = roleNames.slice(0, roles.length)
    const written: WrittenAuthority[][] = []
    // A role without any conditions is not concerned by public routes where it allows the call.
    const conditional = { regex: '/apis/nothing', methods: ['GET'], rows: [] }
    for (const [index, name] of names.entries())
      written.push(await this.#writeRole(name, [...(roles[index] ?? []), conditional]))
    must(await this.ask('PATCH', '/manage/accounts/caller', { role: names, metadata }))
    const caller = callerWith(written, names, metadata)
    this.#ofRoles = caller.authorities
    this.#caller = { ...caller, authorities: [...caller.authorities, ...(await this.#writeRoutes(routes))] }
    this.#isAnonymous = false
  }

  /** Calls without a token from now on: only public routes count. */
  async becomeAnyone(routes: readonly WrittenRoute[]): Promise<void> {
    this.#ofRoles = []
    this.#caller = { ...anyone, authorities: await this.#writeRoutes(routes) }
    this.#isAnonymous = true
  }

  /** Replaces the public routes; those that name what no entity of theirs has are left out. */
  async #writeRoutes(routes: readonly WrittenRoute[]): Promise<readonly WrittenAuthority[]> {
    for (let index = 0; index < this.#routeCount; index += 1)
      await this.ask('DELETE', `/manage/routes/route-${index}`)
    this.#routeCount = routes.length
    const written: WrittenAuthority[] = []
    for (const [index, { path, authority }] of routes.entries()) {
      const { regex: _, ...content } = authority
      const route = { path, scope: 'public', ...content }
      const answer = await this.ask('PUT', `/manage/routes/route-${index}`, route)
      if (answer.status === 422 && JSON.stringify(answer.body).includes('has no field')) continue
      must(answer)
      written.push(authority)
    }
    return written
  }

  /** Writes a role, without the authorities that are refused because they name what no entity of theirs has. */
  async #writeRole(name: string, authorities: readonly WrittenAuthority[]): Promise<WrittenAuthority[]> {
    const answer = await this.ask('PUT', `/manage/roles/${name}`, { authorities })
    if (answer.status !== 422) {
      must(answer)
      return [...authorities]
    }
    const { errors } = answer.body as { errors: readonly { pointer: string; detail: string }[] }
    const refused = errors
      .filter(({ detail }) => detail.includes('has no field'))
      .map(({ pointer }) => Number(pointer.split('/')[2]))
    if (refused.length === 0) must(answer)
    return this.#writeRole(
      name,
      authorities.filter((_, index) => !refused.includes(index)),
    )
  }

  /** Reads all rows of all entities as the administrator. */
  async readState(): Promise<State> {
    const lists = [...this.world.values()].map(
      ({ name, columns }) => `${name} { edges { node { GlobalId ${[...columns.keys()].join(' ')} } } }`,
    )
    const { body } = await this.ask('POST', '/graphql', { query: `{ ${lists.join(' ')} }` })
    const { data } = body as { data: Record<string, { edges: { node: PlainRow }[] }> }
    const state = new Map<string, readonly PlainRow[]>()
    for (const { name } of this.world.values()) {
      const rows = (data[name]?.edges ?? []).map(({ node: { GlobalId, ...row } }) => {
        this.#globalIds.set(`${name} ${row.instance}`, String(GlobalId))
        return row as PlainRow
      })
      state.set(name, rows)
    }
    this.#state = state
    return state
  }

  /** Adds rows as the administrator until every entity has some, and takes some away where there are many. */
  async replenish(random: Random): Promise<void> {
    for (const entity of this.world.values()) {
      const rows = (await this.readState()).get(entity.name) ?? []
      const ids = ids12(entity)
      for (const { id } of rows.length > 9 ? rows.slice(0, 3) : [])
        await this.ask('DELETE', `/apis/${entity.resource}/${id}`)
      const wanted = rows.length > 4 ? [] : ids.filter((id) => !rows.some((row) => row.id === id)).slice(0, 8)
      for (const id of wanted)
        await this.ask('POST', `/apis/${entity.resource}`, {
          ...randomDocument(entity, this.#state, random),
          id,
        })
    }
    await this.readState()
  }
}

/** The identifiers that records of an entity may have. */
export function ids12({ name }: WorldEntity): readonly string[] {
  return Array.from({ length: 12 }, (_, index) => `${name.charAt(0).toLowerCase()}${index + 1}`)
}

/** A whole record with values that fit, but for what other records forbid. */
export function randomDocument(
  entity: WorldEntity,
  state: State,
  random: Random,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...entity.columns.values()]
      .filter(({ isSystem }) => !isSystem)
      .map((column) => {
        const { refersTo } = column
        const rows = refersTo ? (state.get(refersTo.entity) ?? []) : (state.get(entity.name) ?? [])
        const from = refersTo ? { ...column, name: refersTo.column } : column
        if (refersTo !== undefined && rows.length === 0) return [column.name, null] as const
        let value = column.name === 'id' ? random.pick(ids12(entity)) : randomOf(from, rows, random, 12)
        if (column.name === 'code' && random.below(5) > 0) value = randomValue(column, random)
        for (let tries = 0; value === null && !column.nullable && tries < 20; tries += 1)
          value = randomOf(from, rows, random, 12)
        return [column.name, restValue(column, value)] as const
      }),
  )
}

function must({ status, body }: Answer, wanted?: number): void {
  if (wanted === undefined ? status >= 300 : status !== wanted)
    throw new Error(`${status} ${JSON.stringify(body)}`)
}
