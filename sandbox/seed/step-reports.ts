import { httpReports, type OnStep, reportPath, reportToken } from '../../shared/runtime/runtime.ts'

/** Reports of steps of functions in this process. */
export interface StepReports {
  readonly onStep: OnStep
  close(): Promise<void>
}

/** The bridge's address, and the tokens with which functions prove their reports. */
export interface ReportedTo {
  readonly bridgeUrl: string
  readonly reportToken: (program: string) => string
}

/** Sends the report of each step to the bridge, one after the other, as functions in pods do. */
export const createStepReports = (reportedTo: () => ReportedTo | undefined): StepReports => {
  const ended = new AbortController()
  let sent: Promise<unknown> = Promise.resolve()
  return {
    onStep: report => {
      sent = sent.then(async () => {
        const bridge = reportedTo()
        if (bridge === undefined || ended.signal.aborted) return
        const token = bridge.reportToken(report.function)
        await httpReports(bridge.bridgeUrl + reportPath, reportToken(token))(
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
