import { request } from 'node:http'
import type { MetricsReport } from './report.ts'

/**
 * What became of a report.
 * - `taken`: it is counted.
 * - `not taken`: it is surely not counted, and may be sent again.
 * - `unknown`: it may be counted: sent again it might count twice.
 */
export type ReportFate = 'taken' | 'not taken' | 'unknown'

export type SendReport = (report: MetricsReport, signal: AbortSignal) => Promise<ReportFate>

/** Failures of a connection that never was: nothing has gone out. */
const beforeConnect = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Sends reports by POST, each over a connection of its own: minutes may lie between two. Never rejects. */
export const httpReports =
  (url: string): SendReport =>
  (report, signal) =>
    new Promise(resolve => {
      const body = JSON.stringify(report)
      const sent = request(url, {
        method: 'POST',
        agent: false,
        signal,
        headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) },
      })
      sent.once('response', response => {
        response.resume()
        resolve(response.statusCode === 204 ? 'taken' : 'not taken')
      })
      sent.on('error', (error: NodeJS.ErrnoException) =>
        resolve(beforeConnect.has(error.code ?? '') ? 'not taken' : 'unknown'),
      )
      sent.end(body)
    })
