import { readText, type Transport, type TransportRequest } from '../../../shared/kubernetes/kubernetes.ts'

/** A request of a conversation with an API server. */
export interface Exchange {
  readonly title: string
  readonly method: TransportRequest['method']
  readonly path: string
  /** JSON, or text as it is. */
  readonly body?: object | string
  readonly contentType?: string
  readonly accept?: string
}

/**
 * A reply without what differs between any two servers. Of a failure it has no texts, which are for people: what a
 * program may rely on is its code, its reason and the fields that are at fault.
 */
export type Reply =
  | { readonly status: number; readonly body: unknown }
  | { readonly status: number; readonly reason: string; readonly fields: readonly string[] }

/** Values that differ between any two servers, by the name of their field. */
const named: Readonly<Record<string, string>> = {
  uid: 'uid',
  resourceVersion: 'version',
  creationTimestamp: 'time',
  deletionTimestamp: 'time',
  lastTransitionTime: 'time',
}

/** An age in a table may be a second more on one of the servers. */
const plain = (text: string): string =>
  text
    .replace(/^\d+s$/, '<age>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')

/** Told to people, or of use to Kubernetes' own parts alone. */
const leftOut = new Set(['managedFields', 'description', 'storageVersionHash'])

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/** A value without what differs between any two servers. */
const comparable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value === 'string') return plain(value)
  if (typeof value !== 'object' || value === null) return value
  // kube-apiserver names custom resources in the order in which it happened to see their definitions.
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

/** `<nil>` is where kube-apiserver notes that it did not come to all of its rules. */
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
