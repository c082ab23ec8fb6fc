import type { Kubernetes } from '../../../kubernetes/kubernetes.ts'
import { readPathKey } from './hand-over.ts'

/** The keys for the proofs of shoots, for each component with webhooks in shoots. */
export interface PathKeys {
  readonly components: readonly string[]
  /** Returns the current keys. The former key remains valid, because shoots get a new one in sequence. */
  readonly of: (component: string) => readonly Uint8Array[]
  readonly refresh: (component: string) => Promise<void>
}

export const followPathKeys = (
  kubernetes: Pick<Kubernetes, 'get'>,
  namespace: string,
  components: readonly string[],
): PathKeys => {
  const keys = new Map<string, readonly Uint8Array[]>()
  return {
    components,
    of: component => keys.get(component) ?? [],
    refresh: async component => {
      const newest = await readPathKey(kubernetes, namespace, component)
      const [last] = keys.get(component) ?? []
      if (newest && !(last && Buffer.from(last).equals(newest)))
        keys.set(component, last ? [newest, last] : [newest])
    },
  }
}
