import { expect, test } from 'vitest'
import { fileNameIn } from './file-name.ts'

test.each([
  ['attachment; filename="letter.pdf"', 'letter.pdf'],
  [
    `attachment; filename="Brief f_r Ren_.html"; filename*=UTF-8''Brief%20f%C3%BCr%20Ren%C3%A9.html`,
    'Brief für René.html',
  ],
  ['attachment', undefined],
  ['', undefined],
])('%s names %s', (header, name) => {
  expect(fileNameIn(header)).toBe(name)
})
