import { expect, test } from 'vitest'
import { nextIn } from './list-page.ts'

test.each([
  [null, undefined],
  ['', undefined],
  ['</manage/roles?after=a>; rel="prev"', undefined],
  ['</manage/roles?limit=2&after=item+1%27%26%C3%A9>; rel="next"', "item 1'&é"],
  ['<https://gateway.example/manage/roles?after=b>; rel="next"', 'b'],
])('the link %j leads to %j', (link, next) => {
  expect(nextIn(link)).toBe(next)
})
