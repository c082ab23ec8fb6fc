import { ApiError, badRequest, type StatusDetails } from '../../requests/api-error.ts'
import { isRecord, type JsonRecord } from '../../schema/structural-schema.ts'

/**
 * Returns kube-apiserver's error for a refusal of a webhook. The status is at least 400, whatever the webhook returns.
 */
export const deniedBy = (webhook: string, status: JsonRecord): ApiError => {
  const { code, reason = '', message, details } = status
  const denied = `admission webhook "${webhook}" denied the request`
  const why = message || reason
  return new ApiError({
    code: typeof code === 'number' && code >= 400 ? code : 400,
    reason: String(reason),
    message: why ? `${denied}: ${why}` : `${denied} without explanation`,
    ...(isRecord(details) && { details: details as StatusDetails }),
  })
}

export const failedCalling = (webhook: string, why: string): ApiError =>
  internal(`failed calling webhook "${webhook}": ${why}`)

/** kube-apiserver returns only the error. */
export const brokenPatch = (why: string): ApiError => internal(why)

export const noDryRun = (webhook: string): ApiError =>
  badRequest(`admission webhook "${webhook}" does not support dry run`)

const internal = (message: string): ApiError =>
  new ApiError({ code: 500, reason: 'InternalError', message: `Internal error occurred: ${message}` })
