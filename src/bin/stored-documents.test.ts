import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { readStoredDocuments } from './stored-documents.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder.remove())

/** Writes files, and gives the path of the folder that holds them. */
async function files(name: string, contents: Readonly<Record<string, unknown>>): Promise<string> {
  for (const [file, content] of Object.entries(contents)) {
    const path = join(folder.path, name, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return join(folder.path, name)
}

const ports = 'query Ports { Port { totalCount } }'
const tenants = 'query Tenants { Tenant { totalCount } }'

test('reads folders, maps of documents, and manifests of Apollo', async () => {
  const queries = await files('queries', {
    'ports.graphql': ports,
    'admin/tenants.gql': tenants,
    'admin/relay.json': { d41d8cd98f: ports, a7ffc6f8bf: tenants },
    'README.md': 'no document',
  })
  const manifest = await files('apollo', {
    'persisted-query-manifest.json': {
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [{ id: 'f0e1', name: 'Ports', type: 'query', body: ports }],
    },
  })
  const reading = readStoredDocuments([
    queries,
    join(manifest, 'persisted-query-manifest.json'),
    join(queries, 'ports.graphql'),
  ])
  expect([Object.fromEntries(reading.documents), reading.mistakes]).toEqual([
    { 'admin/tenants': tenants, d41d8cd98f: ports, a7ffc6f8bf: tenants, ports, f0e1: ports },
    [],
  ])
})

const takes =
  '…: takes documents by id, as Relay writes them, or a manifest of Apollo with an id and a body for each operation'

test('says everything that is wrong', async () => {
  const path = await files('broken', {
    'a.graphql': '{ Port {\n totalCount',
    'b.graphql': 'fragment F on Port_ { id }',
    'c/deep.graphql': `{ ${'a { '.repeat(50_000)}`,
    'd.json': '{',
    'e.json': ['{ __typename }'],
    'f.json': { operations: [{ name: 'Ports', body: ports }] },
    'g.json': { one: '{ Port' },
    'h/same.graphql': ports,
  })
  await files('broken/h2', { 'h/same.graphql': tenants })
  const empty = await files('empty', { 'notes.txt': '' })
  const each = ['a.graphql', 'b.graphql', 'c', 'd.json', 'e.json', 'f.json', 'g.json', 'h', 'h2/h', 'none']
  const { mistakes } = readStoredDocuments([...each.map((name) => join(path, name)), empty])
  expect(mistakes.map((mistake) => mistake.replace(/^persisted: "[^"]*"/, '…'))).toEqual([
    '…: line 2, column 12: Syntax Error: Expected Name, found <EOF>.',
    '…: holds no operation; a query stands in one file with its fragments',
    '…: is nested too deeply',
    '…: is not JSON',
    takes,
    takes,
    '…, "one": line 1, column 7: Syntax Error: Expected Name, found <EOF>.',
    '…: another document has the id "same", too',
    '…: there is no such file or folder',
    '…: the folder has no file that ends in .graphql, .gql, .json',
  ])
})
