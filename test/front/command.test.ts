import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { runProgram } from '../../src/bin/program.ts'
import { applicationFolder } from '../support/application-folder.ts'
import { recordedInvocation } from '../support/recorded-invocation.ts'

const program = fileURLToPath(new URL('../../dist/bin/gatehouse.js', import.meta.url))

test('gatehouse front serves an application until it is asked to end', async () => {
  const folder = await applicationFolder()
  onTestFinished(() => folder.remove())
  const file = join(folder.path, 'gatehouse.yaml')
  await writeFile(
    file,
    `front:\n  port: 0\n  content: { root: ${folder.root} }\n  session: { store: sqlite, file: ${folder.path}/s.sqlite }\ngateway:\n  port: 9000\n`,
  )
  const child = spawn(process.execPath, [program, 'front', '--config', file])
  onTestFinished(() => void child.kill('SIGKILL'))
  const report = await new Promise<string>((resolve) => {
    let text = ''
    const read = (piece: Buffer) => {
      text += piece
      if (text.includes('Next ')) resolve(text)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    // What it printed last may come after its exit.
    child.once('close', () => resolve(text))
  })
  const url = /^Front +(\S+)$/m.exec(report)?.[1] ?? report
  expect(report).toContain(`Found    application ${folder.root}`)
  const session = await fetch(`${url}/session`)
  expect([session.status, (await fetch(url)).status]).toEqual([200, 200])
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

test('a folder that holds no application is said in a line', async () => {
  const invocation = recordedInvocation('front', '--content_root', '/nowhere', '--log_level', 'silent')
  expect(await runProgram(invocation)).toBe(2)
  expect(invocation.errors).toEqual([
    'The folder "/nowhere" has no index.html. Name the folder of the built application with --content_root.',
  ])
})

test('an application that has the path of the console is said in a line, and by check-config', async () => {
  const folder = await applicationFolder({ 'console/index.html': 'own' })
  onTestFinished(() => folder.remove())
  const claim = `console.path: /console hides ${JSON.stringify(join(folder.root, 'console'))} of content.root`
  for (const command of [['front'], ['check-config', 'front'], ['check-config', 'up']]) {
    const invocation = recordedInvocation(...command, '--content_root', folder.root)
    expect(await runProgram(invocation)).toBe(2)
    expect(invocation.errors).toEqual([
      `${claim}; choose another path for the console, or false to turn it off`,
    ])
  }
  const off = recordedInvocation(
    'check-config',
    'front',
    '--content_root',
    folder.root,
    '--console_path=false',
  )
  expect(await runProgram(off)).toBe(0)
})

test('check-config says what does not go together, and hides secrets', async () => {
  const flags = ['--authentication']
  const entry = { strategy: 'openid', config: { issuer: 'https://login.example.org', clientSecret: 'hush' } }
  const wrong = recordedInvocation('check-config', 'front', ...flags, JSON.stringify(entry))
  expect(await runProgram(wrong)).toBe(2)
  expect(wrong.errors).toEqual(['authentication openid: the strategy “openid” needs config.clientId'])
  const right = { ...entry, config: { ...entry.config, clientId: 'c' } }
  const invocation = recordedInvocation('check-config', 'front', ...flags, JSON.stringify(right))
  expect(await runProgram(invocation)).toBe(0)
  expect(invocation.output.join('\n')).toMatch(/authentication +openid +--authentication/)
  expect(invocation.output.join('\n')).not.toContain('hush')
})
