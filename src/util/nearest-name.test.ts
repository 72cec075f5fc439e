import { expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

const known = ['db_product', 'db_name', 'host', 'port', 'token_ttl', 'log_level']

test.each([
  ['db_prodct', 'db_product'],
  ['dbname', 'db_name'],
  ['prot', 'port'],
  ['loglevel', 'log_level'],
  ['ttl', 'token_ttl'],
  ['db', undefined],
  ['colour', undefined],
  ['', undefined],
])('%j was probably meant to be %j', (name, meant) => {
  expect(nearestName(name, known)).toBe(meant)
})
