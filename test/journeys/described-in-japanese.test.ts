/** What the gateway says of its APIs and options has a translation for the console, and no translation is left over. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import descriptions from '../../console/app/apis/descriptions.ja.json' with { type: 'json' }
import { translatedDocument } from '../../console/app/apis/translate-document.ts'
import optionDescriptions from '../../console/app/configuration/descriptions.ja.json' with { type: 'json' }
import { translatorFor } from '../../console/app/language/translator.ts'
import type { Document } from '../../console/openapi/openapi.ts'
import { gatewayCommandOptions, upCommandOptions } from '../../src/config/command-options.ts'
import type { OptionDefinition, OptionGroup } from '../../src/config/options.ts'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const sample = definition('Sample', {
  identifier: { field_name: 'number', field_type: 'integer', field_immutable: true },
  local: [
    field('title', 'string', { field_nullable: false, field_unique: true }),
    field('tenant', 'string'),
    field('seenAt', 'DateTime', { field_default: 'now()' }),
    field('price', 'decimal'),
  ],
  refs: [reference('parent', 'Sample', 'number', { field_type: 'integer' })],
})
/** Tables of someone else, with what only a database writes. */
const statements = [
  'create table film (id integer primary key autoincrement, name varchar(50), more json, loud text generated always as (upper(name)))',
  'create table piece (hash blob not null primary key, name varchar(50))',
]
/** Rights that set a value. */
const authorities = [
  { regex: '/openapi.json', methods: ['GET'] },
  { regex: '/apis/samples(/.*)?', methods: ['GET', 'POST', 'PATCH'], set: { tenant: 'north' } },
]

const texts = Object.keys(descriptions)
/** A translation of each text that says only which one it is. */
const marks = translatorFor(Object.fromEntries(texts.map((text, index) => [text, `«${index}»`])))

describe.each(products.slice(0, 1))('$name', (product) => {
  let gateway: TestGateway
  const marked: string[] = []

  beforeAll(async () => {
    gateway = await startTestGateway(product, async (options) => {
      await runStatements(options, statements)
    })
    const post = (path: string, body: unknown) => gateway.request('POST', path, { body })
    await post('/manage/entities', sample)
    await post('/manage/entities/adopt', { tables: ['film', 'piece'] })
    const setter = await logonAs(gateway, await createAccount(gateway, 'setter', authorities))
    const answers = await Promise.all([
      gateway.request('GET', '/manage/openapi.json'),
      gateway.request('GET', '/openapi.json'),
      gateway.request('GET', '/openapi.json', { token: setter }),
    ])
    for (const { body: document } of answers) {
      const { tags, paths, components } = translatedDocument(document as Document, marks) as Document & {
        readonly components: object
      }
      marked.push(
        ...tags.flatMap(({ name, label, 'x-path': path }) => (path === undefined ? [label ?? name] : [])),
      )
      JSON.stringify({ paths, components }, (key, value: unknown) => {
        if ((key === 'summary' || key === 'description') && typeof value === 'string') marked.push(value)
        return value
      })
    }
  })
  afterAll(() => gateway?.close())

  test('each text has a translation', () => {
    expect([...new Set(marked.filter((text) => !/^(«\d+»)*$/.test(text)))]).toEqual([])
  })

  test('each translation is of a text', () => {
    const used = new Set(
      marked.flatMap((text) => [...text.matchAll(/«(\d+)»/g)].map(([, index]) => Number(index))),
    )
    expect(texts.filter((_, index) => !used.has(index))).toEqual([])
  })
})

test('each option that the console shows is described, and what is described is an option', () => {
  const definitions: readonly OptionDefinition[] = [upCommandOptions, gatewayCommandOptions].flatMap(
    ({ groups }) => Object.values(groups).flatMap(({ options }: OptionGroup) => Object.values(options)),
  )
  // Some values need no words.
  const said = definitions
    .flatMap(({ describe: text, otherwise = '' }) => [text, otherwise])
    .filter((text) => /[a-z]/.test(text))
  expect(Object.keys(optionDescriptions).toSorted()).toEqual([...new Set(said)].sort())
})

test('translations are in Japanese, and have the names that the texts have', () => {
  const namesIn = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort().join()
  const odd = [...Object.entries(descriptions), ...Object.entries(optionDescriptions)].filter(
    ([text, translation]) =>
      namesIn(text) !== namesIn(translation) || (!/[ぁ-んァ-ヶ一-龠]/.test(translation) && text !== 'JSON.'),
  )
  expect(odd).toEqual([])
})
