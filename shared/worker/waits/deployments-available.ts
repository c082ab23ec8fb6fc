import type { Machine, MachineDeployment, MachineSet } from '../../contract/objects.ts'
import type { DesiredDeployment } from '../desired/desired-deployment.ts'
import type { MachineWords } from '../provider.ts'
import { machinesFailed } from './failed-machines.ts'
import { classNameOf, machinesOf, setsOf } from './owned.ts'
import { over, type WaitState } from './wait-state.ts'

/** The machine objects in the namespace of the Worker. */
export interface ObservedMachines {
  readonly deployments: readonly MachineDeployment[]
  readonly sets: readonly MachineSet[]
  /** Read only during hibernation, and for pools with manual in-place updates. Otherwise it may be empty. */
  readonly machines: readonly Machine[]
}

export interface AvailabilityInput extends ObservedMachines {
  readonly desired: readonly Pick<DesiredDeployment, 'name' | 'className' | 'pool'>[]
  /** True if hibernation is enabled, even if it is not complete. */
  readonly hibernation: boolean
  readonly words: MachineWords
}

/**
 * Checks the machines. In hibernation none may be awake; otherwise all must be available and of the desired class
 * (docs/contract/workers.md#waits).
 */
export const deploymentsAvailable = (input: AvailabilityInput): WaitState => {
  const { desired, deployments, words } = input
  const present = new Map(deployments.map(deployment => [deployment.metadata.name, deployment]))
  const pairs = desired.flatMap(one => {
    const deployment = present.get(one.name)
    return deployment === undefined ? [] : [{ ...one, deployment }]
  })
  const error = machinesFailed(
    pairs.map(({ deployment }) => deployment),
    words,
  )
  if (error !== undefined) return { kind: 'failed', error }
  return input.hibernation ? hibernated(pairs, input) : available(pairs, input)
}

type Pair = Pick<DesiredDeployment, 'name' | 'className' | 'pool'> & {
  readonly deployment: MachineDeployment
}

/**
 * The status of a newly written deployment does not include existing machines yet. They are counted here, so that the
 * machine controller is not scaled down before it has deleted them.
 */
const hibernated = (pairs: readonly Pair[], { machines }: ObservedMachines): WaitState => {
  const byName = Map.groupBy(machines, ({ metadata }) => metadata.labels?.name)
  const awake = pairs
    .map(({ name, deployment: { status } }) => Math.max(status?.replicas ?? 0, byName.get(name)?.length ?? 0))
    .reduce((sum, count) => sum + count, 0)
  if (awake === 0) return over
  return waiting(`Waiting until all machines have been hibernated (${awake} still awake)...`, 0)
}

const available = (pairs: readonly Pair[], { desired, sets, machines }: AvailabilityInput): WaitState => {
  const observed = pairs.map(pair => observe(pair, { sets, machines }))
  const lacking = observed.find(({ lacks }) => lacks !== undefined)?.lacks
  const sum = (count: (one: DeploymentCounts) => number) => observed.reduce((all, one) => all + count(one), 0)
  const unavailable = sum(one => one.unavailable)
  const preserved = sum(one => one.preserved)
  const updated = sum(one => one.updated + one.needsUpdate)
  const healthy = sum(one => (one.isHealthy ? 1 : 0))
  const updating = sum(one => one.updating)
  const counts = { available: sum(one => one.available), wanted: sum(one => one.wanted) }
  const share = counts.wanted === 0 ? 0 : Math.min(counts.available / counts.wanted, 1)
  if (lacking !== undefined) return waiting(lacking, share)
  const areAllThere = unavailable === 0 || (preserved > 0 && unavailable <= preserved)
  if (areAllThere && updated === sum(one => one.awake) && healthy === desired.length && updating === 0) {
    const stale = pairs.find(({ deployment }) => !isCounted(deployment, setsOf(deployment, sets)))
    if (stale === undefined) return over
    const { namespace, name } = stale.deployment.metadata
    const message = `waiting for the machine-controller-manager to count the machines of the machine deployment (${namespace}/${name})`
    return { kind: 'waiting', message, share, endsSilently: true }
  }
  if (updating > 0) return waiting(`Waiting until ${updating} old machines are updated...`, share)
  const parts = [
    `${counts.available}/${counts.wanted} desired machine(s) available`,
    `${updated}/${counts.wanted} machine(s) updated`,
    `${unavailable} machine(s) pending`,
    `${preserved} preserved failed machine(s)`,
    `${healthy}/${desired.length} machinedeployments available`,
  ]
  return waiting(`Waiting until machines are available (${parts.join(', ')})...`, share)
}

