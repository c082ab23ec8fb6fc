/** Receives what functions report, because a function may end before it is scraped: metrics and steps, proved by tokens. */

export { createReportReceiver, reportedDefinition, reportMetrics } from './report-receiver.ts'
export { createReportSenders } from './report-senders.ts'
