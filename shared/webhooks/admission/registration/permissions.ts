import { type Permission, permissionName, rbacResource } from '../../../kubernetes/kubernetes.ts'
import type { FunctionPermission } from '../../../runtime/runtime.ts'
import type { WebhookDefinition } from '../webhook-definition.ts'

/** A permission that several definitions need, with all their reasons. */
export interface WebhookPermission extends Permission {
  readonly reasons: readonly string[]
}

/**
 * Returns the lookups for which the process needs permissions, sorted and each once. The shoot's credentials permit
 * lookups in the shoot.
 */
export const webhookPermissions = (
  definitions: readonly Pick<WebhookDefinition, 'target' | 'permissions'>[],
): readonly WebhookPermission[] => {
  const all = definitions.flatMap(({ target, permissions }) => (target === 'shoot' ? [] : permissions))
  return [...Map.groupBy(all, resourceKey).entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, alike]) =>
      alike.slice(0, 1).map(({ resource }) => ({
        resource,
        verbs: (['get', 'list'] as const).filter(verb => alike.some(({ verbs }) => verbs.includes(verb))),
        reasons: [...new Set(alike.map(({ why }) => why))],
      })),
    )
}

const resourceKey = (permission: FunctionPermission): string =>
  permissionName('get', { group: permission.resource.group, plural: rbacResource(permission) })
