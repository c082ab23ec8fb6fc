import type { Classifier } from '../../contract/classify.ts'
import { machineKinds } from '../../contract/machine-kinds.ts'
import type { GroupVersionResource, KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { type CheckResult, type HealthCheck, successful, unsuccessful } from '../health-check.ts'
import { conditionsOf } from './deployment-check.ts'
import { machinesCheck } from './machines-check.ts'

const nodes: GroupVersionResource = { group: '', version: 'v1', plural: 'nodes', namespaced: false }

/** Most nodes that are told by name. */
const mostListed = 5
/** How long nodes may take to come, in ms, before their number is a problem. */
const scalingMs = 5 * 60_000

/**
 * Whether each machine of a Worker is a node of the shoot that is ready (docs/contract/health.md#nodes). What is wrong with
 * machines goes before what is wrong with nodes, as it is why.
 */
export const nodesCheck = (classifiers: readonly Classifier[] = []): HealthCheck => {
  const machines = machinesCheck(classifiers)
  return {
    name: 'nodes',
    run: async context => {
      const { kubernetes, namespace, shoot, signal } = context
      const reached = await shoot()
      const [ofMachines, deployments, { items }] = await Promise.all([
        machines.run(context),
        kubernetes.list(machineKinds.MachineDeployment.resource, { namespace, signal }),
        reached.list(nodes, { signal }),
      ])
      return ofMachines.kind === 'unsuccessful'
        ? ofMachines
        : nodesResult(items, desiredIn(deployments.items))
    },
  }
}

const desiredIn = (deployments: readonly KubernetesObject[]): number =>
  deployments
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .reduce((sum, { spec }) => sum + (Number(Object(spec).replicas) || 0), 0)

const nodesResult = (all: readonly KubernetesObject[], desired: number): CheckResult => {
  const problems = all.flatMap(node => {
    const ready = conditionsOf(node).get('Ready')
    if (ready?.status === 'True') return []
    const why =
      ready === undefined ? 'it has not told so yet' : `${ready.message ?? ''} (${ready.reason ?? ''})`
    return [`node ${JSON.stringify(node.metadata.name)} is not ready: ${why}`]
  })
  if (problems.length > 0) {
    const more = problems.length - mostListed
    const some = problems.toSorted().slice(0, mostListed).join('; ')
    return unsuccessful(more > 0 ? `${some}; and ${more} more` : some)
  }
  return all.length < desired
    ? {
        kind: 'progressing',
        detail: `not enough worker nodes registered in the cluster (${all.length}/${desired})`,
        codes: [],
        thresholdMs: scalingMs,
      }
    : successful
}
