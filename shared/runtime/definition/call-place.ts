import { fileURLToPath } from 'node:url'
import type { SourcePlace } from './definition-error.ts'

const frame = '    at '

/**
 * Returns the place where a running function was called, or undefined if the stack does not contain it. Uses the text
 * of the stack, because `util.getCallSites` ignores source maps that tools install.
 */
export const callPlaceOf = (called: (...args: never) => unknown): SourcePlace | undefined => {
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, called)
  const caller = holder.stack?.split('\n').find(line => line.startsWith(frame))
  return caller === undefined ? undefined : placeIn(caller.slice(frame.length))
}

/** `async file:///x/function.ts:9:27`, `name (/x/function.ts:9:27)`: the column is last. */
const placeIn = (caller: string): SourcePlace | undefined => {
  const position = caller.endsWith(')') ? caller.slice(caller.lastIndexOf('(') + 1, -1) : caller
  const [line = '', ...path] = position
    .replace(/^async /, '')
    .split(':')
    .slice(0, -1)
    .reverse()
  const script = path.reverse().join(':')
  if (script.startsWith('file:')) return { file: fileURLToPath(script), line: Number(line) }
  return script.startsWith('/') ? { file: script, line: Number(line) } : undefined
}
