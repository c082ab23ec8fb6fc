import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { type MetricsReport, reportTokenFolder } from './report.ts'

/**
 * The result of sending a report.
 * - `taken`: it was counted.
 * - `not taken`: it was surely not counted and can be sent again.
 * - `unknown`: it may have been counted. Sending it again could count twice.
 */
export type ReportFate = 'taken' | 'not taken' | 'unknown'

export type SendReport = (report: MetricsReport, signal: AbortSignal) => Promise<ReportFate>

/** Errors before a connection exists. Nothing was sent. */
const beforeConnect = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** The token of this process: as given by the process that started it, or that of its pod. Undefined: there is none. */
export type ReportToken = () => Promise<string | undefined>

/** Reads the token again for each report, because the kubelet renews it. */
export const reportToken =
  (given: string | undefined, folder: string = reportTokenFolder): ReportToken =>
  async () => {
    if (given !== undefined) return given
    try {
      return (await readFile(`${folder}/token`, 'utf8')).trim() || undefined
    } catch {
      // The bridge refuses the report, and the log says so.
      return undefined
    }
  }

/** Sends reports by POST. Each uses a new connection, because minutes may pass between two. Never rejects. */
export const httpReports =
  (url: string, tokenOf: ReportToken = reportToken(undefined)): SendReport =>
  async (report, signal) => {
    const token = await tokenOf()
    return new Promise(resolve => {
      const body = JSON.stringify(report)
      const sent = request(url, {
        method: 'POST',
        agent: false,
        signal,
        headers: {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
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
  }
