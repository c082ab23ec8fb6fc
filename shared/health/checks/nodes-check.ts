import type { Classifier } from '../../contract/classify.ts'
import { machineKinds } from '../../contract/machine-kinds.ts'
import { nodes } from '../../kubernetes/core-resources.ts'
import type { Kubernetes, KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { listPages } from '../../kubernetes/list-all.ts'
import { type CheckResult, type HealthCheck, successful, unsuccessful } from '../health-check.ts'
import { conditionsOf } from './deployment-check.ts'
import { machinesCheck } from './machines-check.ts'

/** Maximum number of nodes that are listed by name. */
const mostListed = 5
/** Nodes per page of a list. */
const pageSize = 100
/** Longest message of a node, in characters. */
const longestText = 500
/** A number of nodes that is too low is a problem only after this time, in milliseconds. */
const scalingMs = 5 * 60_000

/**
 * Checks that each machine of a Worker has a ready node in the shoot (docs/contract/health.md#nodes). Problems of
 * machines precede those of nodes, because they are the cause.
 *
 * @example
 * const conditions = [{ type: 'EveryNodeReady', checks: [nodesCheck()] }]
 */
export const nodesCheck = (classifiers: readonly Classifier[] = []): HealthCheck => {
  const machines = machinesCheck(classifiers)
  return {
    name: 'nodes',
    reads: machines.reads ?? [],
    run: async context => {
      const { kubernetes, namespace, shoot, signal } = context
      const reached = await shoot()
      const [ofMachines, deployments, found] = await Promise.all([
        machines.run(context),
        kubernetes.list(machineKinds.MachineDeployment.resource, { namespace, signal }),
        findUnready(reached, signal),
      ])
      return ofMachines.kind === 'unsuccessful'
        ? ofMachines
        : nodesResult(found, desiredIn(deployments.items))
    },
  }
}

const desiredIn = (deployments: readonly KubernetesObject[]): number =>
  deployments
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .reduce((sum, { spec }) => sum + (Number(Object(spec).replicas) || 0), 0)

interface NodesFound {
  readonly count: number
  readonly unready: number
  /** The problems of the first unready nodes, sorted. */
  readonly problems: readonly string[]
}

/** Checks the nodes one by one and stores none, because users of the shoot decide the size of a node. */
const findUnready = async (shoot: Pick<Kubernetes, 'list'>, signal: AbortSignal): Promise<NodesFound> => {
  let problems: readonly string[] = []
  let count = 0
  let unready = 0
  const each = (node: KubernetesObject): void => {
    count++
    const problem = nodeProblem(node)
    if (problem === undefined) return
    unready++
    problems = [...problems, problem].toSorted().slice(0, mostListed)
  }
  for await (const { items } of listPages(shoot, nodes, { limit: pageSize, each, signal }))
    items.forEach(each)
  return { count, unready, problems }
}

const nodeProblem = (node: KubernetesObject): string | undefined => {
  const ready = conditionsOf(node).get('Ready')
  if (ready?.status === 'True') return undefined
  const why =
    ready === undefined
      ? 'it has not reported its state yet'
      : `${String(ready.message ?? '').slice(0, longestText)} (${String(ready.reason ?? '').slice(0, longestText)})`
  return `node ${JSON.stringify(node.metadata.name)} is not ready: ${why}`
}

const nodesResult = ({ count, unready, problems }: NodesFound, desired: number): CheckResult => {
  if (unready > 0) {
    const more = unready - mostListed
    const some = problems.join('; ')
    return unsuccessful(more > 0 ? `${some}; and ${more} more` : some)
  }
  return count < desired
    ? {
        kind: 'progressing',
        detail: `not enough worker nodes registered in the cluster (${count}/${desired})`,
        codes: [],
        thresholdMs: scalingMs,
      }
    : successful
}
