/** `--json`: each command prints one JSON document, and its errors are problem documents. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { runCommand } from '../support/run-command.ts'
import { definition } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const [product] = products
if (product === undefined) throw new Error('There is no product.')

describe('--json', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway(product)
    await gateway.request('POST', '/manage/entities', { body: definition('Port') })
  })
  afterAll(() => gateway.close())

  const run = async (...words: readonly string[]) => {
    const { exitCode, output, errors } = await runCommand([...words, '--json'], gateway)
    return {
      exitCode,
      output: output === '' ? undefined : JSON.parse(output),
      errors: errors === '' ? [] : errors.split('\n').map((line) => JSON.parse(line)),
    }
  }
  const fine = (output: unknown) => ({ exitCode: 0, output, errors: [] })

  test('results', async () => {
    const reader = { name: 'reader', authorities: [{ regex: '/apis/.*', methods: ['GET'] }] }
    expect(await run('role', 'create', 'reader', '--regex', '/apis/.*', '--methods', 'GET')).toEqual(
      fine(reader),
    )
    expect(await run('role', 'show', 'reader')).toEqual(fine(reader))
    expect(await run('role', 'list')).toEqual(fine(expect.arrayContaining([reader])))
    expect(await run('role', 'delete', 'reader')).toEqual(fine({ deleted: 'reader' }))
    expect(await run('explain-access', 'admin', 'GET', '/apis/ports')).toMatchObject(fine({ allowed: true }))
    expect(await run('token', 'delete', '--account', 'admin')).toMatchObject(
      fine({ ended: expect.any(Number) }),
    )
    expect(await run('schema', 'reload')).toMatchObject(fine({ appeared: [], vanished: [], changed: [] }))
    expect(await run('entity', 'versions', 'Port')).toMatchObject(fine([{ version: 1, action: 'created' }]))
    expect(await run('health', '--url', gateway.url)).toEqual(fine({ ready: true }))
    expect(await run('version')).toEqual(fine({ version: '1.2.3' }))
    for (const words of [
      ['account', 'list'],
      ['key', 'list', 'admin'],
      ['route', 'list'],
      ['audit'],
      ['names'],
    ])
      expect(await run(...words)).toEqual(fine(expect.any(Array)))
  })

  test('the configuration', async () => {
    const { exitCode, output, errors } = await run('check-config', 'up', '--admin_password', 'a long secret')
    expect(exitCode).toBe(0)
    expect(output.settings).toEqual(
      expect.arrayContaining([
        { key: 'data_dir', value: './gatehouse-data', origin: 'default' },
        { key: 'gateway.admin_password', value: '(hidden)', origin: '--admin_password' },
        { key: 'gateway.base_url', value: null, origin: null },
      ]),
    )
    expect(errors).toEqual([
      { warning: expect.stringMatching(/^--admin_password: others can read a secret/) },
    ])
  })

  test('errors of the gateway, as it sent them', async () => {
    expect(await run('role', 'show', 'nothing')).toEqual({
      exitCode: 1,
      output: undefined,
      errors: [
        {
          type: '/docs/guide/problems/record-not-found',
          title: 'There is no such record.',
          status: 404,
          code: 'RECORD_NOT_FOUND',
          detail: expect.stringContaining('nothing'),
          requestId: expect.any(String),
        },
      ],
    })
  })

  test('errors of the command itself', async () => {
    const wrong = {
      title: 'The command line or the configuration is wrong.',
      code: 'COMMAND_WRONG',
    }
    expect(await run('role', 'show', '--urll', 'x', '--outptu', 'y', 'reader')).toEqual({
      exitCode: 2,
      output: undefined,
      errors: [
        {
          ...wrong,
          detail:
            '--urll: unknown option; did you mean --url?\n--outptu: unknown option; did you mean --output?',
          errors: [
            { pointer: '', detail: '--urll: unknown option; did you mean --url?' },
            { pointer: '', detail: '--outptu: unknown option; did you mean --output?' },
          ],
        },
      ],
    })
    expect(await run('rolle')).toEqual({
      exitCode: 2,
      output: undefined,
      errors: [{ ...wrong, detail: 'There is no command "rolle"; did you mean role?' }],
    })
    const failed = {
      title: 'The command failed.',
      code: 'COMMAND_FAILED',
    }
    expect(await run('role', 'create', 'empty')).toEqual({
      exitCode: 1,
      output: undefined,
      errors: [{ ...failed, detail: expect.stringMatching(/^The role allows nothing\./) }],
    })
    expect(await run('health', '--url', 'http://127.0.0.1:1')).toEqual({
      exitCode: 1,
      output: undefined,
      errors: [{ ...failed, detail: 'There is no response from http://127.0.0.1:1.' }],
    })
  })

  test('is unknown where nothing is printed, and a word like others after --', async () => {
    const { exitCode, errors } = await run('up')
    expect({ exitCode, errors }).toMatchObject({
      exitCode: 2,
      errors: [{ detail: expect.stringMatching(/^--json: unknown option/) }],
    })
    expect((await runCommand(['role', 'show', '--', '--json'], gateway)).errors).not.toContain('{')
  })
})
