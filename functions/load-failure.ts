import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DefinitionProblem, SourcePlace } from '../shared/runtime/runtime.ts'
import { messageOf } from '../shared/text/message-of.ts'

/** Returns why a module could not be loaded, and where: an imported file may be the broken one. */
export const loadFailure = (file: string, error: unknown): DefinitionProblem => ({
  place: missingImport(error) ?? placeInStack(error) ?? { file },
  message: `cannot load the file: ${messageOf(error)}`,
})

/** Returns the first line of a stack in the author's code. */
export const placeInStack = (error: unknown): SourcePlace | undefined => {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : []
  return lines.map(placeInLine).find(place => place !== undefined && !place.file.includes('/node_modules/'))
}

/**
 * Parses a line of a stack, or its head for a syntax error: `at file:///x/zone.ts:3:7`, `at f (/x/zone.ts:3:7)`,
 * `file:///x/zone.ts:3`.
 */
const placeInLine = (text: string): SourcePlace | undefined => {
  const isCall = text.trimStart().startsWith('at ')
  const start = Math.max(text.lastIndexOf('('), isCall ? text.lastIndexOf(' ') : -1) + 1
  const parts = text.slice(start, text.endsWith(')') ? -1 : undefined).split(':')
  // With or without a column.
  const numbers = parts.slice(-2).every(isNumber) ? 2 : 1
  const line = parts.at(-numbers)
  const script = parts.slice(0, -numbers).join(':')
  if (!isNumber(line) || !(script.startsWith('file://') || script.startsWith('/'))) return undefined
  return { file: script.startsWith('file:') ? fileURLToPath(script) : script, line: Number(line) }
}

const isNumber = (text: string | undefined): text is string => /^\d+$/.test(text ?? '')

/** Returns the place that imports a missing file. Node's stack does not contain it. */
const missingImport = (error: unknown): SourcePlace | undefined => {
  const [, missing, file] =
    messageOf(error).match(/^Cannot find (?:module|package) '([^']+)' imported from (\/.+)$/) ?? []
  if (missing === undefined || file === undefined) return undefined
  const index = readFileSync(file, 'utf8')
    .split('\n')
    .findIndex(line => line.includes(basename(missing)))
  return index < 0 ? { file } : { file, line: index + 1 }
}
