import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { lifecyclePermissions } from '../../shared/lifecycle/lifecycle.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import type { AuditedRequest } from './audit.ts'

/** The permission for Events about a forced deletion that leaves things behind. Most lives have none. */
const eventsOfOrphans = 'create events'

/**
 * Returns the unique permissions in the manifest of a function: `patch dnsrecords.extensions.gardener.cloud/status`.
 * Without those of `forHealth`, and the one for Events of orphans, unless an object of the life leaves some.
 */
export const grantsOf = (
  definition: FunctionDefinition,
  {
    leavesOrphans = false,
    forHealth = [],
  }: {
    readonly leavesOrphans?: boolean | undefined
    readonly forHealth?: readonly string[] | undefined
  } = {},
): readonly string[] => {
  const permissions = [...lifecyclePermissions(definition.kind, definition), ...definition.permissions]
  // The admission plugin checks the permission for finalizers, and no request log shows it.
  const requested = permissions.filter(({ subresource }) => subresource !== 'finalizers')
  const granted = requested.flatMap(({ resource: { plural, group }, subresource, verbs }) =>
    verbs.map(
      verb =>
        `${verb} ${plural}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`,
    ),
  )
  const unused = [...forHealth, ...(leavesOrphans ? [] : [eventsOfOrphans])]
  return [...new Set(granted)].filter(one => !unused.includes(one)).toSorted()
}

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

/** Returns the permissions of the roles among objects with this name suffix: `:bridge` and `bridge`. */
export const grantsIn = (objects: readonly KubernetesObject[], account: string): readonly string[] => {
  const roles = objects.filter(
    ({ kind, metadata: { name } }) =>
      (kind === 'ClusterRole' && name.endsWith(`:${account}`)) || (kind === 'Role' && name === account),
  )
  const granted = roles
    .flatMap(({ rules }) => rules as readonly Rule[])
    .flatMap(({ apiGroups, resources, verbs }) =>
      verbs.flatMap(verb =>
        apiGroups.flatMap(group =>
          resources.map(resource => {
            const [plural = '', ...subresource] = resource.split('/')
            return `${verb} ${[group === '' ? plural : `${plural}.${group}`, ...subresource].join('/')}`
          }),
        ),
      ),
    )
  return [...new Set(granted)].toSorted()
}

/** Returns the used permissions in the same form. */
export const usedOf = (requests: readonly AuditedRequest[]): readonly string[] =>
  [...new Set(requests.map(({ verb, resource }) => `${verb} ${resource}`))].toSorted()

export const forbiddenOf = (requests: readonly AuditedRequest[]): readonly AuditedRequest[] =>
  requests.filter(({ status }) => status === 401 || status === 403)
