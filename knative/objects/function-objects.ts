import type { V1PolicyRule } from '@kubernetes/client-node'
import { kinds } from '../../shared/contract/kinds.ts'
import { type Json, type Permission, rbacResource } from '../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import { ownPermissions } from '../../shared/secondary/secondary.ts'
import type { Deployment } from '../deployment.ts'
import { clusterRoleBindingOf, clusterRoleOf, serviceAccountOf } from './account-objects.ts'
import { type Explained, explained } from './explained.ts'
import { functionServiceObject } from './function-service-object.ts'
import { madeBy } from './made-by.ts'
import { triggerObject } from './trigger-object.ts'
import type { ReasonedRule } from './unique-rules.ts'

/**
 * The objects of a function in a seed: first the account and its permissions, then the Service, and last the Trigger,
 * because it becomes ready only after its subscriber exists.
 */
export const functionObjects = (
  deployment: Deployment,
  definition: FunctionDefinition,
): readonly Explained[] => [
  explained(
    serviceAccountOf(deployment, definition.name),
    `${plural(definition.kind)} of type ${orOf(definition.types)}. ${madeBy}`,
  ),
  clusterRoleOf(
    deployment,
    definition.name,
    functionRules(definition),
    'The lifecycle patches the object and its status, and reads the objects that it references.',
  ),
  explained(clusterRoleBindingOf(deployment, definition.name)),
  functionServiceObject(deployment, definition),
  triggerObject(deployment, definition),
]

/** Returns the permissions of a function: those of the lifecycle, one rule per group and verbs, and its own. */
export const functionRules = (definition: FunctionDefinition): readonly ReasonedRule[] => {
  const ofLifecycle = Map.groupBy(
    ownPermissions(definition),
    ({ resource, verbs }) => `${resource.group} ${verbs}`,
  )
  return [
    ...[...ofLifecycle.values()].flatMap(alike =>
      alike.slice(0, 1).map(first => {
        const resources = alike.map(rbacResource)
        return {
          rule: { ...ruleOf(first), resources },
          ...(resources.includes('namespaces') && {
            why: 'Shows if a namespace without a Cluster belongs to a shoot.',
          }),
        }
      }),
    ),
    ...definition.permissions.map(permission => ({ rule: ruleOf(permission), why: permission.why })),
  ]
}

const ruleOf = (permission: Permission): Json<V1PolicyRule> => ({
  apiGroups: [permission.resource.group],
  resources: [rbacResource(permission)],
  verbs: [...permission.verbs],
})

const orOf = (types: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(types)

/** The plural for sentences: `DNSRecords`, `BackupEntries`. */
const plural = (kind: FunctionDefinition['kind']): string => {
  const name = kinds[kind].plural
  const end = name.startsWith(kind.toLowerCase()) ? kind.length : kind.length - 1
  return `${kind.slice(0, end)}${name.slice(end)}`
}
