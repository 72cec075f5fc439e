import { expect, test } from 'vitest'
import type { Document } from '../../openapi/openapi.ts'
import { translatorFor } from '../language/translator.ts'
import { translatedDocument } from './translate-document.ts'

const translate = translatorFor({
  'The record.': 'レコード。',
  'It is unique.': '一意です。',
  Roles: 'ロール',
  'Reads a {{name}}.': '{{name}} を読み取ります。',
  'The {{field}} of a {{name}}.': '{{name}} の {{field}}。',
  '`{{name}}` is related, `{{name}}.id` its key.': '`{{name}}` は関連、`{{name}}.id` はそのキーです。',
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
