import type { StepReport } from '../../journal/journal.ts'
import { sizeOfReport } from './open-step.ts'

/** Steps that wait to be sent with the next report. */
export interface StepQueue {
  /** Adds a step. Without room, the oldest step is lost. */
  push(report: StepReport): void
  /** Removes and returns the oldest steps, as many as one report may have. */
  take(): readonly StepReport[]
  /** Puts back steps that were not sent. */
  giveBack(reports: readonly StepReport[]): void
  readonly size: () => number
  onPush(listener: () => void): void
}

/** Maximum of waiting steps, in characters. A bridge that is away costs no more memory. */
const mostWaiting = 1024 * 1024
/** Maximum in one report, in characters. Its metrics need the rest of `reportLimitBytes`. */
const mostAtOnce = 192 * 1024

/** @param lost called for each step that is lost */
export const stepQueue = (lost: () => void): StepQueue => {
  const listeners: (() => void)[] = []
  let waiting: { readonly report: StepReport; readonly size: number }[] = []
  let total = 0

  const bound = (): void => {
    let first = 0
    for (; total > mostWaiting; first++) {
      total -= waiting[first]?.size ?? 0
      lost()
    }
    if (first > 0) waiting = waiting.slice(first)
  }
  const sized = (report: StepReport) => {
    const size = sizeOfReport(report)
    total += size
    return { report, size }
  }

  return {
    push: report => {
      waiting.push(sized(report))
      bound()
      for (const listener of listeners) listener()
    },
    take: () => {
      let count = 0
      for (let size = 0; count < waiting.length; count++) {
        size += waiting[count]?.size ?? 0
        if (count > 0 && size > mostAtOnce) break
      }
      const taken = waiting.splice(0, count)
      for (const { size } of taken) total -= size
      return taken.map(({ report }) => report)
    },
    giveBack: reports => {
      waiting = [...reports.map(sized), ...waiting]
      bound()
    },
    size: () => waiting.length,
    onPush: listener => {
      listeners.push(listener)
    },
  }
}
