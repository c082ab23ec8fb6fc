import { clusterKind, type KindName, kinds } from '../../contract/kinds.ts'
import type { GroupVersionResource, Permission } from '../../kubernetes/kubernetes.ts'
import { kindRules } from './kind-rules.ts'

const core = (plural: string, namespaced: boolean): GroupVersionResource => ({
  group: '',
  version: 'v1',
  plural,
  namespaced,
})

/**
 * What the lifecycle itself does in the API server for an object of a kind: merge patches on the object and its status,
 * live reads of what it refers to. A function has these permissions without naming them;
 * one that ignores the Secret of its objects has none for it.
 */
export const lifecyclePermissions = (
  kind: KindName,
  { ignoresSecret = false }: { readonly ignoresSecret?: boolean | undefined } = {},
): readonly Permission[] => {
  const { resource } = kinds[kind]
  const { cluster, keepsSecretFinalizer } = kindRules[kind]
  return [
    { resource, verbs: ['get', 'patch'] },
    { resource, subresource: 'status', verbs: ['patch'] },
    ...(cluster === 'never' ? [] : [{ resource: clusterKind.resource, verbs: ['get'] } as const]),
    ...(hasSecret(kind) && !ignoresSecret
      ? [
          {
            resource: core('secrets', true),
            verbs: keepsSecretFinalizer ? (['get', 'patch'] as const) : (['get'] as const),
          },
        ]
      : []),
    // Whether a namespace belongs to a shoot, where there is no Cluster.
    ...(cluster === 'in-shoot-namespace'
      ? [{ resource: core('namespaces', false), verbs: ['get'] } as const]
      : []),
  ]
}

/** Whether the objects of a kind name a Secret, `spec.secretRef`. */
export const hasSecret = (kind: KindName): boolean => 'secretRef' in kinds[kind].schema.shape.spec.shape
