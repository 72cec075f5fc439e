import { expect, test } from 'vitest'
import { translatorFor } from './translator.ts'

const translate = translatorFor({
  'The record.': 'レコード。',
  'It is unique.': '一意です。',
  Roles: 'ロール',
  'Reads a {{name}}.': '{{name}} を読み取ります。',
  'The {{field}} of a {{name}}.': '{{name}} の {{field}}。',
  '`{{name}}` is related, `{{name}}.id` its key.': '`{{name}}` は関連、`{{name}}.id` はそのキーです。',
})

test.each([
  ['The record.', 'レコード。'],
  ['Reads a Port.', 'Port を読み取ります。'],
  ['The id of a Port. It is unique.', 'Port の id。一意です。'],
  ['`tenant` is related, `tenant.id` its key.', '`tenant` は関連、`tenant.id` はそのキーです。'],
  ['`tenant` is related, `port.id` its key.', '`tenant` is related, `port.id` its key.'],
  // What people have written about their tables stays.
  ['Speed in Gbit/s. It is unique.', 'Speed in Gbit/s. 一意です。'],
  ['', ''],
])('%s', (text, translated) => {
  expect(translate(text)).toBe(translated)
})
