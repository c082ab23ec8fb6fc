import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../shared/contract/message-of.ts'
import type { DefinitionProblem, SourcePlace } from '../shared/runtime/runtime.ts'

/** Why a module could not be loaded, and where: a file that it imports may be the broken one. */
export const loadFailure = (file: string, error: unknown): DefinitionProblem => ({
  place: missingImport(error) ?? placeInStack(error) ?? { file },
  message: `it cannot be loaded: ${messageOf(error)}`,
})

/** The first line of a stack that is in code of an author. */
export const placeInStack = (error: unknown): SourcePlace | undefined => {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : []
  return lines.map(placeInLine).find(place => place !== undefined && !place.file.includes('/node_modules/'))
}

/** A line of a stack, or its head for a syntax error: `at file:///x/zone.ts:3:7`, `at f (/x/zone.ts:3:7)`, `file:///x/zone.ts:3`. */
const placeInLine = (text: string): SourcePlace | undefined => {
  const isCall = text.trimStart().startsWith('at ')
  const start = Math.max(text.lastIndexOf('('), isCall ? text.lastIndexOf(' ') : -1) + 1
  const parts = text.slice(start, text.endsWith(')') ? -1 : undefined).split(':')
  // With a column, or without.
  const numbers = parts.slice(-2).every(isNumber) ? 2 : 1
  const line = parts.at(-numbers)
  const script = parts.slice(0, -numbers).join(':')
  if (!isNumber(line) || !(script.startsWith('file://') || script.startsWith('/'))) return undefined
  return { file: script.startsWith('file:') ? fileURLToPath(script) : script, line: Number(line) }
}

const isNumber = (text: string | undefined): text is string => /^\d+$/.test(text ?? '')

/** Where a file is imported that is not there: Node's stack does not tell. */
const missingImport = (error: unknown): SourcePlace | undefined => {
  const [, missing, file] =
    messageOf(error).match(/^Cannot find (?:module|package) '([^']+)' imported from (\/.+)$/) ?? []
  if (missing === undefined || file === undefined) return undefined
  const index = readFileSync(file, 'utf8')
    .split('\n')
    .findIndex(line => line.includes(basename(missing)))
  return index < 0 ? { file } : { file, line: index + 1 }
}
