import { annotations } from '../../../shared/contract/constants.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

const at = '2026-11-21T12:00:00Z'

/** `lastOperation` of an operation that has succeeded. */
export const succeeded = {
  type: 'Reconcile',
  state: 'Succeeded',
  lastUpdateTime: at,
  progress: 100,
  description: '',
}

/** An object as a step leaves it after a success, with the changes of a test. */
export const settledObject = (
  kind: KindName,
  { namespace, name }: { readonly namespace?: string; readonly name: string },
  { metadata, spec, status }: { readonly [K in 'metadata' | 'spec' | 'status']?: object } = {},
): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind,
  metadata: {
    name,
    ...(namespace !== undefined && { namespace }),
    generation: 1,
    annotations: {
      [annotations.step]: JSON.stringify({
        phase: 'claimed',
        operation: 'reconcile',
        attempt: 0,
        until: at,
        event: 'e-1',
        generation: 1,
      }),
    },
    ...metadata,
  },
  spec: { type: 'acme', ...spec },
  status: { lastOperation: succeeded, observedGeneration: 1, ...status },
})
