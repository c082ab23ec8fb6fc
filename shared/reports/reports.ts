/** Receives reports of functions, which may end before they are scraped: metrics and steps, proved by tokens. */

export { createReportReceiver, reportedDefinition, reportMetrics } from './report-receiver.ts'
export { createReportSenders } from './report-senders.ts'
