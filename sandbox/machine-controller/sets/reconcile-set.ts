import { randomInt } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { machineApiVersion } from '../../../shared/contract/constants.ts'
import type { Machine, MachineSet } from '../../../shared/contract/objects.ts'
import { type ControllerContext, finalizers, timeOf } from '../context.ts'
import { reconfigured } from '../deployments/machine-template.ts'
import { machinesToDelete, phaseOf } from './machines-to-delete.ts'
import { setStatus } from './set-status.ts'

/** Letters of generated names (k8s.io/apimachinery, util/rand). */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

const suffix = (): string =>
  Array.from({ length: 5 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

const ownerOf = ({ apiVersion, kind, metadata }: MachineSet) => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
})

const isOwned = (set: MachineSet, { metadata }: Machine): boolean =>
  metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid) ?? false

const isSelected = ({ spec }: MachineSet, { metadata }: Machine): boolean => {
  const labels = Object.entries(spec?.selector?.matchLabels ?? {})
  return labels.length > 0 && labels.every(([key, value]) => metadata.labels?.[key] === value)
}

/** Returns the machines of a set. Adopts machines with its labels and without an owner, as a restore creates them. */
const claimed = ({ machines }: ControllerContext, set: MachineSet): Promise<readonly Machine[]> => {
  const found = machines
    .list(set.metadata.namespace ?? '')
    .filter(
      machine =>
        isOwned(set, machine) ||
        (isSelected(set, machine) && (machine.metadata.ownerReferences ?? []).length === 0),
    )
  return Promise.all(
    found.map(async machine =>
      isOwned(set, machine)
        ? machine
        : machines.patch(machine, {
            metadata: { uid: machine.metadata.uid, ownerReferences: [ownerOf(set)] },
          }),
    ),
  )
}

const create = ({ machines }: ControllerContext, set: MachineSet): Promise<Machine> => {
  const { template } = set.spec ?? {}
  return machines.create({
    apiVersion: machineApiVersion,
    kind: 'Machine',
    metadata: {
      name: `${set.metadata.name}-${suffix()}`,
      ...(set.metadata.namespace !== undefined && { namespace: set.metadata.namespace }),
      labels: template?.metadata?.labels ?? {},
      ...(template?.metadata?.annotations && { annotations: template.metadata.annotations }),
      ownerReferences: [ownerOf(set)],
    },
    spec: template?.spec ?? {},
  })
}

/** Deletes a machine, and reports it in its status. */
const terminate = async (context: ControllerContext, machine: Machine): Promise<void> => {
  if (machine.metadata.deletionTimestamp !== undefined) return
  const { machines } = context
  const deleted = await machines.delete(machine)
  if (deleted === undefined) return
  const lastUpdateTime = timeOf(context)
  await machines.writeStatus(deleted, {
    ...deleted.status,
    lastOperation: {
      description: 'Deleting machine from cloud provider',
      state: 'Processing',
      type: 'Delete',
      lastUpdateTime,
    },
    currentStatus: { phase: 'Terminating', lastUpdateTime },
  })
}

/** Applies timeouts and node template to existing machines. */
const sync = async ({ machines }: ControllerContext, set: MachineSet, own: readonly Machine[]) => {
  for (const machine of own) {
    if (machine.metadata.deletionTimestamp !== undefined) continue
    const spec = reconfigured(machine.spec, set.spec?.template?.spec)
    if (spec !== undefined) await machines.replaceSpec(machine, spec)
  }
}

const resize = async (
  context: ControllerContext,
  set: MachineSet,
  own: readonly Machine[],
): Promise<void> => {
  const staying = own.filter(
    machine => phaseOf(machine) !== 'Terminating' && machine.metadata.deletionTimestamp === undefined,
  )
  const missing = (set.spec?.replicas ?? 0) - staying.length
  if (missing > 0) await Promise.all(Array.from({ length: missing }, () => create(context, set)))
  const stale = new Set(machinesToDelete(staying, -missing))
  for (const machine of staying) if (phaseOf(machine) === 'Failed') stale.add(machine)
  await Promise.all([...stale].map(machine => terminate(context, machine)))
}

/** Returns true if machines of the deployment move between sets. The sets must then not replace them. */
const isTakenOver = ({ deployments, sets }: ControllerContext, { metadata }: MachineSet): boolean => {
  const { namespace = '', ownerReferences = [] } = metadata
  const deployment = deployments.get({ namespace, name: ownerReferences[0]?.name ?? '' })
  if (deployment?.spec?.strategy?.type !== 'InPlaceUpdate') return false
  const { uid } = deployment.metadata
  const siblings = sets
    .list(namespace)
    .filter(set => set.metadata.ownerReferences?.some(owner => owner.uid === uid))
  return siblings.filter(({ spec }) => (spec?.replicas ?? 0) > 0).length > 1
}

const present = ({ machines }: ControllerContext, set: MachineSet): readonly Machine[] =>
  machines.list(set.metadata.namespace ?? '').filter(machine => isOwned(set, machine))

/** Creates and deletes Machines until a MachineSet has the desired number. Failed ones are replaced. */
export const reconcileSet = async (context: ControllerContext, id: string): Promise<undefined> => {
  const found = context.sets.byId(id)
  if (found === undefined) return
  const isDeleted = found.metadata.deletionTimestamp !== undefined
  const set = isDeleted ? found : await context.sets.setFinalizer(found, finalizers.object, true)
  const own = await claimed(context, set)
  if (isDeleted && own.length === 0) {
    await context.sets.setFinalizer(set, finalizers.object, false)
    return
  }
  if (isDeleted) await Promise.all(own.map(machine => terminate(context, machine)))
  else {
    await sync(context, set, own)
    if (!isTakenOver(context, set)) await resize(context, set, own)
  }
  await writeStatus(context, id)
}

const writeStatus = async (context: ControllerContext, id: string): Promise<void> => {
  const set = context.sets.byId(id)
  if (set === undefined) return
  const status = setStatus(set, present(context, set), timeOf(context))
  const { lastOperation: _, ...before } = set.status ?? {}
  const { lastOperation: __, ...now } = status
  if (!isDeepStrictEqual(now, before)) await context.sets.writeStatus(set, status)
}
