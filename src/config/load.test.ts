import { describe, expect, test } from 'vitest'
import { ConfigError } from './config-error.ts'
import { type ConfigSources, loadConfig } from './load.ts'
import { oneOf, port, text, yesOrNo } from './option-types.ts'
import type { OptionTable } from './options.ts'

const describeIt = { describe: 'An option.', example: 'x' } as const
const serverOptions = {
  db_name: { ...describeIt, type: text, required: true },
  port: { ...describeIt, type: port, default: '9000' },
  level: { ...describeIt, type: oneOf('warn', 'info'), default: 'info' },
  pass: { ...describeIt, type: text, secret: true },
  strict: { ...describeIt, type: yesOrNo, default: 'false' },
} as const satisfies OptionTable

const command = {
  groups: {
    server: { heading: 'Server', part: 'server', options: serverOptions },
    own: {
      heading: 'Own',
      options: {
        config: { ...describeIt, type: text, places: ['flag', 'variable'] },
        folder: { ...describeIt, type: text },
      },
    },
  },
  others: [{ heading: 'Other', part: 'other', options: { speed: { ...describeIt, type: text } } }],
  defaultFile: 'default.yaml',
} as const

interface Given {
  readonly flags?: readonly string[]
  readonly environment?: ConfigSources['environment']
  readonly files?: Readonly<Record<string, string>>
}

