import { httpReports, type OnStep, reportPath } from '../../shared/runtime/runtime.ts'

/** Reports of steps of functions in this process. */
export interface StepReports {
  readonly onStep: OnStep
  close(): Promise<void>
}

/** Sends the report of each step to the bridge, one after the other, as functions in pods do. `url`: that of the bridge. */
export const createStepReports = (url: () => string | undefined): StepReports => {
  const ended = new AbortController()
  let sent: Promise<unknown> = Promise.resolve()
  return {
    onStep: report => {
      sent = sent.then(async () => {
        const bridge = url()
        if (bridge === undefined || ended.signal.aborted) return
        await httpReports(bridge + reportPath)(
          { program: report.function, series: {}, steps: [report] },
          ended.signal,
        )
      })
    },
    close: async () => {
      ended.abort()
      await sent
    },
  }
}
