/** The tables of `foreign-worlds.ts`, with keys and values that are seen, that some worlds hide, and that are nowhere. */
import { hiddenKeys } from './foreign-worlds.ts'

export interface ForeignShape {
  readonly entity: string
  /** Where it is published, for an adopted table. */
  readonly resource?: string
  readonly key: readonly string[]
  /** Values of the key: the first few are of rows that are seen. */
  readonly keys: readonly (readonly unknown[])[]
  readonly values: Readonly<Record<string, readonly unknown[]>>
  readonly references: readonly string[]
  readonly collections: readonly string[]
  /** The argument for typed conditions. */
  readonly where: string
}

const region: ForeignShape = {
  entity: 'region',
  resource: 'regions',
  key: ['country', 'code'],
  keys: [
    ['de', 'a'],
    ['de', 'c'],
    ['de', 'far'],
    ['de', hiddenKeys.region(5)],
    ['at', hiddenKeys.region(2)],
    ['zz', 'zz'],
  ],
  values: {
    country: ['de', 'at'],
    code: ['a', 'far', hiddenKeys.region(5)],
    team: ['a', 'b'],
    label: ['region a', 'region 1', 'far 10'],
    size: [1, 10, null],
  },
  references: [],
  collections: ['siteCollection', 'siteCollectionByHome_countryHome_code'],
  where: 'where',
}

const keeper: ForeignShape = {
  entity: 'keeper',
  key: ['id'],
  keys: [['own'], ['far'], [hiddenKeys.keeper(5)], ['zz']],
  values: {
    id: ['own', 'far', hiddenKeys.keeper(5)],
    team: ['a', 'b'],
    name: ['own', 'far 10', 'keeper 5'],
  },
  references: [],
  collections: ['siteCollection'],
  where: 'where',
}

const site: ForeignShape = {
  entity: 'site',
  resource: 'sites',
  key: ['country', 'number'],
  keys: [
    ['de', 1],
    ['de', 2],
    ['de', 3],
    ['de', 5],
    ['de', 90],
    ['de', hiddenKeys.site(5)],
    ['de', hiddenKeys.site(2)],
    ['zz', 1],
  ],
  values: {
    country: ['de', 'fr'],
    number: [1, 2, 90, hiddenKeys.site(5)],
    team: ['a', 'b'],
    state: ['open', 'closed'],
    title: ['site 1', 'far 10', 'hidden 5'],
    secret: ['own 1', 'secret 3', 'secret 98', 'hidden 5', null],
    price: ['1.5', '3.25', '98.25', null],
    born: ['2026-01-01', '2026-03-04', null],
    extra: ['{"a":1}', '{"a":3}', null],
    code: ['a', 'b', 'far', hiddenKeys.region(5)],
    parent: [1, 90, hiddenKeys.site(5), null],
    home_country: ['de', 'fr'],
    home_code: ['a', 'far', null],
    keeper: ['own', 'far', hiddenKeys.keeper(5), null],
    shout: ['OWN 1', 'SECRET 3', null],
  },
  references: ['codeRef', 'site', 'home_codeRef', 'keeperRef'],
  collections: ['badgeCollection', 'siteCollection'],
  where: 'where',
}

const badge: ForeignShape = {
  entity: 'badge',
  resource: 'badges',
  key: ['id'],
  keys: [[10], [40], [50], [hiddenKeys.badge(5)], [hiddenKeys.badge(2)], [7777]],
  values: {
    id: [10, 40, hiddenKeys.badge(5)],
    team: ['a', null],
    site_country: ['de', null],
    site_number: [1, 3, hiddenKeys.site(5)],
    text: ['badge 1', 'last'],
    weight: [1, -106, 205, null],
  },
  references: ['site'],
  collections: [],
  where: 'where',
}

const order: ForeignShape = {
  entity: 'order',
  resource: 'orders',
  key: ['select'],
  keys: [['o1'], ['o2'], ['o5'], ['far'], [hiddenKeys.order(5)], ['zz']],
  values: {
    select: ['o1', 'o2', 'far', hiddenKeys.order(5)],
    team: ['a', 'b'],
    from: ['o1', 'far', null],
    group: [1, 3, 98, null],
    where: ['own 1', 'hidden 3', 'far 10'],
  },
  references: ['order'],
  collections: ['orderCollection'],
  where: 'where_',
}

const entry: ForeignShape = {
  entity: 'entry',
  key: [],
  keys: [],
  values: { team: ['a', 'b'], text: ['entry 1'], weight: [1, 3, 98, null] },
  references: [],
  collections: [],
  where: 'where',
}

const overview: ForeignShape = {
  entity: 'overview',
  key: [],
  keys: [],
  values: {
    country: ['de'],
    number: [1, 2, 90, hiddenKeys.site(5)],
    team: ['a', 'b'],
    state: ['open', 'closed'],
    title: ['site 1', 'hidden 5'],
    secret: ['own 1', 'secret 3', null],
  },
  references: [],
  collections: [],
  where: 'where',
}

export const shapes: readonly ForeignShape[] = [site, region, keeper, badge, order, entry, overview]
export const published = { site, region, badge, order }

/** The entity to which a reference or a collection leads. */
export function entityOf(relation: string): ForeignShape {
  if (/^(codeRef|home_codeRef)$/.test(relation)) return region
  if (relation === 'keeperRef') return keeper
  return [site, badge, order].find(({ entity }) => relation.startsWith(entity)) ?? site
}

/** The path of a record. */
export function pathOf({ resource }: ForeignShape, key: readonly unknown[]): string {
  return `/apis/${resource}/${key.join(',')}`
}

/** The GlobalId of a row. */
export function globalIdOf({ entity }: ForeignShape, key: readonly unknown[]): string {
  const shown = key.length === 1 ? String(key[0]) : JSON.stringify(key.map(String))
  return Buffer.from(`${entity}_:${shown}`).toString('base64')
}
