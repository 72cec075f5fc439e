import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { closeToOthers, prepareDatabaseFile, prepareFolder } from './data-files.ts'

const root = mkdtempSync(join(tmpdir(), 'data-files-'))
afterAll(() => rmSync(root, { recursive: true }))
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('a folder is made for its owner only, and left as it is when it is there', () => {
  const folder = join(root, 'parent', 'data')
  expect(prepareFolder(folder)).toBe('made')
  expect(modeOf(folder)).toBe('700')
  chmodSync(folder, 0o750)
  expect(prepareFolder(folder)).toBe('found')
  expect(modeOf(folder)).toBe('750')
})

test('a database file is made for its owner only', () => {
  const file = join(root, 'data.sqlite')
  expect(prepareDatabaseFile(file)).toBe('made')
  expect(modeOf(file)).toBe('600')
  chmodSync(file, 0o644)
  expect(prepareDatabaseFile(file)).toBe('found')
  closeToOthers(file)
  expect(modeOf(file)).toBe('600')
})

test('a database in memory needs no file', () => {
  expect(prepareDatabaseFile(':memory:')).toBe('made')
})
