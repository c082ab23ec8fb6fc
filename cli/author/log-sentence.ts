import { fileURLToPath } from 'node:url'
import type { Sentence } from '../../sandbox/narration/sentence.ts'
import { parsedJson, recordOf } from '../../shared/decode/record-of.ts'
import { formatPlace } from '../../shared/runtime/runtime.ts'

/** The first line that Node prints for `--inspect`. */
const inspectorLine = /^Debugger listening on (ws:\/\/\S+)$/
/** Its other lines. */
const inspectorNoise = /^(?:For help, see: https:\/\/nodejs\.org\/\S+|Debugger (?:attached\.|ending on \S+))$/

const shownLevels = new Set(['warn', 'error', 'fatal'])

/** Formats a line that the process of a function has printed: the author's output, and from its log only problems. */
export const logSentence = (name: string, line: string, isVerbose: boolean): Sentence | undefined => {
  const entry = entryOf(line)
  const [, inspector] = inspectorLine.exec(line) ?? []
  if (inspector !== undefined)
    return { part: 'function', text: `${name}: a debugger can attach to ${inspector}`, tone: 'good' }
  if (entry === undefined && inspectorNoise.test(line)) return undefined
  if (entry === undefined)
    return line.trim() === '' ? undefined : { part: 'function', text: `${name}: ${line}`, tone: 'plain' }
  const { level, msg, time: _, name: __, step, ...fields } = entry
  // The object shows the result of a step, but not the line of the function's files that threw the error.
  const isBad = shownLevels.has(String(level)) && msg !== 'step failed'
  // The author's function wrote this line with `step.log`.
  const isOwn = typeof step === 'string' && level !== 'debug'
  if (!isBad && !isOwn && !isVerbose) {
    const thrown = msg === 'step failed' && Number(fields.attempt) <= 1 ? placeOf(fields.at) : undefined
    return thrown === undefined
      ? undefined
      : { part: 'function', text: `${name}: ${thrown}: ${String(fields.error)}`, tone: 'bad' }
  }
  const rest = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`
  const where = typeof step === 'string' ? ` (${step})` : ''
  return {
    part: 'function',
    text: `${name}: ${msg}${rest}${where}`,
    tone: isBad ? 'bad' : isOwn ? 'plain' : 'dim',
  }
}

const entryOf = (line: string): Readonly<Record<string, unknown>> | undefined => {
  const entry = recordOf(parsedJson(line))
  return typeof entry.msg === 'string' && typeof entry.level === 'string' ? entry : undefined
}

/** Returns the innermost frame outside of libraries, in a form that a terminal can open. */
const placeOf = (frames: unknown): string | undefined => {
  if (!Array.isArray(frames)) return undefined
  const frame = frames.map(String).find(text => text.includes('file:///') && !text.includes('/node_modules/'))
  if (frame === undefined) return undefined
  // `reconcile (file:///…/actuator.ts:12:9)`, or without a name and parentheses.
  const place = frame.slice(frame.indexOf('file:///'), frame.endsWith(')') ? -1 : undefined).split(':')
  const line = Number(place.at(-2))
  return formatPlace({ file: fileURLToPath(place.slice(0, -2).join(':')), line })
}
