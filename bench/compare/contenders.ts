/** Who is compared: how each is started, and how it is asked. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { freePort } from '../../test/support/free-port.ts'
import type { BenchDatabase } from '../bench-databases.ts'
import { benchAdministrator, logOn } from '../logon.ts'
import { startGatewayProgram } from '../program.ts'
import type { LoadRequest } from './load.ts'
import { mercuriusDocuments, postgraphileDocuments } from './other-documents.ts'
import { documents, type QueryName, variablesOf } from './queries.ts'

/** A contender that accepts requests. */
export interface Running {
  readonly port: number
  readonly pid: number
  request(name: QueryName, number: number): LoadRequest
  stop(): Promise<void>
}

export interface Contender {
  readonly name: string
  readonly product: string
  start(database: BenchDatabase): Promise<Running>
}

const json = { 'content-type': 'application/json' }

const limit = (name: string, product: string, script: string): Contender => ({
  name,
  product,
  start: (database) =>
    startScript([`bench/limits/${script}.ts`], database, (query, number) => ({
      method: 'POST',
      path: '/',
      headers: json,
      body: JSON.stringify({ query, variables: variablesOf(query, number) }),
    })),
})

/** Another product, whose packages are installed when it is first asked for. */
const other = (name: string, script: string, texts: Readonly<Record<QueryName, string>>): Contender => ({
  name,
  product: 'PostgreSQL',
  start: async (database) => {
    await installOthers()
    return startScript([`bench/contenders/${script}.mjs`], database, (query, number) => ({
      method: 'POST',
      path: '/graphql',
      headers: json,
      body: JSON.stringify({ query: texts[query], variables: variablesOf(query, number) }),
    }))
  },
})

const ours = (product: string, name = 'ours', flags: readonly string[] = [], folder = '.'): Contender => ({
  name,
  product,
  async start(database) {
    const program = await startGatewayProgram(
      [...database.flags, '--graphiql=false', '--db_wait=1m', ...flags],
      benchAdministrator,
      folder,
    )
    const headers = await logOn(program.url)
    return {
      port: Number(new URL(program.url).port),
      pid: program.pid,
      request: (query, number) => ({
        method: 'POST',
        path: '/graphql',
        headers,
        body: JSON.stringify({ query: documents[query], variables: variablesOf(query, number) }),
      }),
      stop: () => program.stop(),
    }
  },
})

/**
 * This build and another one, built in `folder`, on every product. Each has a store in its own file in `stores`,
 * because two builds may want two forms of it; the data is the same.
 */
export const builds = (folder: string, stores: string): readonly Contender[] =>
  ['PostgreSQL', 'MariaDB', 'SQLite'].flatMap((product) => [
    ours(product, 'ours', [`--store_url=sqlite:${stores}/${product}-ours.sqlite`]),
    ours(product, 'base', [`--store_url=sqlite:${stores}/${product}-base.sqlite`], folder),
  ])

/** This build, and the same without what only makes reads faster, each with its own records in a folder. */
export const withoutFastReads = (stores: string): readonly Contender[] =>
  ['PostgreSQL', 'MariaDB', 'SQLite'].flatMap((product) => [
    ours(product, 'ours', [`--store_url=sqlite:${stores}/${product}-ours.sqlite`]),
    ours(product, 'plain', [`--store_url=sqlite:${stores}/${product}-plain.sqlite`, '--db_fast_reads=false']),
  ])

export const contenders: readonly Contender[] = [
  ours('PostgreSQL'),
  limit('wire', 'PostgreSQL', 'postgresql-wire'),
  limit('rows', 'PostgreSQL', 'postgresql-rows'),
  limit('json_agg', 'PostgreSQL', 'postgresql-json'),
  other('mercurius', 'mercurius', mercuriusDocuments),
  other('PostGraphile', 'postgraphile', postgraphileDocuments),
  ours('MariaDB'),
  limit('mysql2 rows', 'MariaDB', 'mysql-rows'),
  ours('SQLite'),
  limit('node:sqlite', 'SQLite', 'sqlite'),
]

async function startScript(
  command: readonly string[],
  database: BenchDatabase,
  request: Running['request'],
): Promise<Running> {
  return { ...(await startServer(command, database)), request }
}

/** A server that accepts requests. */
export type Server = Omit<Running, 'request'>

/** Starts a server that is told its database and port by its environment. */
export async function startServer(command: readonly string[], database: BenchDatabase): Promise<Server> {
  const port = await freePort()
  const child = spawn(process.execPath, ['--max-semi-space-size=8', ...command], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      DATABASE: JSON.stringify(database.server),
    },
  })
  await untilItListens(child, port)
  return { port, pid: child.pid ?? 0, stop: () => stop(child) }
}

/** Installs the other products, unless they are there. */
export async function installOthers(): Promise<void> {
  if (existsSync('bench/contenders/node_modules/@graphile/pg-aggregates')) return
  console.error('Installing the other products …')
  const npm = spawn('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: 'bench/contenders',
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  const code = await new Promise((resolve, reject) => {
    npm.once('exit', resolve)
    npm.once('error', reject)
  })
  if (code !== 0) throw new Error(`npm install ended with ${code}.`)
}

async function untilItListens(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/`)
      return
    } catch {
      if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 3000)
  await ended
  clearTimeout(timer)
}
