import type { V1PolicyRule } from '@kubernetes/client-node'
import { awaitedBy } from '../../shared/contract/awaited.ts'
import { clusterKind, type KindName, kinds } from '../../shared/contract/kinds.ts'
import { declaredHealthOf, type FunctionWithHealth } from '../../shared/health/health.ts'
import type { GroupVersionResource, Json } from '../../shared/kubernetes/kubernetes.ts'
import { when } from '../../shared/lists/when.ts'
import type { Deployment } from '../deployment.ts'
import { type ReasonedRule, uniqueRules } from './unique-rules.ts'

const rule = (group: string, resources: readonly string[], verbs: readonly string[]): Json<V1PolicyRule> => ({
  apiGroups: [group],
  resources,
  verbs,
})

const deployedKinds = ({ functions }: Pick<Deployment, 'functions'>): readonly KindName[] => [
  ...new Set(functions.map(({ kind }) => kind)),
]

/**
 * Returns the permissions of the bridge in its cluster: to watch the kinds with functions and the objects on which
 * these depend.
 */
export const bridgeRules = (deployment: Deployment): readonly ReasonedRule[] => {
  const followed = deployedKinds(deployment)
  const { resource: clusters } = clusterKind
  return [
    {
      rule: rule(
        clusters.group,
        followed.map(kind => kinds[kind].resource.plural),
        ['get', 'list', 'watch'],
      ),
    },
    ...dependencyRules(deployment.functions),
    {
      rule: rule(clusters.group, [clusters.plural], ['list', 'watch']),
      why: 'A Cluster shows if its shoot has failed, and which namespaces belong to shoots.',
    },
    { rule: rule('', ['namespaces'], ['list', 'watch']) },
    { rule: rule('', ['events'], ['get', 'create', 'patch']) },
    ...heartbeatRules(deployment),
  ]
}

/** The rule for reports of functions that run in pods of their own. */
export const reportRule: ReasonedRule = {
  rule: rule('authentication.k8s.io', ['tokenreviews'], ['create']),
  why: 'Tokens prove which function sent a report.',
}

/** Returns the rules for the objects that steps of functions wait for, and that conditions are derived from. */
export const dependencyRules = (functions: readonly FunctionWithHealth[]): readonly ReasonedRule[] =>
  uniqueRules(
    functions.flatMap(checked => [
      ...watchRules(awaitedBy[checked.kind] ?? [], `Steps of ${checked.kind}s wait for these.`),
      ...declaredHealthOf(checked).flatMap(({ kind, reads }) =>
        watchRules(reads, `The health of ${kind}s depends on these.`),
      ),
    ]),
  )

const watchRules = (
  watched: readonly { readonly resource: GroupVersionResource }[],
  why: string,
): readonly ReasonedRule[] =>
  watched.map(({ resource }) => ({ rule: rule(resource.group, [resource.plural], ['list', 'watch']), why }))

const heartbeatRules = ({ extensions }: Pick<Deployment, 'extensions'>): readonly ReasonedRule[] =>
  when(
    extensions.length > 0,
    {
      rule: {
        ...rule('coordination.k8s.io', ['leases'], ['patch']),
        resourceNames: ['gardener-extension-heartbeat'],
      },
      why: 'Heartbeats of extensions, in the namespaces that gardenlet creates for them.',
    },
    {
      rule: rule('coordination.k8s.io', ['leases'], ['create']),
      why: 'RBAC cannot restrict a create by name.',
    },
  )
