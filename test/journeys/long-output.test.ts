import { execFile, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const program = fileURLToPath(new URL('../../dist/bin/gatehouse.js', import.meta.url))
const words = [program, 'role', 'show', 'long', '--output', 'json']
const authorities = Array.from({ length: 1000 }, (_, index) => ({
  regex: `/apis/a-long-name-of-a-resource-${index}(/.*)?`,
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
}))

let gateway: TestGateway
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  const [product] = products
  if (product === undefined) throw new Error('There is no product to test on.')
  gateway = await startTestGateway(product)
  env = {
    GATEHOUSE_URL: gateway.url,
    GATEHOUSE_USERNAME: 'admin',
    GATEHOUSE_PASSWORD: gateway.password,
    GATEHOUSE_API_KEY: gateway.apiKey,
  }
  await gateway.request('POST', '/manage/roles', { body: { name: 'long', authorities } })
})
afterAll(() => gateway.close())

test('an answer that is longer than a pipe comes whole', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, words, { env, maxBuffer: 10_000_000 })
  expect(JSON.parse(stdout)).toEqual({ name: 'long', authorities })
})

test('who wants no more of it is not told of a failure', async () => {
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.once('data', () => child.stdout.destroy())
  const errors = child.stderr.toArray()
  const exitCode = await new Promise((resolve) => child.once('exit', resolve))
  expect({ exitCode, errors: (await errors).join('') }).toEqual({ exitCode: 0, errors: '' })
})
