import type { Clock } from '../../shared/clock/clock.ts'
import type { SurveyProgress } from './survey-progress.ts'

interface ProgressOutput {
  readonly isTTY?: boolean
  readonly write: (text: string) => unknown
}

/** A survey with fewer objects ends soon. */
const fewObjects = 20

/**
 * A line that overwrites itself on a terminal. Elsewhere, a line for each tenth of the work.
 *
 * @param calls the number of requests to clouds. Default: it is not shown
 */
export const progressLine = (output: ProgressOutput, clock: Pick<Clock, 'now'>, calls?: () => number) => {
  const began = clock.now()
  let tenths = 0
  let shown = false
  return {
    show: ({ done, total }: SurveyProgress): void => {
      if (total < fewObjects) return
      const left = (clock.now() - began) * (total / done - 1)
      const sent = calls === undefined ? '' : `, ${calls()} requests to clouds`
      const text = `${done} of ${total} objects${sent}, about ${durationOf(left)} left`
      if (output.isTTY) output.write(`\r\u001b[K${text}`)
      else if (Math.floor((done * 10) / total) > tenths) output.write(`${text}\n`)
      tenths = Math.floor((done * 10) / total)
      shown = output.isTTY === true
    },
    clear: (): void => {
      if (shown) output.write('\r\u001b[K')
      shown = false
    },
  }
}

const durationOf = (ms: number): string =>
  ms < 90_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`
