import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../../sandbox/seed/seed.ts'
import type { Clock } from '../../shared/clock/clock.ts'
import { formatPlace } from '../../shared/runtime/runtime.ts'
import type { Description } from './description.ts'

const program = fileURLToPath(new URL('./describe-function.ts', import.meta.url))

/** A file that takes longer to load has an endless loop, or waits for something; in ms. */
const longestLoadMs = 30_000

/**
 * Reads the file of a function in a separate process: all its imports are loaded afresh, and none of them stay in this
 * process. The answer includes the problems of the file. Rejects with the signal's reason when it aborts.
 */
export const readDescription = async (
  file: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<Description> => {
  const mark = `${randomUUID()} `
  const stop = new AbortController()
  const child = spawn(process.execPath, [program, file, mark], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    killSignal: 'SIGKILL',
    signal: AbortSignal.any([signal, stop.signal]),
  })
  // The signal reports an abort.
  child.on('error', () => {})
  const cancel = clock.after(longestLoadMs, () => stop.abort())
  try {
    const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)])
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
    signal.throwIfAborted()
    const line = said.split('\n').find(candidate => candidate.startsWith(mark))
    if (line !== undefined) return JSON.parse(line.slice(mark.length)) as Description
    const why = stop.signal.aborted
      ? `it did not load within ${longestLoadMs / 1000} s`
      : `its process exited without output${complained === '' ? '' : `: ${complained.trim()}`}`
    return { problems: [`${formatPlace({ file })}: ${why}`], files: [file] }
  } finally {
    cancel()
  }
}
