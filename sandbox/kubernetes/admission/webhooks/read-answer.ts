import { isRecord, type JsonRecord } from '../../schema/structural-schema.ts'
import type { RegisteredWebhook } from './registered-webhook.ts'

export type WebhookResponse =
  | { readonly is: 'allowed'; readonly patch?: unknown; readonly warnings: readonly string[] }
  | { readonly is: 'denied'; readonly status: JsonRecord; readonly warnings: readonly string[] }
  /** No usable response. The `failurePolicy` decides. */
  | { readonly is: 'failed'; readonly why: string }
  /** The webhook allows, but its patch is invalid. No failure policy ignores this. */
  | { readonly is: 'broken'; readonly why: string }

/** Reads a response with HTTP `status`. For an unusable one it returns kube-apiserver's words. */
export const readAnswer = (
  { action }: Pick<RegisteredWebhook, 'action'>,
  uid: string,
  status: number,
  body: string,
): WebhookResponse => {
  const failed = (why: string): WebhookResponse => ({ is: 'failed', why })
  if (status < 200 || status > 299) return failed(`failed to call webhook: ${ofStatus(status, body)}`)
  const review = parse(body)
  if (!isRecord(review))
    return failed("failed to call webhook: couldn't get version/kind; json parse error: no JSON object")
  const { apiVersion, kind, response } = review
  const invalid = (why: string): WebhookResponse => failed(`received invalid webhook response: ${why}`)
  if (!isRecord(response)) return invalid('webhook response was absent')
  if (response.uid !== uid)
    return invalid(`expected response.uid="${uid}", got ${JSON.stringify(response.uid ?? '')}`)
  if (apiVersion !== 'admission.k8s.io/v1' || kind !== 'AdmissionReview')
    return invalid(
      `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${apiVersion}, Kind=${kind}`,
    )
  const { patch, patchType, allowed } = response
  const warnings = Array.isArray(response.warnings) ? response.warnings.map(String) : []
  if (action === 'validate' && patch !== undefined)
    return invalid('validating webhook may not return response.patch')
  if (patch !== undefined && patchType === undefined)
    return invalid('webhook returned response.patch but not response.patchType')
  if (patch !== undefined && patchType !== 'JSONPatch')
    return invalid(`webhook returned invalid response.patchType of "${patchType}"`)
  if (allowed !== true)
    return { is: 'denied', status: isRecord(response.status) ? response.status : {}, warnings }
  if (patch === undefined) return { is: 'allowed', warnings }
  const operations = parse(Buffer.from(String(patch), 'base64').toString())
  return Array.isArray(operations)
    ? { is: 'allowed', patch: operations, warnings }
    : { is: 'broken', why: 'the patch is not a list of operations' }
}

/** Returns the text of Go's client for an HTTP error response. */
const ofStatus = (status: number, body: string): string => {
  if (status === 404) return 'the server could not find the requested resource'
  if (status >= 500 && status !== 503)
    return `an error on the server (${JSON.stringify(body.trim())}) has prevented the request from succeeding`
  if (status === 503) return 'the server is currently unable to handle the request'
  return 'the server rejected our request for an unknown reason'
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
