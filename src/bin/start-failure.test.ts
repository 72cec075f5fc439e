import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConfigError } from '../config/config-error.ts'
import { AppError } from '../errors/app-error.ts'
import { prepareDatabaseFile, prepareFolder } from './data-files.ts'
import { startFailure } from './start-failure.ts'

const folder = mkdtempSync(join(tmpdir(), 'start-failure-'))
afterAll(() => rmSync(folder, { recursive: true }))
const listening = { host: '127.0.0.1', port: 9000, portFlag: '--port' }

function failureOf(work: () => unknown): string | undefined {
  try {
    work()
    return 'no failure'
  } catch (error) {
    return startFailure(error, listening)
  }
}

test('a port in use', async () => {
  const first = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => first.on('listening', resolve))
  const address = first.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const error = await new Promise((resolve) => createServer().on('error', resolve).listen(port, '127.0.0.1'))
  first.close()
  expect(startFailure(new Error('listen failed', { cause: error }), { ...listening, port })).toBe(
    `Port ${port} of 127.0.0.1 is in use. Stop the program that uses it, or choose another with --port.`,
  )
})

test('a folder that cannot be made', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(failureOf(() => prepareFolder(file))).toBe(
    `"${file}" cannot be created or written: a file with this name exists.`,
  )
  expect(failureOf(() => prepareFolder(join(file, 'data')))).toBe(
    `"${join(file, 'data')}" cannot be created or written: a part of the path is not a folder.`,
  )
})

test('a database without a folder', () => {
  const file = join(folder, 'no-folder', 'a.sqlite')
  expect(failureOf(() => prepareDatabaseFile(file))).toBe(
    `"${file}" cannot be created or written: its folder does not exist.`,
  )
})

test('an error of the catalogue', () => {
  const error = new AppError('DATABASE_UNAVAILABLE', { detail: 'The file is\nno database.' })
  expect(startFailure(error, listening)).toBe('The file is no database.')
})

test('an error that no one foresaw has no explanation', () => {
  expect(startFailure(new TypeError('x is not a function'), listening)).toBeUndefined()
})

test('every mistake of a configuration that only the database shows', () => {
  expect(startFailure(new ConfigError(['names: one.', 'names: two.']), listening)).toBe(
    'names: one.\nnames: two.',
  )
})
