import type { Cluster, Worker, WorkerPool } from '../../contract/objects.ts'
import { messageOf } from '../../text/message-of.ts'
import { FieldError, poolProblem } from '../problems.ts'
import type { HashInput, MachineProvider, PoolClasses, PoolProblem } from '../provider.ts'
import { classHash, classInputs, className, deploymentName, inPlaceHashOf, isInPlace } from './class-hash.ts'
import type { DesiredDeployment } from './desired-deployment.ts'
import { distribute, distributeLimit } from './desired-replicas.ts'

/** The desired state of a Worker, computed from the objects alone. */
export interface DesiredWorker {
  readonly technicalId: string
  readonly pools: readonly DesiredPool[]
  /** The deployments of all pools without a problem. */
  readonly deployments: readonly DesiredDeployment[]
  readonly problems: readonly PoolProblem[]
  readonly providerStatus: Readonly<Record<string, unknown>> | undefined
}

/** A pool of the spec, with or without a problem. */
export interface DesiredPool {
  readonly pool: WorkerPool
  /** The names of its MachineDeployments. */
  readonly names: readonly string[]
  /** Set for a pool that is updated in place and has no problem. */
  readonly inPlaceHash: string | undefined
  /** All data hashed for its classes. Empty if the pool has a problem. */
  readonly hashInputs: readonly HashInput[]
}

interface DesiredWorkerInput {
  readonly worker: Worker
  readonly cluster: Cluster
  /** Pools that are known to have a problem. */
  readonly problems?: readonly PoolProblem[]
}

/** The prefix of names and tags. */
export const technicalIdOf = ({ metadata }: Worker, { spec }: Cluster): string =>
  spec.shoot.status?.technicalID || (metadata.namespace ?? '')

/**
 * Gets the classes from the provider and computes the rest. Passes on errors that the provider throws, for the whole
 * Worker; errors of one pool are in `problems`.
 */
export const desiredWorker = (
  { desired }: MachineProvider,
  { worker, cluster, problems = [] }: DesiredWorkerInput,
): DesiredWorker => {
  const technicalId = technicalIdOf(worker, cluster)
  const { pools, providerStatus } = desired({ worker, cluster, technicalId })
  // Objects of no pool are deleted, so an incomplete answer of the provider must fail here.
  if (pools.length !== worker.spec.pools.length)
    throw new TypeError('a provider must return a result for every pool')
  const known = new Map(problems.map(problem => [problem.pool.name, problem]))
  const judged = pools.map(asked => known.get(asked.pool.name) ?? asked)
  const made = judged.map(asked =>
    asked.kind === 'problem'
      ? asked
      : isTwice(asked.pool, worker)
        ? poolProblem(worker.spec.pools, asked.pool, twice(asked.pool))
        : deploymentsOf(asked, technicalId, cluster, worker.spec.pools),
  )
  return {
    technicalId,
    providerStatus,
    pools: made.map(({ pool, ...rest }) => ({
      pool,
      names:
        'deployments' in rest
          ? rest.deployments.map(({ name }) => name)
          : (pool.zones ?? []).map((_, i) => deploymentName(technicalId, pool.name, i)),
      inPlaceHash: 'inPlaceHash' in rest ? rest.inPlaceHash : undefined,
      hashInputs: 'inputs' in rest ? rest.inputs : [],
    })),
    deployments: made.flatMap(pool => ('deployments' in pool ? pool.deployments : [])),
    problems: made.filter(pool => 'error' in pool),
  }
}

/** Deployments are named after their pools. Two pools of one name would overwrite each other's. */
const isTwice = (pool: WorkerPool, { spec }: Worker): boolean =>
  spec.pools.filter(({ name }) => name === pool.name).length > 1

const twice = ({ name }: WorkerPool): FieldError =>
  new FieldError(`more than one worker pool has the name ${JSON.stringify(name)}`, {
    field: 'name',
    wayOut: 'Give each pool a unique name',
  })

interface PoolDeployments {
  readonly pool: WorkerPool
  readonly inPlaceHash: string | undefined
  readonly inputs: readonly HashInput[]
  readonly deployments: readonly DesiredDeployment[]
}

const deploymentsOf = (
  { pool, hashInputs, zones, limitsOfEachZone = false }: PoolClasses,
  technicalId: string,
  cluster: Cluster,
  all: readonly WorkerPool[],
): PoolDeployments | PoolProblem => {
  try {
    const { minimum, maximum } = pool
    const inPlaceHash = isInPlace(pool) ? inPlaceHashOf(pool, cluster) : undefined
    const inputs = classInputs({ pool, hashInputs }, cluster)
    const hash = classHash(inputs)
    const minima = distribute(minimum, zones.length)
    const maxima = distribute(maximum, zones.length)
    const shares = limitsOfEachZone ? zones.map(() => 1) : [zones.length]
    const surges = shares.flatMap(count => limitOf('maxSurge', pool, maximum, count))
    const unavailable = shares.flatMap(count => limitOf('maxUnavailable', pool, minimum, count))
    const preserved = distribute(
      pool.machineControllerManager?.autoPreserveFailedMachineMax ?? 0,
      zones.length,
    )
    const deployments = zones.map((zone, i): DesiredDeployment => {
      const name = deploymentName(technicalId, pool.name, i)
      return {
        name,
        className: className(name, hash),
        pool,
        zone,
        minimum: minima[i] ?? 0,
        maximum: maxima[i] ?? 0,
        maxSurge: surges[i] ?? 0,
        maxUnavailable: unavailable[i] ?? 0,
        autoPreserveFailedMachineMax: preserved[i] ?? 0,
      }
    })
    return { pool, inPlaceHash, inputs, deployments }
  } catch (error) {
    return poolProblem(all, pool, error instanceof Error ? error : new Error(messageOf(error)))
  }
}

const limitOf = (
  field: 'maxSurge' | 'maxUnavailable',
  pool: WorkerPool,
  total: number,
  zones: number,
): readonly (number | string)[] => {
  try {
    return distributeLimit(pool[field], total, zones)
  } catch (error) {
    throw new FieldError(messageOf(error), { field, wayOut: 'Correct it', cause: error })
  }
}
