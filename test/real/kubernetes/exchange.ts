import { readText, type Transport, type TransportRequest } from '../../../shared/kubernetes/kubernetes.ts'

/** A request in a sequence of requests to an API server. */
export interface Exchange {
  readonly title: string
  readonly method: TransportRequest['method']
  readonly path: string
  /** JSON, or plain text. */
  readonly body?: object | string
  readonly contentType?: string
  readonly accept?: string
}

/**
 * A reply without values that differ between servers. A failure has no texts, which are for users. A program may rely
 * on its code, its reason and the invalid fields.
 */
export type Reply =
  | { readonly status: number; readonly body: unknown }
  | { readonly status: number; readonly reason: string; readonly fields: readonly string[] }

/** Placeholders for values that differ between servers, by field name. */
const named: Readonly<Record<string, string>> = {
  uid: 'uid',
  resourceVersion: 'version',
  creationTimestamp: 'time',
  deletionTimestamp: 'time',
  lastTransitionTime: 'time',
}

/** An age in a table may differ by a second between the servers. */
const plain = (text: string): string =>
  text
    .replace(/^\d+s$/, '<age>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')

/** Fields for users, or for Kubernetes' own components only. */
const leftOut = new Set(['managedFields', 'description', 'storageVersionHash'])

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/** Returns a value without the parts that differ between servers. */
const comparable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value === 'string') return plain(value)
  if (typeof value !== 'object' || value === null) return value
  // kube-apiserver lists custom resources in the random order in which it saw their definitions.
  if ('kind' in value && value.kind === 'APIResourceList' && 'resources' in value) {
    const { resources } = value
    return { ...value, resources: Array.isArray(resources) && resources.map(comparable).toSorted(byText) }
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !leftOut.has(name))
      .map(([name, inner]) => [
        name,
        named[name] !== undefined && typeof inner === 'string' && inner !== ''
          ? `<${named[name]}>`
          : comparable(inner),
      ]),
  )
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

interface Failure {
  readonly kind: 'Status'
  readonly status: 'Failure'
  readonly reason?: string
  readonly details?: { readonly causes?: readonly { readonly field?: string }[] }
}

const isFailure = (body: unknown): body is Failure =>
  typeof body === 'object' && body !== null && 'status' in body && body.status === 'Failure'

/** `<nil>` is kube-apiserver's note that it did not evaluate all of its rules. */
const fieldsOf = ({ details }: Failure): string[] => [
  ...new Set((details?.causes ?? []).map(({ field = '' }) => field).filter(field => field !== '<nil>')),
]

export const replyTo = async (transport: Transport, exchange: Exchange): Promise<Reply> => {
  const { method, path, body, contentType = 'application/json', accept = 'application/json' } = exchange
  const response = await transport({
    method,
    path,
    headers: { accept, ...(body === undefined ? {} : { 'content-type': contentType }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const { status } = response
  const answer = parsed(await readText(response.body))
  return isFailure(answer)
    ? { status, reason: answer.reason ?? '', fields: fieldsOf(answer).toSorted() }
    : { status, body: comparable(answer) }
}
