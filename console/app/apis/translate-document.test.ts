import { expect, test } from 'vitest'
import type { Document } from '../../openapi/openapi.ts'
import { translatedDocument, translatorFor } from './translate-document.ts'

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

test('summaries and descriptions of a document are translated, and nothing else', () => {
  const document = {
    info: { version: '1' },
    tags: [{ name: 'Roles' }, { name: 'Port', 'x-path': '/apis/ports' }],
    paths: {
      '/roles': {
        get: {
          operationId: 'Roles',
          summary: 'Reads a role.',
          tags: ['Roles'],
          responses: { default: { description: 'The record.' } },
        },
      },
    },
    components: {
      schemas: {
        Port: {
          properties: {
            description: { type: 'string', description: 'The record.', enum: ['The record.'] },
            default: { description: 'The record.', default: { description: 'The record.' } },
          },
          examples: [{ description: 'The record.' }],
        },
      },
    },
  } as unknown as Document
  expect(translatedDocument(document, translate)).toEqual({
    info: { version: '1' },
    tags: [
      { name: 'Roles', label: 'ロール' },
      { name: 'Port', 'x-path': '/apis/ports' },
    ],
    paths: {
      '/roles': {
        get: {
          operationId: 'Roles',
          summary: 'role を読み取ります。',
          tags: ['Roles'],
          responses: { default: { description: 'レコード。' } },
        },
      },
    },
    components: {
      schemas: {
        Port: {
          properties: {
            description: { type: 'string', description: 'レコード。', enum: ['The record.'] },
            default: { description: 'レコード。', default: { description: 'The record.' } },
          },
          examples: [{ description: 'The record.' }],
        },
      },
    },
  })
})
