/** A gateway that has something on every page of the console: the database of the tutorial, and a program that serves it. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { chromiumPath } from './browser.ts'
import { type ConsoleJourney, startConsoleJourney } from './console-journey.ts'
import { temporaryFolder } from './temporary-folder.ts'

const letter = `<!doctype html>
<html lang="en"><head><title>Reminder</title><style>body { font-family: sans-serif } h1 { color: #1c4e80 }</style></head>
<body><h1>Dear {{name}}</h1><p>Please return these films:</p>
<ul>{{#each films}}<li>{{title}}, due {{due}}</li>{{/each}}</ul><p>Your film rental</p></body></html>
`

const templates = {
  reminder: { format: 'html', text: letter, schema: { type: 'object', required: ['name', 'films'] } },
  films: { format: 'csv', text: 'title,length\n{{#each films}}{{title}},{{length}}\n{{/each}}' },
}

const first = {
  name: 'Complaint',
  category: 'service',
  attributes: {
    identifier: { field_name: 'id', field_type: 'string' },
    local_fields: [
      { field_name: 'subject', field_type: 'string', field_nullable: false },
      { field_name: 'state', field_type: 'string', field_enum: ['open', 'answered', 'closed'] },
      { field_name: 'phone', field_type: 'string' },
    ],
    ref_fields: [],
  },
}

/** The second version of the same entity. */
const second = {
  ...first,
  attributes: {
    ...first.attributes,
    local_fields: [
      ...first.attributes.local_fields,
      { field_name: 'receivedAt', field_type: 'DateTime' },
      { field_name: 'refund', field_type: 'float' },
    ],
  },
}

const complaints = [
  { id: 'c1', subject: 'The disc is scratched', state: 'open', phone: '14033335568', refund: 2.99 },
  { id: 'c2', subject: 'Wrong film in the box', state: 'answered', phone: '6172235589' },
  { id: 'c3', subject: 'Charged twice', state: 'closed', phone: '28303384290', refund: 4.99 },
]

/**
 * Starts it. Accounts: `robin` may read and change films, `dana` has half of the rights, `guest` has none. Rights on
 * `Complaint` have those only who may do everything.
 */
export async function startConsoleSample(): Promise<ConsoleJourney> {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'sakila.sqlite')
  const database = new DatabaseSync(file)
  database.exec(await readFile('examples/sakila.sql', 'utf8'))
  database.close()
  const config = join(folder.path, 'gatehouse.json')
  const front = { echo: { templates, browser: chromiumPath, sandbox: false } }
  await writeFile(config, JSON.stringify({ front }))
  const journey = await startConsoleJourney('--config', config, '--db_product', 'sqlite', '--db_name', file)
  await fill(journey)
  return {
    ...journey,
    async close() {
      await journey.close()
      await folder.remove()
    },
  }
}

async function fill({ call, addAccount }: ConsoleJourney): Promise<void> {
  await call('POST', '/manage/entities/adopt', { tables: ['film', 'actor', 'category', 'language'] })
  await call('POST', '/manage/entities', first)
  await call('POST', '/manage/entities', second)
  await call('POST', '/apis/complaints', complaints)
  await call('POST', '/manage/roles', {
    name: 'clerk',
    authorities: [
      { regex: '/apis/films(/.*)?', methods: ['GET', 'PATCH'] },
      { regex: '/apis/actors(/.*)?', methods: ['GET'] },
    ],
  })
  const metadata = { shop: 'Lethbridge' }
  await call('POST', '/manage/accounts', {
    username: 'robin',
    password: 'a long pass phrase',
    role: 'clerk',
    metadata,
  })
  await addAccount('dana', [
    { regex: '/manage/(entities|drift|roles|routes|route-health|status|audit)(/.*)?', methods: ['GET'] },
    { regex: '/manage/openapi.json|/openapi.json', methods: ['GET'] },
    { regex: '/graphql/(film|language)', methods: ['POST'] },
    { regex: '/apis/films(/.*)?', methods: ['GET', 'PATCH'] },
  ])
  await addAccount('guest', [])
  await call('POST', '/manage/routes', {
    name: 'weather',
    path: '/weather/*',
    methods: ['GET'],
    scope: 'public',
    target: 'http://127.0.0.1:8899',
  })
}
