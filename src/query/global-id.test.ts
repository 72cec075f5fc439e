import { expect, test } from 'vitest'
import { decodeGlobalId, encodeGlobalId } from './global-id.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

test('a key of several columns is a JSON list of texts or numbers', () => {
  const id = { typeName: 'Place_', key: ['1', 'a,b'], isStored: false }
  expect(decodeGlobalId(encodeGlobalId('Place_', [1, 'a,b']), 2)).toEqual(id)
  expect(decodeGlobalId(base64('Place_:[1,"a,b"]'), 2)).toEqual(id)
  for (const list of ['[1]', '[1,2,3]', '[1,null]', '[1,1.5]', '[1,[2]]', '{"0":1,"1":2}', '1,2'])
    expect([list, decodeGlobalId(base64(`Place_:${list}`), 2)]).toEqual([list, undefined])
})