function load({ flags = [], environment = {}, files = {} }: Given) {
  const readText = (path: string) => {
    const content = files[path]
    if (content === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
    return content
  }
  return loadConfig(command, { flags, environment, readText })
}

function mistakesOf(given: Given): readonly string[] {
  try {
    load(given)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
}

const named = ['--db_name', 'data']

describe('where a value comes from', () => {
  const file = { 'default.yaml': 'folder: f\nserver:\n  db_name: from file\n  port: 3\n' }
  const environment = { GATEHOUSE_DB_NAME: 'from variable', HOME: '/home/ada' }

  test('the file comes before the default', () => {
    expect(load({ files: file }).values).toEqual({
      own: { folder: 'f' },
      server: { db_name: 'from file', port: 3, level: 'info', strict: false },
    })
  })
  test('a variable comes before the file', () => {
    expect(load({ files: file, environment }).values.server).toMatchObject({
      db_name: 'from variable',
      port: 3,
    })
  })
  test('a flag comes before all', () => {
    expect(load({ files: file, environment, flags: named }).values.server.db_name).toBe('data')
  })
  test('an empty variable counts as not given', () => {
    expect(load({ flags: named, environment: { GATEHOUSE_PORT: '' } }).values.server.port).toBe(9000)
  })
  test('every setting knows its origin', () => {
    const { settings } = load({ files: file, environment, flags: ['--level=warn'] })
    expect(settings.map(({ option, shown, origin }) => [option.key, shown, origin])).toEqual([
      ['db_name', 'from variable', 'GATEHOUSE_DB_NAME'],
      ['port', '3', 'default.yaml line 4: server.port'],
      ['level', 'warn', '--level'],
      ['pass', undefined, ''],
      ['strict', 'false', 'default'],
      ['config', undefined, ''],
      ['folder', 'f', 'default.yaml line 1: folder'],
    ])
  })
  test('a named file takes the place of the default one', () => {
    const files = { ...file, 'other.json': '{\n\t"server": {"db_name": "json", "port": 0}\n}' }
    expect(load({ flags: ['--config', 'other.json'], files }).values.server).toMatchObject({
      db_name: 'json',
      port: 0,
    })
    expect(load({ environment: { GATEHOUSE_CONFIG: 'other.json' }, files }).values.server.db_name).toBe(
      'json',
    )
  })
})

describe('how a flag is written', () => {
  test.each([['--db_name', 'a'], ['--db-name', 'a'], ['--db_name=a'], ['--db-name=a']])('%j %j', (...flags) =>
    expect(load({ flags }).values.server.db_name).toBe('a'),
  )

  test('a value may hold = and start with -', () => {
    expect(load({ flags: ['--db_name=a=b'] }).values.server.db_name).toBe('a=b')
    expect(load({ flags: ['--db_name', '-a'] }).values.server.db_name).toBe('-a')
  })
  test('a yes-or-no flag needs no value', () => {
    expect(load({ flags: ['--strict', ...named] }).values.server).toMatchObject({
      strict: true,
      db_name: 'data',
    })
  })
  test.each([
    [['--strict'], true],
    [['--strict=true'], true],
    [['--strict=false'], false],
    [['--strict', 'true'], true],
    [['--strict', 'false'], false],
  ])('%j is %j', (flags, value) =>
    expect(load({ flags: [...flags, ...named] }).values.server.strict).toBe(value),
  )
})

describe('values in a file mean what they mean as a flag', () => {
  test.each([
    ['db_name: 0123', '0123'],
    ['db_name: no', 'no'],
    ['db_name: "a: b"', 'a: b'],
    ['db_name: 1_000', '1_000'],
  ])('%s', (line, value) => {
    expect(load({ files: { 'default.yaml': `server:\n  ${line}` } }).values.server.db_name).toBe(value)
  })
})

const mistakes: readonly (Given & { readonly name: string; readonly lines: readonly string[] })[] = [
  {
    name: 'a missing value',
    lines: [
      'db_name: missing; give --db_name or GATEHOUSE_DB_NAME or “server: db_name” in a configuration file; it takes text that is not empty',
    ],
  },
  {
    name: 'an unknown flag',
    flags: ['--db_nme', 'data'],
    lines: ['--db_nme: unknown option; did you mean --db_name?'],
  },
  {
    name: 'an unknown flag like no other',
    flags: ['--colour=red', ...named],
    lines: ['--colour: unknown option'],
  },
  { name: 'one dash', flags: ['-db_name', 'data'], lines: ['-db_name: write it with two dashes: --db_name'] },
  {
    name: 'a flag without a value',
    flags: ['--db_name', '--port', '1'],
    lines: ['--db_name: needs a value: text that is not empty'],
  },
  {
    name: 'a bad value behind a yes-or-no flag',
    flags: ['--strict', 'yes', ...named],
    lines: ['--strict: takes true or false, not "yes"'],
  },
  { name: 'a flag given twice', flags: [...named, ...named], lines: ['--db_name: given more than once'] },
  { name: 'a word alone', flags: ['data', ...named], lines: ['"data": unexpected; options start with --'] },
  {
    name: 'a bad value of a flag',
    flags: ['--port', '99999', ...named],
    lines: ['--port: takes a port from 1 to 65535, or 0 for any free one, not "99999"'],
  },
  {
    name: 'a bad choice',
    flags: named,
    environment: { GATEHOUSE_LEVEL: 'Warning' },
    lines: ['GATEHOUSE_LEVEL: takes warn or info, not "Warning"'],
  },
  {
    name: 'a misspelt choice',
    flags: ['--level=inof', ...named],
    lines: ['--level: takes warn or info, not "inof"; did you mean info?'],
  },
  {
    name: 'an unknown variable',
    environment: { GATEHOUSE_DB_NMAE: 'x' },
    lines: ['GATEHOUSE_DB_NMAE: unknown variable; did you mean GATEHOUSE_DB_NAME?'],
  },
  {
    name: 'an unknown key',
    flags: named,
    files: { 'default.yaml': 'server:\n  level: warn\n  prot: 1\n' },
    lines: ['default.yaml line 3: server.prot: unknown key; did you mean port?'],
  },
  {
    name: 'an unknown part',
    flags: named,
    files: { 'default.yaml': 'serve:\n  level: warn\n' },
    lines: ['default.yaml line 1: serve: unknown key; did you mean server?'],
  },
  {
    name: 'a key in the wrong part',
    files: { 'default.yaml': 'db_name: data\nserver:\n  folder: f\n' },
    lines: [
      'default.yaml line 1: db_name: belongs under “server:”',
      'default.yaml line 3: server.folder: belongs at the top of the file',
    ],
  },
  {
    name: 'a bad value in a file',
    files: { 'default.yaml': 'server:\n  db_name: [a]\n  port: many\n' },
    lines: [
      'default.yaml line 2: server.db_name: takes text that is not empty, not a list or keys',
      'default.yaml line 3: server.port: takes a port from 1 to 65535, or 0 for any free one, not "many"',
    ],
  },
  {
    name: 'a part that is no map',
    flags: named,
    files: { 'default.yaml': 'server: 1' },
    lines: ['default.yaml line 1: server: takes keys and values, indented under it'],
  },
  {
    name: 'a key given twice',
    files: { 'default.yaml': 'folder: a\nfolder: b' },
    lines: ['default.yaml line 2: Map keys must be unique'],
  },
  {
    name: 'a file of one text',
    files: { 'default.yaml': 'hello' },
    lines: ['default.yaml: must hold keys and values, such as “gateway:”'],
  },
  {
    name: 'a file that is not there',
    flags: ['--config', 'no.yaml'],
    lines: ['--config: the file "no.yaml" does not exist'],
  },
  {
    name: 'several mistakes at once',
    flags: ['--port=x', '--levle=info'],
    environment: { GATEHOUSE_STRICT: 'maybe' },
    lines: [
      '--levle: unknown option; did you mean --level?',
      '--port: takes a port from 1 to 65535, or 0 for any free one, not "x"',
      'GATEHOUSE_STRICT: takes true or false, not "maybe"',
      'db_name: missing; give --db_name or GATEHOUSE_DB_NAME or “server: db_name” in a configuration file; it takes text that is not empty',
    ],
  },
]

describe('mistakes', () => {
  test.each(mistakes)('$name', ({ lines, ...given }) => expect(mistakesOf(given)).toEqual(lines))

  test('options of other commands in a shared environment and file are none', () => {
    const files = { 'default.yaml': 'other:\n  speed: fast\n' }
    expect(mistakesOf({ flags: named, files, environment: { GATEHOUSE_SPEED: 'fast' } })).toEqual([])
  })
  test('variables that Kubernetes makes for a service called gatehouse are none', () => {
    const environment = {
      GATEHOUSE_PORT: 'tcp://10.0.0.1:9000',
      GATEHOUSE_PORT_9000_TCP_ADDR: '10.0.0.1',
      GATEHOUSE_SERVICE_HOST: '10.0.0.1',
      GATEHOUSE_SERVICE_PORT_HTTP: '9000',
    }
    expect(load({ flags: named, environment }).values.server.port).toBe(9000)
  })
})

describe('secrets', () => {
  test('are read from a file, without the line end that editors add', () => {
    const files = { '/run/pass': ' s3cret \n', 'default.yaml': 'server:\n  pass_file: /run/pass\n' }
    expect(load({ flags: named, files }).values.server.pass).toBe(' s3cret ')
    expect(load({ flags: [...named, '--pass-file=/run/pass'], files }).values.server.pass).toBe(' s3cret ')
    expect(
      load({ flags: named, environment: { GATEHOUSE_PASS_FILE: '/run/pass' }, files }).values.server.pass,
    ).toBe(' s3cret ')
  })
  test('are warned about on the command line', () => {
    expect(load({ flags: [...named, '--pass=s3cret'] }).warnings).toEqual([
      '--pass: others can read a secret on the command line; GATEHOUSE_PASS or --pass_file is safer',
    ])
    expect(load({ flags: named, environment: { GATEHOUSE_PASS: 's3cret' } }).warnings).toEqual([])
  })
  test('are never shown', () => {
    const { settings } = load({ flags: named, environment: { GATEHOUSE_PASS: 's3cret' } })
    expect(JSON.stringify(settings)).not.toContain('s3cret')
    const lines = [
      ...mistakesOf({
        flags: ['--pass', 's3cret', 's3cret', '--pas=s3cret', '-pass=s3cret', '--pass_file=s3cret'],
      }),
      ...mistakesOf({ files: { 'default.yaml': 'server:\n  pass: s3cret\n  pas: s3cret\n pass: "s3cret' } }),
    ]
    expect(lines.length).toBeGreaterThan(5)
    expect(lines.join()).not.toContain('s3cret')
  })
  test('are given in one way', () => {
    const environment = { GATEHOUSE_PASS: 'a', GATEHOUSE_PASS_FILE: 'b' }
    expect(mistakesOf({ flags: named, environment })).toEqual([
      'GATEHOUSE_PASS and GATEHOUSE_PASS_FILE: give one of them, not both',
    ])
  })
  test('in a file that is not there are a mistake', () => {
    expect(mistakesOf({ flags: named, environment: { GATEHOUSE_PASS_FILE: 'b' } })).toEqual([
      'GATEHOUSE_PASS_FILE: the file it names does not exist',
    ])
  })
})
