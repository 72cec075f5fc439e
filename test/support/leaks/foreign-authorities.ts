/** What the roles say on tables of another program: rows by conditions, also through references, and fields by conditions. */

/** One sees some rows, one some fields on some of them, and one what authorities for all paths give. */
export const foreignAccounts = ['rows', 'cells', 'whole'] as const
export type ForeignAccount = (typeof foreignAccounts)[number]

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const ofTeam = { key: 'team', op: '==', val: { account: 'metadata.team' } }
const isOpen = { key: 'state', op: '==', val: 'open' }
const own = { regex: '/openapi.json|/whoami.*', methods: ['GET', 'POST'] }
const published = (resource: string, entity: string) => ({
  regex: `/apis/${resource}(/.*)?|/graphql/${entity}`,
  methods,
})
const served = (entity: string) => ({ regex: `/graphql/${entity}`, methods: ['POST'] })
const regions = { ...published('regions', 'region'), rows: [ofTeam] }
const keepers = { ...served('keeper'), rows: [ofTeam] }
const entries = { ...served('entry'), rows: [ofTeam] }
const sites = published('sites', 'site')
const badges = published('badges', 'badge')
const orders = published('orders', 'order')
const givenOfSites = ['country', 'number', 'team', 'state', 'title', 'code', 'home_country', 'home_code']
const hiddenOfSites = ['secret', 'price', 'born', 'extra', 'parent', 'keeper', 'shout']

/** Of each table what is given everywhere: an authority gives nothing where one of its fields is missing. */
const seenFields = [
  ['country', 'code', 'team', 'label', 'size'],
  ['id', 'team', 'name'],
  givenOfSites,
  ['id', 'team', 'site_country', 'site_number', 'text'],
  ['select', 'team', 'from'],
  ['team', 'text'],
  ['country', 'number', 'team', 'state', 'title'],
]
const everywhere = (read: readonly string[]) => ({
  regex: '/(apis|graphql)(/.*)?',
  methods,
  rows: [ofTeam],
  fields: { read },
})

export const foreignAuthorities: Readonly<Record<ForeignAccount, readonly object[]>> = {
  rows: [
    own,
    regions,
    keepers,
    { ...sites, rows: [ofTeam, isOpen] },
    {
      ...badges,
      rows: [
        { key: 'site.team', op: '==', val: { account: 'metadata.team' } },
        { key: 'site.state', op: '==', val: 'open' },
        { key: 'weight', op: '>', val: 0 },
        ofTeam,
      ],
    },
    { ...orders, rows: [ofTeam, { key: 'where', op: 'starts', val: 'own' }] },
    { ...entries, rows: [ofTeam, { key: 'weight', op: '<', val: 10 }] },
    { ...served('overview'), rows: [ofTeam, isOpen] },
  ],
  cells: [
    own,
    {
      ...regions,
      fields: { read: ['country', 'code', 'label', 'team'], write: ['country', 'code', 'label'] },
      set: { team: 'a' },
    },
    keepers,
    {
      ...sites,
      rows: [ofTeam],
      fields: { read: givenOfSites, write: ['number', 'title', 'code', 'home_country', 'home_code'] },
    },
    { ...sites, rows: [ofTeam, isOpen], fields: { read: [...givenOfSites, ...hiddenOfSites] } },
    {
      ...badges,
      rows: [ofTeam],
      fields: { read: ['id', 'site_country', 'site_number'], write: ['site_country', 'site_number'] },
    },
    { ...badges, rows: [ofTeam, { key: 'weight', op: '>', val: 0 }] },
    { ...orders, rows: [ofTeam], fields: { read: ['select', 'from', 'team'], write: ['select', 'from'] } },
    { ...orders, rows: [ofTeam, { key: 'where', op: 'starts', val: 'own' }] },
    { ...entries, rows: [ofTeam], fields: { read: ['text', 'team'] } },
    { ...served('overview'), rows: [ofTeam], fields: { read: ['country', 'number', 'team', 'title'] } },
    { ...served('overview'), rows: [ofTeam, isOpen] },
  ],
  whole: [own, ...seenFields.map(everywhere)],
}
