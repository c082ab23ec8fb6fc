import { configurationProblem } from '../../../shared/contract/errors.ts'
import type { Cluster, Infrastructure } from '../../../shared/contract/objects.ts'
import {
  type Actuator,
  continueSoon,
  done,
  orphaning,
  type Secret,
  type StepContext,
  type StepResult,
} from '../../../shared/lifecycle/lifecycle.ts'
import {
  awaitGone,
  ensureObjects,
  infraNamespaceOf,
  kubeconfigProblem,
  type ProviderClusters,
  type ProviderKubernetes,
  providerResources,
  removeObjects,
} from '../provider/local.ts'
import { desiredNamespace, desiredNetwork } from './desired.ts'

const purpose = 'could not create client for infrastructure resources'

/**
 * Reconciles Infrastructures of type `local` (docs/contract/provider-local.md#infrastructure): the namespace of a shoot
 * in the provider cluster, which contains all its other objects. A migration retains it.
 */
export const infrastructureActuator = (clusters: ProviderClusters): Actuator<Infrastructure> => {
  const open = (secret: Secret | undefined, step: StepContext<Infrastructure>): Promise<ProviderKubernetes> =>
    clusters.open(secret?.data.kubeconfig, step, purpose)

  const reconcile = async (step: StepContext<Infrastructure>): Promise<StepResult> => {
    const cluster = clusterOf(step)
    // Reports all errors of the shoot before anything is created.
    const network = desiredNetwork(cluster)
    const kubernetes = await open(step.secret, step)
    const namespace = await ensureObjects(kubernetes, [desiredNamespace(cluster)])
    const owner = namespace.kind === 'kept' ? namespace.objects[0] : undefined
    const rest = owner && (await ensureObjects(kubernetes, network(owner)))
    const applied = [namespace, ...(rest ? [rest] : [])].flatMap(kept => kept.applied)
    if (applied.length > 0) step.log.info('infrastructure differs', { applied })
    for (const kept of [namespace, rest]) if (kept?.kind === 'leaving') return awaitGone(step, kept)
    return done(statusOf(cluster))
  }

  const removeNamespace = async (
    secret: Secret | undefined,
    step: StepContext<Infrastructure>,
  ): Promise<{ readonly name: string; readonly isThere: boolean }> => {
    const name = infraNamespaceOf(step.cluster)
    const kubernetes = await open(secret, step)
    const target = { resource: providerResources.Namespace, key: { name } }
    return { name, isThere: (await removeObjects(kubernetes, [target], step.log)) > 0 }
  }

  return {
    check: ({ secret }) => {
      const problem = kubeconfigProblem(secret?.data.kubeconfig)
      if (problem !== undefined) throw configurationProblem(`${purpose}: ${problem}`)
    },
    reconcile,
    remove: async step => {
      const { name, isThere } = await removeNamespace(step.secret, step)
      if (!isThere) return done()
      const description = `waiting for Namespace ${name} to be deleted`
      return continueSoon(step, { waitsFor: 'gone', progress: 50, description })
    },
    // Deletes the namespace with its pods without waiting.
    forceRemove: async step => {
      const secret = await step.findSecret()
      if (secret === undefined) return orphaning('the Secret of spec.secretRef is missing or malformed')
      await removeNamespace(secret, step)
      return done()
    },
    orphans: ({ cluster }) => [`namespace ${infraNamespaceOf(cluster)} of the provider cluster`],
    migrate: async () => done(),
  }
}

const clusterOf = ({ cluster }: StepContext<Infrastructure>): Cluster => {
  if (cluster === undefined) throw new TypeError('an Infrastructure has no Cluster')
  return cluster
}

/** One element per field of the Shoot's spec. Absent fields are omitted. */
const statusOf = (cluster: Cluster): Readonly<Record<string, unknown>> => {
  const { nodes, pods, services } = cluster.spec.shoot.spec?.networking ?? {}
  const networking = Object.fromEntries(
    Object.entries({ nodes, pods, services }).flatMap(([part, range]) => (range ? [[part, [range]]] : [])),
  )
  return { networking, egressCIDRs: nodes ? [nodes] : [] }
}
