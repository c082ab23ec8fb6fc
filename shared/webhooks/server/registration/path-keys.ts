import type { Kubernetes } from '../../../kubernetes/kubernetes.ts'
import { readPathKey } from './hand-over.ts'

/** By which shoots prove who they are, for each component with webhooks there. */
export interface PathKeys {
  readonly components: readonly string[]
  /** As they are now; the one before stays, as shoots are told of a new one one after the other. */
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
