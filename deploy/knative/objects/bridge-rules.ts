import type { V1PolicyRule } from '@kubernetes/client-node'
import { awaitedBy } from '../../../shared/contract/awaited.ts'
import { monitoredKinds } from '../../../shared/contract/health.ts'
import { clusterKind, type KindName, kindNames, kinds } from '../../../shared/contract/kinds.ts'
import type { Json } from '../../../shared/kubernetes/kubernetes.ts'
import type { Deployment } from '../deployment.ts'

/** A rule and its reason. */
export interface ReasonedRule {
  readonly rule: Json<V1PolicyRule>
  readonly why?: string
}

const rule = (group: string, resources: readonly string[], verbs: readonly string[]): Json<V1PolicyRule> => ({
  apiGroups: [group],
  resources,
  verbs,
})

/** Returns the kinds with functions, in the order of `kindNames`. */
const deployedKinds = ({ functions }: Pick<Deployment, 'functions'>): readonly KindName[] =>
  kindNames.filter(kind => functions.some(definition => definition.kind === kind))

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
    ...dependenciesOf(followed),
    {
      rule: rule(clusters.group, [clusters.plural], ['list', 'watch']),
      why: 'Shows if a shoot has failed, and which namespaces belong to a shoot.',
    },
    { rule: rule('', ['namespaces'], ['list', 'watch']) },
    { rule: rule('', ['events'], ['get', 'create', 'patch']) },
    ...heartbeatRules(deployment),
  ]
}

/** The objects that steps wait for, and that conditions are derived from. */
const dependenciesOf = (followed: readonly KindName[]): readonly ReasonedRule[] => {
  const needs = followed.flatMap(kind => [
    ...(awaitedBy[kind] ?? []).map(({ resource }) => ({ resource, why: `steps of ${kind}s wait for` })),
    ...(monitoredKinds[kind]?.dependsOn ?? []).map(({ resource }) => ({
      resource,
      why: `the health of ${kind}s depends on`,
    })),
  ])
  return [...Map.groupBy(needs, ({ resource }) => `${resource.group}/${resource.plural}`).values()].flatMap(
    alike =>
      alike.slice(0, 1).map(({ resource }) => ({
        rule: rule(resource.group, [resource.plural], ['list', 'watch']),
        why: `What ${alike.map(({ why }) => why).join(', ')}.`,
      })),
  )
}

const heartbeatRules = ({ extensions }: Pick<Deployment, 'extensions'>): readonly ReasonedRule[] =>
  extensions.length === 0
    ? []
    : [
        {
          rule: {
            ...rule('coordination.k8s.io', ['leases'], ['patch']),
            resourceNames: ['gardener-extension-heartbeat'],
          },
          why: 'Heartbeats of extensions, in namespaces that gardenlet creates for them.',
        },
        {
          rule: rule('coordination.k8s.io', ['leases'], ['create']),
          why: 'Create cannot be restricted by name.',
        },
      ]
