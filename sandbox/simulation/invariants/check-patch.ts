import { annotations } from '../../../shared/contract/constants.ts'
import type { TransportRequest } from '../../../shared/kubernetes/kubernetes.ts'
import type { Problems } from './invariant.ts'

interface WatchedPatch {
  readonly metadata?: {
    readonly resourceVersion?: unknown
    readonly finalizers?: unknown
    readonly annotations?: Readonly<Record<string, unknown>>
  }
  readonly status?: { readonly lastOperation?: unknown }
}

/** Returns what a patch decides that another client may have changed meanwhile. */
const decided = ({ metadata = {}, status }: WatchedPatch): string | undefined => {
  const { finalizers, annotations: noted = {} } = metadata
  if (Object(status).lastOperation !== undefined) return 'lastOperation'
  if (finalizers !== undefined) return 'finalizers'
  return [annotations.step, annotations.operation].find(name => name in noted)
}

/** Checks that a patch of a claim, an outcome or finalizers names the version that it changes. */
export const checkPatch = (
  problems: Problems,
  process: string,
  { method, path, body, headers }: TransportRequest,
): void => {
  if (method !== 'PATCH' || body === undefined || !/merge-patch/.test(headers['content-type'] ?? '')) return
  const patch = JSON.parse(body) as WatchedPatch
  const what = decided(patch)
  if (what === undefined || typeof patch.metadata?.resourceVersion === 'string') return
  problems.add(
    'a patch never overwrites what it has not read',
    `${process} patched ${what} of ${path} without a version`,
  )
}
