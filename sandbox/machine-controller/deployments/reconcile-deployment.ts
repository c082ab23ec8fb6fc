import { isDeepStrictEqual } from 'node:util'
import type { MachineDeployment, MachineSet } from '../../../shared/contract/objects.ts'
import { idOf, keyOf } from '../../../shared/kubernetes/kubernetes.ts'
import { type ControllerContext, finalizers, timeOf } from '../context.ts'
import { deploymentStatus, isComplete, sizeOf, withCondition } from './deployment-status.ts'
import { isSameTemplate, reconfigured } from './machine-template.ts'
import { annotationKeys, newMachineSet } from './new-machine-set.ts'
import { isScaled, rolledSizes, type SizedSet, type SizeInput, scaledSizes } from './set-sizes.ts'
import { isUpdatedInPlace, updateOneInPlace } from './update-in-place.ts'
import { updateLimits } from './update-limits.ts'

const ownedBy = (deployment: MachineDeployment, { metadata }: MachineSet): boolean =>
  metadata.ownerReferences?.some(({ uid }) => uid === deployment.metadata.uid) ?? false

/** Adopts restored sets: those with the labels of the deployment and without an owner. */
const adopted = async (
  { sets }: ControllerContext,
  deployment: MachineDeployment,
): Promise<readonly MachineSet[]> => {
  const { namespace = '', name, uid } = deployment.metadata
  const labels = Object.entries(deployment.spec?.selector?.matchLabels ?? {})
  const matches = ({ metadata }: MachineSet) =>
    labels.length > 0 && labels.every(([key, value]) => metadata.labels?.[key] === value)
  const found = sets.list(namespace).filter(set => ownedBy(deployment, set) || isUnowned(set))
  return Promise.all(
    found
      .filter(set => ownedBy(deployment, set) || matches(set))
      .map(async set => {
        if (ownedBy(deployment, set)) return set
        const owner = { apiVersion: deployment.apiVersion, kind: deployment.kind, name, uid }
        const ownerReferences = [{ ...owner, controller: true, blockOwnerDeletion: true }]
        return sets.patch(set, { metadata: { uid: set.metadata.uid, ownerReferences } })
      }),
  )
}

const isUnowned = ({ metadata }: MachineSet): boolean =>
  (metadata.ownerReferences ?? []).length === 0 && metadata.deletionTimestamp === undefined

const byAge = (a: MachineSet, b: MachineSet): number =>
  (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? '') ||
  a.metadata.name.localeCompare(b.metadata.name)

const annotationNumber = ({ metadata }: MachineSet, key: string): number | undefined => {
  const text = metadata.annotations?.[key]
  return text === undefined ? undefined : Number(text)
}

const sized = (set: MachineSet): SizedSet => ({
  name: set.metadata.name,
  size: sizeOf(set),
  // The status of a set follows its machines.
  actual: Math.max(sizeOf(set), set.status?.replicas ?? 0),
  available: set.status?.availableReplicas ?? 0,
  desired: annotationNumber(set, annotationKeys.desired),
  most: annotationNumber(set, annotationKeys.most),
})

/** Deletes the sets of a deployment, then removes its finalizer. */
const remove = async (context: ControllerContext, deployment: MachineDeployment): Promise<void> => {
  const { deployments, sets } = context
  const owned = sets.list(deployment.metadata.namespace ?? '').filter(set => ownedBy(deployment, set))
  if (owned.length === 0) {
    await deployments.setFinalizer(deployment, finalizers.object, false)
    return
  }
  for (const set of owned) if (set.metadata.deletionTimestamp === undefined) await sets.delete(set)
  await writeStatus(context, deployment, owned, undefined)
}

const writeStatus = async (
  context: ControllerContext,
  deployment: MachineDeployment,
  sets: readonly MachineSet[],
  newest: MachineSet | undefined,
): Promise<void> => {
  const status = deploymentStatus(deployment, sets, newest, timeOf(context))
  if (isDeepStrictEqual(status, deployment.status)) return
  await context.deployments.writeStatus(deployment, status)
}

/** Applies the configuration of a deployment (node template, timeouts) to existing sets and their machines. */
const synced = async (
  { sets }: ControllerContext,
  { spec }: MachineDeployment,
  set: MachineSet,
): Promise<MachineSet> => {
  const template = reconfigured(set.spec?.template?.spec, spec?.template.spec)
  if (template === undefined) return set
  return sets.replaceSpec(set, { ...set.spec, template: { ...set.spec?.template, spec: template } })
}

