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

/** A line of a stack, or its head for a syntax error: `at file:///x/zone.ts:3:7`, `at f (/x/zone.ts:3:7)`, `file:///x/zone.ts:3`. */
const position = /^(?:\s+at .*?)?(file:\/\/[^\s()]+?|\/[^\n()]+?):(\d+)(?::\d+)?\)?$/gm

/** The first line of a stack that is in code of an author. */
const placeInStack = (error: unknown): SourcePlace | undefined => {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  for (const [, script = '', line] of stack.matchAll(position)) {
    const file = script.startsWith('file:') ? fileURLToPath(script) : script
    if (!file.includes('/node_modules/')) return { file, line: Number(line) }
  }
  return undefined
}

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
