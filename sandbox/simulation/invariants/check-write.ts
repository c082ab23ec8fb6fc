import { annotations } from '../../../shared/contract/constants.ts'
import type { TransportRequest } from '../../../shared/kubernetes/kubernetes.ts'
import type { Problems } from './invariant.ts'

interface WatchedPatch {
  readonly metadata?: {
    readonly resourceVersion?: unknown
    readonly finalizers?: unknown
    readonly ownerReferences?: unknown
    readonly annotations?: Readonly<Record<string, unknown>>
  }
  readonly spec?: { readonly replicas?: unknown }
  readonly status?: { readonly lastOperation?: unknown; readonly conditions?: unknown }
}

/** Returns what a patch decides that another client may have changed meanwhile. */
const decided = ({ metadata = {}, spec, status }: WatchedPatch): string | undefined => {
  const { finalizers, ownerReferences, annotations: noted = {} } = metadata
  if (Object(status).lastOperation !== undefined) return 'lastOperation'
  if (finalizers !== undefined) return 'finalizers'
  if (ownerReferences !== undefined) return 'ownerReferences'
  if (Object(status).conditions !== undefined) return 'conditions'
  // Without a number, the value is no decision.
  if (typeof Object(spec).replicas === 'number') return 'replicas'
  return [annotations.step, annotations.operation].find(name => name in noted)
}

/**
 * Checks that a write names the object that it changes: a patch of a claim, an outcome or a list its version, and a
 * deletion its uid.
 */
export const checkWrite = (
  problems: Problems,
  process: string,
  { method, path, body, headers }: TransportRequest,
): void => {
  if (method === 'DELETE' && Object(JSON.parse(body || '{}')).preconditions?.uid === undefined)
    problems.add(
      'a patch never overwrites what it has not read',
      `${process} deleted ${path} without a uid: another object may have its name by now`,
    )
  if (method !== 'PATCH' || body === undefined || !/merge-patch/.test(headers['content-type'] ?? '')) return
  const patch = JSON.parse(body) as WatchedPatch
  const what = decided(patch)
  // Only Trellis and gardenlet scale controllers.
  if (what === undefined || path.endsWith('/scale') || typeof patch.metadata?.resourceVersion === 'string')
    return
  problems.add(
    'a patch never overwrites what it has not read',
    `${process} patched ${what} of ${path} without a version`,
  )
}
