import { clusterKind, type KindName, kinds } from '../contract/kinds.ts'
import type { Permission } from '../kubernetes/kubernetes.ts'
import { kindRules, lifecyclePermissions } from '../lifecycle/lifecycle.ts'

/** A function with a kind: a primary one, unless it has the definition of a secondary one. */
interface KindOfFunction {
  readonly kind: KindName
  readonly secondary?: object | undefined
  readonly ignoresSecret?: boolean | undefined
}

/**
 * Returns the permissions that a function has without naming them. A secondary one patches its annotation, finalizer and
 * conditions, and reads the Cluster.
 */
export const ownPermissions = (definition: KindOfFunction): readonly Permission[] => {
  const { kind, secondary } = definition
  if (secondary === undefined) return lifecyclePermissions(kind, definition)
  const { resource } = kinds[kind]
  return [
    { resource, verbs: ['get', 'patch'] },
    { resource, subresource: 'status', verbs: ['patch'] },
    ...(kindRules[kind].cluster === 'never'
      ? []
      : [{ resource: clusterKind.resource, verbs: ['get'] } as const]),
  ]
}
