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
 * Returns the lifecycle's own permissions for an object of a kind: merge patches of the object and its status, live
 * reads of the objects that it references, and Events about forced deletions. A function has them without naming them.
 * A function that ignores the Secret gets none for it.
 */
export const lifecyclePermissions = (
  kind: KindName,
  { ignoresSecret = false }: { readonly ignoresSecret?: boolean | undefined } = {},
): readonly Permission[] => {
  const { resource } = kinds[kind]
  const { cluster, forceDelete, hasSecretFinalizer } = kindRules[kind]
  return [
    { resource, verbs: ['get', 'patch'] },
    { resource, subresource: 'status', verbs: ['patch'] },
    ...(cluster === 'never' ? [] : [{ resource: clusterKind.resource, verbs: ['get'] } as const]),
    ...(hasSecret(kind) && !ignoresSecret
      ? [
          {
            resource: core('secrets', true),
            verbs: hasSecretFinalizer ? (['get', 'patch'] as const) : (['get'] as const),
          },
        ]
      : []),
    // Checks if a namespace without a Cluster belongs to a shoot.
    ...(cluster === 'in-shoot-namespace'
      ? [{ resource: core('namespaces', false), verbs: ['get'] } as const]
      : []),
    // Names what a forced deletion leaves behind.
    ...(forceDelete === 'none' ? [] : [{ resource: core('events', true), verbs: ['create'] } as const]),
  ]
}

/** Returns true if objects of the kind have a `spec.secretRef`. */
export const hasSecret = (kind: KindName): boolean => 'secretRef' in kinds[kind].schema.shape.spec.shape
