import { spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { whenNeeded } from './lock.mjs'
import { installPinned, isInstalled } from './pinned-package.mjs'
import { postgresqlBuilds } from './postgresql-builds.mjs'
import { projectPath } from './project.mjs'
import { runQuietly, StepFailed } from './run-command.mjs'

/** For data that is thrown away; as many connections as the tests of one run ask for at once. */
const settings = {
  max_connections: '300',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  shared_buffers: '128MB',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
}

/**
 * Starts a new server of one version of PostgreSQL on a free port of this machine, which it fetches into `.node/` when it is
 * not there. Gives its port, and what ends it and removes its data.
 */
export async function startPostgresql(version) {
  const programs = await ensurePostgresql(version)
  const folder = mkdtempSync(join(tmpdir(), `gatehouse-postgresql-${version}-`))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const user = asUser(folder)
    const data = join(folder, 'data')
    const flags = ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '-A', 'trust', '--no-sync']
    await runQuietly(`initdb of PostgreSQL ${version}`, join(programs, 'initdb'), flags, user)
    const port = await freePort()
    const options = Object.entries({ ...settings, port }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    const server = spawn(join(programs, 'postgres'), ['-D', data, ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...user,
    })
    const ended = new Promise((resolve) => server.once('close', resolve))
    // What is printed last goes with the process when this one ends early.
    const kill = () => server.kill('SIGQUIT')
    process.once('exit', kill)
    await isReady(server, version)
    return {
      port,
      async stop() {
        process.off('exit', kill)
        server.kill('SIGINT')
        await ended
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** The folder with the programs of a version. */
async function ensurePostgresql(version) {
  const build = postgresqlBuilds[version]
  if (build === undefined || `${process.platform}-${process.arch}` !== 'linux-x64') {
    const known = Object.keys(postgresqlBuilds).join(', ')
    throw new StepFailed(
      `There is no PostgreSQL ${version} to fetch for ${process.platform} on ${process.arch}. Versions for Linux on x64 are ${known}; elsewhere set TEST_POSTGRESQL_PORT, and run npm test.`,
    )
  }
  const folder = projectPath(`.node/postgresql-${version}`)
  const native = join(folder, 'node_modules', build.name, 'native')
  await whenNeeded(
    () => !isInstalled(build, folder),
    async () => {
      console.error(`Fetching PostgreSQL ${build.version} into .node/ …`)
      await installPinned(build, folder)
    },
  )
  linkLibraries(dirname(native))
  return join(native, 'bin')
}

/** Packages hold no symbolic links: a list in it names them. */
function linkLibraries(folder) {
  for (const { source, target } of JSON.parse(
    readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8'),
  )) {
    const link = join(folder, target)
    if (!existsSync(link)) symlinkSync(join(folder, source), link)
  }
}

/** PostgreSQL refuses to run as root: then it runs as nobody, who owns the folder. */
function asUser(folder) {
  if (process.getuid?.() !== 0) return {}
  const nobody = { uid: 65_534, gid: 65_534 }
  chownSync(folder, nobody.uid, nobody.gid)
  chmodSync(folder, 0o700)
  return nobody
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** Waits until the server says that it takes connections. */
function isReady(server, version) {
  return new Promise((resolve, reject) => {
    let log = ''
    server.stderr.on('data', (piece) => {
      if (log.length < 100_000) log += piece
      if (/database system is ready to accept connections/.test(log)) resolve()
    })
    server.once('error', reject)
    server.once('close', () => reject(new StepFailed(`PostgreSQL ${version} did not start:\n${log}`)))
  })
}
