import type { V1ClusterRole, V1PolicyRule } from '@kubernetes/client-node'
import { kinds } from '../../../shared/contract/kinds.ts'
import {
  type Json,
  type Permission,
  type Rendered,
  rbacResource,
} from '../../../shared/kubernetes/kubernetes.ts'
import { lifecyclePermissions } from '../../../shared/lifecycle/lifecycle.ts'
import type { FunctionDefinition } from '../../../shared/runtime/runtime.ts'
import type { Deployment } from '../deployment.ts'
import { clusterRoleBindingOf, serviceAccountOf } from './account-objects.ts'
import { type Comment, type Explained, explained } from './explained.ts'
import { functionServiceObject } from './function-service-object.ts'
import { madeBy } from './made-by.ts'
import { clusterRoleName, rbacGroup } from './names.ts'
import { triggerObject } from './trigger-object.ts'

/**
 * The objects of a function in a seed: first the account and its permissions, then the Service, and last the Trigger,
 * because it becomes ready only after its subscriber exists.
 */
export const functionObjects = (
  deployment: Deployment,
  definition: FunctionDefinition,
): readonly Explained[] => [
  explained(serviceAccountOf(deployment, definition.name), [
    [[], `${plural(definition.kind)} of type ${orOf(definition.types)}. ${madeBy}`],
  ]),
  clusterRoleObject(deployment, definition),
  explained(clusterRoleBindingOf(deployment, definition.name)),
  functionServiceObject(deployment, definition),
  triggerObject(deployment, definition),
]

const clusterRoleObject = (deployment: Deployment, definition: FunctionDefinition): Explained => {
  const { kind, name, permissions } = definition
  const ofLifecycle = lifecycleRules(lifecyclePermissions(kind, definition))
  const object: Rendered<V1ClusterRole> = {
    apiVersion: `${rbacGroup}/v1`,
    kind: 'ClusterRole',
    metadata: { name: clusterRoleName(deployment, name) },
    rules: [...ofLifecycle, ...permissions.map(ruleOf)],
  }
  return explained(object, [
    [
      [],
      'Calls of the lifecycle: merge patches on the object and its status, live reads of referenced objects.',
    ],
    ...ofLifecycle.flatMap(({ resources = [] }, index): readonly Comment[] =>
      resources.includes('namespaces')
        ? [[['rules', index], 'Namespaces show if a namespace without a Cluster belongs to a shoot.']]
        : [],
    ),
    ...permissions.map(({ why }, index): Comment => [['rules', ofLifecycle.length + index], why]),
  ])
}

const ruleOf = (permission: Permission): Json<V1PolicyRule> => ({
  apiGroups: [permission.resource.group],
  resources: [rbacResource(permission)],
  verbs: [...permission.verbs],
})

/** One rule for permissions with the same group and verbs. */
const lifecycleRules = (permissions: readonly Permission[]): readonly Json<V1PolicyRule>[] =>
  [...Map.groupBy(permissions, ({ resource, verbs }) => `${resource.group} ${verbs}`).values()].flatMap(
    alike => alike.slice(0, 1).map(first => ({ ...ruleOf(first), resources: alike.map(rbacResource) })),
  )

const orOf = (types: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(types)

/** The plural for sentences: `DNSRecords`, `BackupEntries`. */
const plural = (kind: FunctionDefinition['kind']): string => {
  const name = kinds[kind].plural
  const end = name.startsWith(kind.toLowerCase()) ? kind.length : kind.length - 1
  return `${kind.slice(0, end)}${name.slice(end)}`
}
