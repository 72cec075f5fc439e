/**
 * Checks what documents say: files and folders that they name are there, so are the layers of ARCHITECTURE.md, rows of tables
 * have the cells of their head, and decisions are numbered, dated and listed.
 */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { layers } from './check-layers.ts'
import { brokenLinks as brokenGuideLinks } from './guide/check-links.ts'
import { readDocuments } from './guide/read-documents.ts'

/** One sentence for each thing that is not there. */
export function findUntrueDocuments(root: string): readonly string[] {
  const files = filesBelow(root)
  const folders = new Set(files.flatMap((file) => foldersOf(file)))
  const documents = files.filter((file) => file.endsWith('.md'))
  return [
    ...documents.flatMap((document) => {
      const text = readFileSync(join(root, document), 'utf8')
      return [
        ...brokenLinks(root, document, text),
        ...missingPaths(text, files, folders).map((path) => `${document} names ${path}, which is not there.`),
        ...brokenRows(text).map(
          (row) => `${document} has a row with other cells than its table's head: ${row}`,
        ),
      ]
    }),
    ...wrongLayers(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')),
    ...wrongDecisions(root, documents),
    ...(folders.has('docs') ? brokenGuideLinks(readDocuments(root)) : []),
  ]
}

function filesBelow(root: string): readonly string[] {
  const isOther = /^(?:node_modules|dist|\.git|\.node|gatehouse-data)$|\/node_modules$/
  const found: string[] = []
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (isOther.test(path)) continue
      if (entry.isDirectory()) visit(path)
      else found.push(path.split(sep).join('/'))
    }
  }
  visit('')
  return found
}

function foldersOf(file: string): readonly string[] {
  const parts = file.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

const link = /\]\((?!https?:|mailto:|#)([^)\s#]+)(?:#[^)\s]*)?\)/g

function brokenLinks(root: string, document: string, text: string): readonly string[] {
  return [...text.matchAll(link)].flatMap(([, target = '']) =>
    existsSync(join(root, dirname(document), target))
      ? []
      : [`${document} links to ${target}, which is not there.`],
  )
}

const code = /`([^`\n]+)`/g
/** A file of ours in a folder, or a folder of ours. */
const pathForm = /^(?:[\w.-]+\/)*(?:[\w-]+(?:\.[\w-]+)*\.(?:ts|tsx|mjs))?$/

/** Paths may begin at the root, in `src/`, or in a folder that the sentence is about. */
function missingPaths(
  text: string,
  files: readonly string[],
  folders: ReadonlySet<string>,
): readonly string[] {
  const known = [...files, ...[...folders].map((folder) => `${folder}/`)]
  const isThere = (path: string) => known.some((one) => one === path || one.endsWith(`/${path}`))
  const ours = new Set([...folders].map((folder) => folder.split('/').at(-1)))
  return [...text.matchAll(code)]
    .map(([, path = '']) => path)
    .filter(
      (path) =>
        pathForm.test(path) && (path.endsWith('.ts') || ours.has(path.split('/')[0])) && !isThere(path),
    )
}

/** Rows of tables that have more or fewer cells than the head of their table, or stand in none. */
function brokenRows(text: string): readonly string[] {
  const lines = withoutCodeBlocks(text).split('\n')
  let cells = 0
  return lines.filter((line, index) => {
    if (!line.startsWith('|')) {
      cells = 0
      return false
    }
    const isHead = cells === 0 && /^\|[-:| ]+\|$/.test(lines[index + 1] ?? '')
    if (isHead) cells = cellsOf(line)
    return cellsOf(line) !== cells
  })
}

/** A `|` within code separates cells, too, unless a backslash stands before it. */
function cellsOf(row: string): number {
  return row.trimEnd().match(/(?<!\\)\|/g)?.length ?? 0
}

function withoutCodeBlocks(text: string): string {
  return text.replaceAll(/^( *)(```+)[^\n]*\n[\s\S]*?\n\1\2$/gm, '')
}

function wrongLayers(architecture: string): readonly string[] {
  const told = [...architecture.matchAll(/^ {3}(\d) {2}(\S.*)$/gm)].map(([, level, names = '']) => ({
    level: Number(level),
    names: names.trim().split(/ +/),
  }))
  return layers.flatMap((names, level) => {
    const own = told.find((one) => one.level === level)?.names ?? []
    return names.toSorted().join() === own.toSorted().join()
      ? []
      : [`ARCHITECTURE.md says that layer ${level} is ${own.join(', ')}; it is ${names.join(', ')}.`]
  })
}

const decisions = 'docs/decisions/'
const decisionName = /^(\d{4})-[a-z0-9-]+\.md$/
const decisionHead =
  /^# (?<number>\d+)\. \S.*\n\nDate: \d{4}-\d\d-\d\d\n\nStatus: (?:accepted|accepted, amended by \[.*|superseded by \[.*)\n/

/** Decisions have numbers without a gap, a date and a status, and their list names each. */
function wrongDecisions(root: string, documents: readonly string[]): readonly string[] {
  const list = `${decisions}README.md`
  const names = documents
    .filter((document) => document.startsWith(decisions) && document !== list)
    .map((document) => document.slice(decisions.length))
    .toSorted()
  if (names.length === 0) return []
  const listed = documents.includes(list) ? readFileSync(join(root, list), 'utf8') : ''
  return names.flatMap((name, index) => {
    const document = `${decisions}${name}`
    const number = index + 1
    const head = decisionHead.exec(readFileSync(join(root, document), 'utf8'))
    return [
      ...(Number(decisionName.exec(name)?.[1]) === number
        ? []
        : [`${document} is decision ${number}, and its name says otherwise.`]),
      ...(Number(head?.groups?.number) === number
        ? []
        : [`${document} has to begin with "# ${number}. Title", "Date: YYYY-MM-DD" and "Status: accepted".`]),
      ...(listed.includes(`](${name})`) ? [] : [`${list} does not list ${name}.`]),
    ]
  })
}

if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) {
  const mistakes = findUntrueDocuments(fileURLToPath(new URL('..', import.meta.url)))
  for (const mistake of mistakes) console.error(mistake)
  process.exitCode = mistakes.length === 0 ? 0 : 1
}
