/** The output of administration commands about records. */
import { printable } from '../admin/printable.ts'
import { recordTables } from '../admin/record-tables.ts'
import { writeDocument } from '../config/located-document.ts'
import type { CommandOutput } from './admin-command.ts'

/** A list of records. */
export function listOutput(kind: keyof typeof recordTables, document: unknown): CommandOutput {
  return { json: document, text: tableOf(kind, document) }
}

/** One record, whole. */
export function recordOutput(document: unknown): CommandOutput {
  return { json: document, text: shown(document) }
}

/** Says that something was done; `json` is for programs. */
export function doneOutput(sentence: string, json: unknown): CommandOutput {
  return { json, text: printable(sentence) }
}

/** A record as YAML, for reading. */
export function shown(document: unknown): string {
  return writeDocument(document).split('\n').map(printable).join('\n')
}

function tableOf(kind: keyof typeof recordTables, document: unknown): string {
  return recordTables[kind](document)
}
