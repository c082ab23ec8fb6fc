import { fileURLToPath } from 'node:url'
import type { SourcePlace } from './definition-error.ts'

/**
 * Where a function that is running was called. Undefined when the stack does not tell. (`util.getCallSites` knows
 * nothing of the source maps that tools set up, the text of a stack does.)
 */
export const callPlaceOf = (called: (...args: never) => unknown): SourcePlace | undefined => {
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, called)
  const caller = holder.stack?.split('\n').find(line => line.startsWith('    at '))
  const [, script, line] =
    /\(?([^\s()][^()]*):(\d+):\d+\)?$/.exec(caller?.slice('    at '.length) ?? '') ?? []
  const path = script?.replace(/^async /, '')
  if (path === undefined) return undefined
  if (path.startsWith('file:')) return { file: fileURLToPath(path), line: Number(line) }
  return path.startsWith('/') ? { file: path, line: Number(line) } : undefined
}
