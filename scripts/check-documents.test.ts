import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../test/support/temporary-folder.ts'
import { findUntrueDocuments } from './check-documents.ts'
import { layers } from './check-layers.ts'

const layersText = layers.map((names, level) => `   ${level}  ${names.join('  ')}`).join('\n')

async function mistakesIn(documents: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = await temporaryFolder()
  try {
    const files = { 'src/graphql/planning/plan.ts': '', 'ARCHITECTURE.md': layersText, ...documents }
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder.path, path)), { recursive: true })
      await writeFile(join(folder.path, path), text)
    }
    return findUntrueDocuments(folder.path)
  } finally {
    await folder.remove()
  }
}

test('documents may name files and folders by the end of their paths', async () => {
  const text =
    'See `src/graphql/planning/plan.ts`, `planning/plan.ts`, `graphql/` and [it](src/graphql/planning/plan.ts).'
  expect(await mistakesIn({ 'README.md': text })).toEqual([])
})

test('a file, a folder or a link that is not there is named', async () => {
  const text = 'See `planning/gone.ts`, `graphql/operation/` and [it](docs/gone.md#here).'
  expect(await mistakesIn({ 'README.md': text })).toEqual([
    'README.md links to docs/gone.md, which is not there.',
    'README.md names planning/gone.ts, which is not there.',
    'README.md names graphql/operation/, which is not there.',
  ])
})

test('a row with other cells than the head of its table is named', async () => {
  const rows = [
    '| I want to | open |',
    '|---|---|',
    '| fly | `README.md` |',
    '| swim | `README.md` | now |',
    '| here |',
  ]
  const text = [
    ...rows,
    '',
    '```',
    '| no table',
    '```',
    '| a \\| b | c |',
    '|---|---|',
    '| d | e \\| f |',
  ].join('\n')
  expect(await mistakesIn({ 'README.md': text })).toEqual([
    "README.md has a row with other cells than its table's head: | swim | `README.md` | now |",
    "README.md has a row with other cells than its table's head: | here |",
  ])
})

test('layers that are told otherwise are named', async () => {
  const architecture = layersText.replace('0  util', '0  util  query')
  expect(await mistakesIn({ 'ARCHITECTURE.md': architecture })).toEqual([
    'ARCHITECTURE.md says that layer 0 is util, query; it is util.',
  ])
})

const decision = (number: number) => `# ${number}. Title\n\nDate: 2026-11-21\n\nStatus: accepted\n\nText.\n`

test('decisions are numbered, dated, and listed with their status', async () => {
  expect(
    await mistakesIn({
      'docs/decisions/0001-one.md': decision(1),
      'docs/decisions/0002-two.md': decision(2).replace('accepted', 'superseded by [1](0001-one.md)'),
      'docs/decisions/README.md': '[One](0001-one.md) [Two](0002-two.md)',
    }),
  ).toEqual([])
})

test('decisions with a gap, another number, no date, or that are not listed are named', async () => {
  expect(
    await mistakesIn({
      'docs/decisions/0001-one.md': decision(2),
      'docs/decisions/0002-two.md': decision(2).replace('Date: 2026-11-21', ''),
      'docs/decisions/0004-four.md': decision(4),
      'docs/decisions/README.md': '[One](0001-one.md) [Two](0002-two.md)',
    }),
  ).toEqual([
    'docs/decisions/0001-one.md has to begin with "# 1. Title", "Date: YYYY-MM-DD" and "Status: accepted".',
    'docs/decisions/0002-two.md has to begin with "# 2. Title", "Date: YYYY-MM-DD" and "Status: accepted".',
    'docs/decisions/0004-four.md is decision 3, and its name says otherwise.',
    'docs/decisions/0004-four.md has to begin with "# 3. Title", "Date: YYYY-MM-DD" and "Status: accepted".',
    'docs/decisions/README.md does not list 0004-four.md.',
  ])
})

test('a decision without a number is named', async () => {
  const files = { 'docs/decisions/one.md': '# One\n', 'docs/decisions/README.md': '[One](one.md)' }
  expect(await mistakesIn(files)).toEqual([
    'docs/decisions/one.md is decision 1, and its name says otherwise.',
    'docs/decisions/one.md has to begin with "# 1. Title", "Date: YYYY-MM-DD" and "Status: accepted".',
  ])
})
