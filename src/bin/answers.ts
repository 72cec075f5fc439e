/** What commands of administration tell about records. */
import { printable } from '../admin/printable.ts'
import { recordTables } from '../admin/record-tables.ts'
import { writeDocument } from '../config/located-document.ts'
import type { AdminAnswer } from './admin-command.ts'

/** A list of records. */
export function listAnswer(kind: keyof typeof recordTables, document: unknown): AdminAnswer {
  return { json: document, text: tableOf(kind, document) }
}

/** One record, whole. */
export function recordAnswer(document: unknown): AdminAnswer {
  return { json: document, text: shown(document) }
}

/** That something was done; `json` says it to programs. */
export function doneAnswer(sentence: string, json: unknown): AdminAnswer {
  return { json, text: printable(sentence) }
}

/** A record as YAML, for reading. */
export function shown(document: unknown): string {
  return writeDocument(document).split('\n').map(printable).join('\n')
}

function tableOf(kind: keyof typeof recordTables, document: unknown): string {
  return recordTables[kind](document)
}
