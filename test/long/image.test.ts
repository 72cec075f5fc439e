/** The image: built from this checkout, and run read-only, as its own user, as process 1 of its own processes. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const tag = `gatehouse-test-${process.pid}`
const program = ['/usr/local/bin/node', '/opt/gatehouse/dist/bin/gatehouse.js']

const missing = ['buildah', 'unshare', 'setpriv', 'npm'].filter(
  (name) => spawnSync(name, ['--version']).status !== 0,
)
const isRoot = process.getuid?.() === 0
const reason = missing.length > 0 ? `${missing.join(', ')} missing` : isRoot ? '' : 'root is needed'
if (reason !== '') console.warn(`The image is not tested here: ${reason}.`)

const buildah = (...words: readonly string[]) => execFileSync('buildah', words, { encoding: 'utf8' }).trim()

describe.runIf(reason === '')('the image', () => {
  let files = ''
  let config: Readonly<Record<string, unknown>> = {}

  beforeAll(async () => {
    execFileSync('npm', ['run', '--silent', 'image', '--', '--tag', tag], { cwd: root, stdio: 'ignore' })
    const container = buildah('from', '--pull-never', tag)
    files = buildah('mount', container)
    config = JSON.parse(buildah('inspect', '--type', 'image', tag)).Docker.config
    return () => {
      buildah('rm', container)
      buildah('rmi', tag)
    }
  }, 600_000)

  test('says how it is run', () => {
    expect(config).toMatchObject({
      User: '10001:10001',
      WorkingDir: '/data',
      Volumes: { '/data': {} },
      ExposedPorts: { '8080/tcp': {}, '9000/tcp': {} },
      Entrypoint: ['/usr/local/bin/node', '--max-semi-space-size=8', '/opt/gatehouse/dist/bin/gatehouse.js'],
      Cmd: ['up'],
      Healthcheck: { Test: ['CMD', ...program, 'health'] },
    })
    expect(config.Env).toEqual(expect.arrayContaining(['GATEHOUSE_DATA_DIR=/data', 'GATEHOUSE_HOST=0.0.0.0']))
  })

  test('holds no shell and no compiler, and the licences of what it holds', () => {
    for (const name of [
      'bin/sh',
      'usr/bin',
      'usr/local/bin/npm',
      'opt/gatehouse/node_modules/typescript',
      'opt/gatehouse/src',
    ])
      expect([name, existsSync(join(files, name))]).toEqual([name, false])
    for (const name of ['node/LICENSE', 'libc6/copyright', 'libstdc++6/copyright', 'libgcc-s1/copyright'])
      expect(existsSync(join(files, 'usr/share/doc', name))).toBe(true)
    expect(existsSync(join(files, 'opt/gatehouse/LICENSE'))).toBe(true)
    expect(existsSync(join(files, 'opt/gatehouse/dist/bin/licenses.md'))).toBe(true)
    const { uid, mode } = statSync(join(files, 'data'))
    expect([uid, mode & 0o777]).toEqual([10_001, 0o700])
    expect(Number(execFileSync('du', ['-sm', files], { encoding: 'utf8' }).split('\t')[0])).toBeLessThan(200)
  })

  /** As a container does: own processes and mounts, nothing to be written but `/data`, no privileges. */
  function runIn(data: string, words: readonly string[]): ChildProcess {
    const script = `set -e
mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && mount --bind "$2" "$1/data" && mount -t proc proc "$1/proc"
root=$1; shift 2
exec setpriv --no-new-privs chroot --userspec=10001:10001 --groups= "$root" "$@"`
    return spawn('unshare', ['--mount', '--pid', '--fork', 'sh', '-c', script, 'sh', files, data, ...words], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', GATEHOUSE_DATA_DIR: '/data', GATEHOUSE_HOST: '0.0.0.0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  test('starts, keeps its data, tells its health, and stops at SIGTERM', async () => {
    const folder = await temporaryFolder()
    onTestFinished(() => folder.remove())
    const data = join(folder.path, 'data')
    await mkdir(data)
    execFileSync('chown', ['10001:10001', data])
    execFileSync('chmod', ['711', folder.path])
    const [port, frontPort] = [await freePort(), await freePort()]
    const words = [...program, 'up', '--gateway_port', `${port}`, '--front_port', `${frontPort}`]
    for (const isFirst of [true, false]) {
      const running = runIn(data, words)
      onTestFinished(() => void running.kill('SIGKILL'))
      const report = await reportOf(running)
      expect(report).toContain('Found    data folder /data, 0 tables')
      expect(report.includes('Made     account with all rights')).toBe(isFirst)
      expect((await fetch(`http://127.0.0.1:${frontPort}/`)).status).toBe(200)
      const healthy = await endOf(runIn(data, [...program, 'health', '--url', `http://127.0.0.1:${port}`]))
      expect(healthy).toEqual({ code: 0, text: `http://127.0.0.1:${port} is ready.\n` })
      process.kill(programOf(running), 'SIGTERM')
      expect((await endOf(running)).code).toBe(0)
    }
    const unhealthy = await endOf(runIn(data, [...program, 'health', '--url', `http://127.0.0.1:${port}`]))
    expect(unhealthy).toEqual({ code: 1, text: `There is no response from http://127.0.0.1:${port}.\n` })
    expect(await endOf(runIn(data, ['/bin/sh', '-c', 'true']))).toMatchObject({ code: 127 })
  })
})

/** The only child of `unshare`: process 1 of the others. */
function programOf({ pid }: ChildProcess): number {
  return Number(execFileSync('pgrep', ['-P', `${pid}`], { encoding: 'utf8' }))
}

function reportOf(running: ChildProcess): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    const read = (piece: Buffer) => {
      text += piece.toString()
      if (/^Next .*$/m.test(text)) resolve(text)
    }
    running.stdout?.on('data', read)
    running.stderr?.on('data', read)
    running.once('exit', () => reject(new Error(`It did not start:\n${text}`)))
  })
}

function endOf(running: ChildProcess): Promise<{ readonly code: number | null; readonly text: string }> {
  let text = ''
  running.stdout?.on('data', (piece: Buffer) => {
    text += piece.toString()
  })
  running.stderr?.on('data', (piece: Buffer) => {
    text += piece.toString()
  })
  return new Promise((resolve) => running.once('close', (code) => resolve({ code, text })))
}
