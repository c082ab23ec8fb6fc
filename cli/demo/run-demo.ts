import colors from 'picocolors'
import { type Clock, systemClock } from '../../shared/clock/clock.ts'
import { createPrinter } from '../narration/printer.ts'
import { createSentences } from '../narration/sentence.ts'
import { startSandbox } from '../sandbox/start-sandbox.ts'
import { tour } from './tour.ts'

/** Longest time for one stop, in ms: the whole tour ends within a minute. */
const stopLimitMs = 15_000

/** A function without events scales to zero after so long in the demo, so that it can be watched. */
const demoIdleMs = 1_500

/**
 * Runs the tour and says how it went.
 *
 * @returns whether every stop did what it should
 */
export const runDemo = async (
  write: (text: string) => void,
  clock: Clock = systemClock,
): Promise<boolean> => {
  const printer = createPrinter(clock, write)
  const sentenceOf = createSentences()
  const start = clock.now()
  const rows: { readonly title: string; readonly ms: number; readonly problem?: string }[] = []

  printer.line(
    colors.bold('\nStarting a seed on this machine: API server, bridge, broker, functions and AWS.\n'),
  )
  const sandbox = await startSandbox({
    idleMs: demoIdleMs,
    observe: event => {
      const sentence = sentenceOf(event)
      if (sentence !== undefined) printer.sentence(sentence)
    },
  })
  try {
    rows.push({ title: 'start the sandbox', ms: clock.now() - start })
    for (const { title, typed, run } of tour) {
      printer.line(`\n${colors.bold(title)}\n${colors.dim(`  ${typed}`)}\n`)
      const began = clock.now()
      const problem = await run(sandbox, AbortSignal.timeout(stopLimitMs)).then(
        shown => {
          if (shown !== '') printer.line(`\n${shown}`)
          return undefined
        },
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      rows.push({ title, ms: clock.now() - began, ...(problem === undefined ? {} : { problem }) })
      if (problem !== undefined) break
    }
  } finally {
    await sandbox.close()
  }

  printer.line(colors.bold('\nHow it went\n'))
  for (const { title, ms, problem } of rows) {
    const mark = problem === undefined ? colors.green('ok  ') : colors.red('off ')
    printer.line(
      `  ${mark} ${seconds(ms)}  ${title}${problem === undefined ? '' : `: ${colors.red(problem)}`}`,
    )
  }
  printer.line(`\n  ${seconds(clock.now() - start)}  in all. Now try it yourself: npx trellis dev\n`)
  return rows.every(({ problem }) => problem === undefined)
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2).padStart(6)} s`