/** Returns the set of the current template. Creates it if it does not exist. */
const newestOf = async (
  context: ControllerContext,
  deployment: MachineDeployment,
  owned: readonly MachineSet[],
): Promise<{ readonly newest: MachineSet; readonly deployment: MachineDeployment }> => {
  const { spec } = deployment
  if (spec === undefined) throw new TypeError('a MachineDeployment has no spec')
  const now = timeOf(context)
  const found = owned.find(set => set.spec?.template && isSameTemplate(set.spec.template, spec.template))
  const newest = found
    ? await synced(context, deployment, found)
    : await context.sets.create(newMachineSet(deployment, owned))
  const { name } = newest.metadata
  const reason = found ? 'FoundNewMachineSet' : 'NewMachineSetCreated'
  const message = found ? `Found new machine set "${name}"` : `Created new machine set "${name}"`
  const isKnown = found && deployment.status?.conditions?.some(({ type }) => type === 'Progressing')
  const revision = newest.metadata.annotations?.[annotationKeys.revision]
  const known =
    deployment.metadata.annotations?.[annotationKeys.revision] === revision
      ? deployment
      : await context.deployments.patch(deployment, {
          metadata: { annotations: { [annotationKeys.revision]: revision } },
        })
  if (isKnown) return { newest, deployment: known }
  const condition = { type: 'Progressing', status: 'True', reason, message }
  const status = withCondition(known.status ?? {}, condition, now)
  return { newest, deployment: await context.deployments.writeStatus(known, status) }
}

const resize = async (
  { sets }: ControllerContext,
  input: SizeInput,
  set: MachineSet,
  size: number,
): Promise<MachineSet> => {
  const { replicas, limits } = input
  const annotations = {
    [annotationKeys.desired]: `${replicas}`,
    [annotationKeys.most]: `${replicas + limits.surge}`,
  }
  const isSame =
    sizeOf(set) === size &&
    Object.entries(annotations).every(([key, value]) => set.metadata.annotations?.[key] === value)
  if (isSame) return set
  return sets.patch(set, { metadata: { annotations }, spec: { replicas: size } })
}

/** Deletes old sets without machines. */
const cleanUp = async (
  { sets }: ControllerContext,
  older: readonly MachineSet[],
  kept: number | undefined,
): Promise<void> => {
  const empty = older.filter(
    set =>
      sizeOf(set) === 0 &&
      (set.status?.replicas ?? 0) === 0 &&
      set.metadata.deletionTimestamp === undefined &&
      (set.status?.observedGeneration ?? 0) >= (set.metadata.generation ?? 0),
  )
  if (kept === undefined) return
  for (const set of empty.slice(0, Math.max(0, older.length - kept))) await sets.delete(set)
}

export const reconcileDeployment = async (
  context: ControllerContext,
  id: string,
): Promise<number | undefined> => {
  const found = context.deployments.byId(id)
  if (found === undefined) return undefined
  if (found.metadata.deletionTimestamp !== undefined) {
    await remove(context, found)
    return undefined
  }
  const finalized = await context.deployments.setFinalizer(found, finalizers.object, true)
  if (finalized.spec === undefined) return undefined
  const owned = (await adopted(context, finalized)).toSorted(byAge)
  const { newest, deployment } = await newestOf(context, finalized, owned)
  const older = owned.filter(({ metadata }) => metadata.name !== newest.metadata.name)
  if (isUpdatedInPlace(deployment, owned, newest)) {
    const isUpdated = await updateOneInPlace(context, deployment, newest, older)
    const sets = [...older, newest].map(set => context.sets.byId(idOf(keyOf(set))) ?? set)
    await writeStatus(context, deployment, sets, sets.at(-1))
    return isUpdated ? context.durations.step : undefined
  }
  const input: SizeInput = {
    replicas: finalized.spec.replicas ?? 0,
    limits: updateLimits(finalized.spec),
    newest: sized(newest),
    older: older.map(sized),
  }
  const sizes = isScaled(input) ? scaledSizes(input) : rolledSizes(input)
  const all = await Promise.all(
    [...older, newest].map(set =>
      sizes.has(set.metadata.name) || isScaled(input)
        ? resize(context, input, set, sizes.get(set.metadata.name) ?? sizeOf(set))
        : set,
    ),
  )
  await writeStatus(context, deployment, all, all.at(-1))
  const latest = context.deployments.byId(id)
  if (latest?.status && isComplete(latest, latest.status))
    await cleanUp(context, older, finalized.spec.revisionHistoryLimit)
  return undefined
}
