import type { MachineClass, MachineDeployment, Worker } from '../../contract/objects.ts'
import { inPlace, isInPlace, nodeAgentSecret } from '../desired/class-hash.ts'
import type { DesiredDeployment } from '../desired/desired-deployment.ts'
import type { HashInput, MachineClassContent } from '../provider.ts'
import { classNameOf } from '../waits/owned.ts'
import { type Difference, differences } from './differences.ts'
import { type HashCauses, hashCauses } from './hash-causes.ts'
import { type MachinesAtOnce, machinesAtOnce } from './machines-at-once.ts'

/** The effect of a reconcile of a Worker on its machines. */
export interface Rollout {
  /** One entry per desired deployment, in its order. */
  readonly deployments: readonly DeploymentChange[]
  /** Deployments that no pool needs, with all their machines. */
  readonly removed: readonly { readonly name: string; readonly machines: number }[]
}

export type DeploymentChange = DeploymentMade | DeploymentUnchanged | DeploymentRolled

interface DeploymentMade {
  readonly kind: 'made'
  readonly name: string
  readonly pool: string
  readonly replicas: number
}

/** Its machines stay. New ones are created with the differences. */
interface DeploymentUnchanged {
  readonly kind: 'kept'
  readonly name: string
  readonly pool: string
  readonly replicas: { readonly from: number; readonly to: number }
  /** Differences of the class, which is changed and not replaced. Empty: no change. */
  readonly differences: readonly Difference[]
}

/** Its class is replaced, so each of its machines is replaced or updated in place. */
interface DeploymentRolled {
  readonly kind: 'rolled'
  readonly name: string
  readonly pool: string
  readonly how: 'replaced' | 'updated in place' | 'updated in place manually'
  /** The name of the class. Undefined: it has none yet. */
  readonly from: string | undefined
  readonly to: string
  readonly replicas: { readonly from: number; readonly to: number }
  /** All affected machines. */
  readonly machines: number
  readonly atOnce: MachinesAtOnce
  /** The reason for the new class. */
  readonly why: HashCauses
  /** The differences between the classes. Undefined: the former class is gone. */
  readonly differences: readonly Difference[] | undefined
}

export interface RolloutInput {
  readonly worker: Pick<Worker, 'status'>
  readonly desired: readonly DesiredDeployment[]
  /** The hashed data of a pool (`classInputs`), by pool name. */
  readonly inputs: ReadonlyMap<string, readonly HashInput[]>
  /** As in `desiredReplicas`; undefined: not changed. */
  readonly replicasOf: (deployment: DesiredDeployment) => number | undefined
  readonly deployments: readonly MachineDeployment[]
  readonly classes: readonly MachineClass[]
}

/** Compares the desired with the present objects. Changes nothing. */
export const rolloutOf = (input: RolloutInput): Rollout => {
  const { desired, deployments, classes } = input
  const present = new Map(deployments.map(deployment => [deployment.metadata.name, deployment]))
  const classOf = new Map(classes.map(one => [one.metadata.name, one]))
  const wanted = new Set(desired.map(({ name }) => name))
  return {
    deployments: desired.map(one => changeOf(one, present.get(one.name), classOf, input)),
    removed: deployments
      .filter(({ metadata: { name } }) => !wanted.has(name))
      .map(deployment => ({ name: deployment.metadata.name, machines: machinesIn(deployment) })),
  }
}

const changeOf = (
  desired: DesiredDeployment,
  deployment: MachineDeployment | undefined,
  classes: ReadonlyMap<string, MachineClass>,
  { worker, inputs, replicasOf }: RolloutInput,
): DeploymentChange => {
  const { name, className, pool, zone } = desired
  const identity = { name, pool: pool.name }
  if (deployment === undefined) return { kind: 'made', ...identity, replicas: replicasOf(desired) ?? 0 }
  const fromReplicas = deployment.spec?.replicas ?? 0
  const toReplicas = replicasOf(desired) ?? fromReplicas
  const formerName = classNameOf(deployment)
  const found = classes.get(formerName ?? '')
  const former = found && contentOf(found)
  const differ = former && differences(former, zone.content)
  if (formerName === className)
    return {
      kind: 'kept',
      ...identity,
      replicas: { from: fromReplicas, to: toReplicas },
      differences: differ ?? [],
    }
  return {
    kind: 'rolled',
    ...identity,
    how: howOf(desired),
    from: formerName,
    to: className,
    replicas: { from: fromReplicas, to: toReplicas },
    machines: machinesIn(deployment),
    atOnce: machinesAtOnce(desired, toReplicas),
    why: whyOf(
      withFormerInPlaceHash(inputs.get(pool.name) ?? [], pool.name, worker),
      former,
      name,
      formerName,
    ),
    differences: differ,
  }
}

/** Returns the number of machines that a deployment has or will have. */
export const machinesIn = ({ spec, status }: MachineDeployment): number =>
  Math.max(status?.replicas ?? 0, spec?.replicas ?? 0)

const howOf = ({ pool }: DesiredDeployment): DeploymentRolled['how'] => {
  if (!isInPlace(pool)) return 'replaced'
  return pool.updateStrategy === 'ManualInPlaceUpdate' ? 'updated in place manually' : 'updated in place'
}

const contentOf = ({
  metadata,
  provider = '',
  providerSpec,
  nodeTemplate,
}: MachineClass): MachineClassContent => ({
  labels: metadata.labels ?? {},
  provider,
  providerSpec,
  nodeTemplate: nodeTemplate as MachineClassContent['nodeTemplate'],
})

/** A class does not contain the in-place hash that it was created with; the status of the Worker does. */
const withFormerInPlaceHash = (
  inputs: readonly HashInput[],
  pool: string,
  { status }: Pick<Worker, 'status'>,
): readonly HashInput[] => {
  const former = new Map(Object.entries(status?.inPlaceUpdates?.workerPoolToHashMap ?? {})).get(pool)
  return inputs.map(input => (input.name === inPlace ? { ...input, observed: () => former } : input))
}

/**
 * If the former hash is not found, an unreadable input has changed: the Secret of the node agent, which covers the
 * machine type, image, root volume and minor version of Kubernetes.
 */
const whyOf = (
  inputs: readonly HashInput[],
  former: MachineClassContent | undefined,
  deployment: string,
  formerName: string | undefined,
): HashCauses => {
  const formerHash = formerName?.startsWith(`${deployment}-`) ? formerName.slice(deployment.length + 1) : ''
  const why = hashCauses(inputs, former, formerHash)
  if (why.isProved && formerHash !== '') return why
  const secret = inputs.find(({ name }) => name === nodeAgentSecret)
  return {
    isProved: false,
    causes: [...(secret ? [{ name: secret.name, from: undefined, to: secret.datum }] : []), ...why.causes],
  }
}
