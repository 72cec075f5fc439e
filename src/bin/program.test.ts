import { describe, expect, test } from 'vitest'
import { recordedInvocation } from '../../test/support/recorded-invocation.ts'
import { runProgram } from './program.ts'

async function run(...words: readonly string[]) {
  const { output, errors, ...invocation } = recordedInvocation(...words)
  const exitCode = await runProgram(invocation)
  return { exitCode, output: output.join('\n'), errors: errors.join('\n') }
}

describe('gatehouse', () => {
  test('lists its commands', async () => {
    const { exitCode, output } = await run('help')
    expect(exitCode).toBe(0)
    for (const name of [
      'up',
      'gateway',
      'schema',
      'check-config',
      'role',
      'explain-access',
      'help',
      'version',
    ]) {
      expect(output).toMatch(new RegExp(`^  ${name} `, 'm'))
    }
    expect(await run('--help')).toEqual({ exitCode, output, errors: '' })
    expect(await run()).toEqual({ exitCode: 2, output: '', errors: output })
  })
  test('tells its version', async () => {
    expect(await run('version')).toEqual({ exitCode: 0, output: 'gatehouse 1.2.3', errors: '' })
    expect(await run('--version')).toEqual({ exitCode: 0, output: 'gatehouse 1.2.3', errors: '' })
  })
  test('suggests a command', async () => {
    expect(await run('gatewy')).toEqual({
      exitCode: 2,
      output: '',
      errors: 'There is no command "gatewy"; did you mean gateway?',
    })
    expect((await run('constructor')).errors).toBe(
      'There is no command "constructor"; “gatehouse help” lists the commands.',
    )
  })
  test('tells bad options line by line', async () => {
    expect(await run('check-config', 'gateway', '--db_product=sqlit', '--prot', '1')).toEqual({
      exitCode: 2,
      output: '',
      errors: `--prot: unknown option; did you mean --port?
--db_product: takes sqlite, postgresql or mysql, not "sqlit"; did you mean sqlite?
db_name: missing; give --db_name or GATEHOUSE_DB_NAME or “gateway: db_name” in a configuration file; it takes a path`,
    })
  })
})

describe('help of a command', () => {
  test.each(['up', 'gateway', 'schema', 'check-config', 'role', 'audit', 'explain-access'])(
    '%s',
    async (name) => {
      const { exitCode, output, errors } = await run(name, '--help')
      expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' })
      expect(output).toMatch(new RegExp(`^Usage: gatehouse ${name} `))
      expect(output).toContain('--config PATH')
      expect((await run('help', name)).output).toBe(output)
      const whole = await run(name, '--help', '--all')
      expect(whole.output).toContain('GATEHOUSE_CONFIG')
      expect((await run('help', name, '--all')).output).toBe(whole.output)
    },
  )
})

describe('gatehouse check-config', () => {
  test('prints the configuration', async () => {
    const { exitCode, output } = await run('check-config', '--data_dir', 'here')
    expect(exitCode).toBe(0)
    expect(output).toMatch(/^ {2}data_dir +here +--data_dir$/m)
  })
  test('hides secrets and warns about them', async () => {
    const { output, errors } = await run('check-config', 'up', '--admin_password', 's3cret')
    expect(output).toMatch(/^ {2}admin_password +\(hidden\) +--admin_password$/m)
    expect(errors).toContain('--admin_password: others can read a secret on the command line')
    expect(output + errors).not.toContain('s3cret')
  })
})