const waiting = (message: string, share: number): WaitState => ({ kind: 'waiting', message, share })

type DeploymentCounts = ReturnType<typeof observe>

const observe = (
  { className, pool, deployment }: Pair,
  all: Pick<AvailabilityInput, 'sets' | 'machines'>,
) => {
  const { spec, status = {} } = deployment
  const sets = setsOf(deployment, all.sets)
  const former =
    pool.updateStrategy === 'ManualInPlaceUpdate' ? sets.filter(set => classNameOf(set) !== className) : []
  return {
    /** The reason why the counts are unusable: the machine controller has not observed its class yet. */
    lacks: lackOf(deployment, sets, className),
    wanted: spec?.replicas ?? 0,
    awake: status.replicas ?? 0,
    available: status.availableReplicas ?? 0,
    unavailable: status.unavailableReplicas ?? 0,
    preserved: status.preservedFailedReplicas ?? 0,
    updated: status.updatedReplicas ?? 0,
    /** Machines of former classes that need a manual update. */
    needsUpdate: former.reduce((sum, set) => sum + (set.status?.replicas ?? 0), 0),
    updating: machinesOf(former, all.machines).filter(isBeingUpdated).length,
    isHealthy: isHealthy(deployment),
  }
}

/**
 * Returns true if the counts of a deployment are those of its sets, each counted after its last change. The machine
 * controller adds up counts of any age (`calculateDeploymentStatus`, machine-controller-manager v0.62.1): after a
 * scale-down and scale-up it reports machines that it is deleting. A set without a status adds nothing.
 */
const isCounted = ({ status = {} }: MachineDeployment, sets: readonly MachineSet[]): boolean => {
  const counted = sets.filter(set => set.status?.observedGeneration !== undefined)
  const sum = (count: 'replicas' | 'availableReplicas') =>
    counted.reduce((all, set) => all + (set.status?.[count] ?? 0), 0)
  return (
    counted.length === 0 ||
    (counted.every(set => (set.status?.observedGeneration ?? 0) >= (set.metadata.generation ?? 0)) &&
      sum('replicas') === (status.replicas ?? 0) &&
      sum('availableReplicas') === (status.availableReplicas ?? 0))
  )
}

/**
 * A set of the desired class alone means that the update is complete. A set of another class alone means that it has
 * not started.
 */
const lackOf = (
  { metadata: { namespace, name } }: MachineDeployment,
  sets: readonly MachineSet[],
  className: string,
): string | undefined => {
  if (sets.some(set => classNameOf(set) === className)) return undefined
  const what = sets.length === 1 ? 'the machine sets' : 'the updated machine set'
  return `waiting for the machine-controller-manager to create ${what} for the machine deployment (${namespace}/${name})`
}

const isBeingUpdated = ({ status }: Machine): boolean =>
  (status?.conditions ?? []).some(
    ({ type, reason }) => type === 'InPlaceUpdate' && reason !== 'CandidateForUpdate',
  )

const isHealthy = ({ metadata, status }: MachineDeployment): boolean => {
  const states = new Map(status?.conditions?.map(({ type, status: state }) => [type, state]))
  const isAsItShallBe = (type: string, state: string): boolean => (states.get(type) ?? state) === state
  return (
    (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
    states.get('Available') === 'True' &&
    isAsItShallBe('Progressing', 'True') &&
    isAsItShallBe('ReplicaFailure', 'False') &&
    isAsItShallBe('Frozen', 'False')
  )
}
