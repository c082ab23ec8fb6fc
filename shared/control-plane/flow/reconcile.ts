import { isHibernationEnabled } from '../../contract/cluster-facts.ts'
import type { ConditionUpdates } from '../../contract/conditions.ts'
import type { Cluster, ManagedResource } from '../../contract/objects.ts'
import type { StepResult } from '../../lifecycle/lifecycle.ts'
import {
  appliedWait,
  type CompareManifests,
  type DesiredManagedResource,
  healthyWait,
  keepManagedResources,
  listManagedResources,
  longestCreationMs,
  readManagedResource,
  settleResources,
} from '../../resources/resources.ts'
import { type CreateKeyPair, lostAuthorityType, tellLost } from '../../secrets-manager/secrets-manager.ts'
import { keepAccessSecrets } from '../../shoot/shoot.ts'
import { cleanUpShoot, type OpenShoot } from '../clean-up/clean-up-shoot.ts'
import { secrets } from '../core-resources.ts'
import type { ControlPlaneProvider, UsableSecrets } from '../provider.ts'
import { isSelfHosted, readShootWebhooks, shootWebhooksResource } from '../shoot-webhooks.ts'
import { type ControlPlaneStep, clusterOf, namespaceOf, secretsManagerOf } from './control-plane-step.ts'
import { type Sleep, sleepOf } from './sleep.ts'

/** When a ControlPlane of a shoot that goes to sleep is looked at again, in ms (docs/contract/control-planes.md#hibernation). */
export const untilAsleepMs = 2_000

export interface ReconcileOptions {
  readonly openShoot: OpenShoot
  readonly createKeyPair: CreateKeyPair
  readonly compare: CompareManifests
}

/**
 * Makes the ControlPlane what it shall be (docs/contract/control-planes.md#order-of-writes). Everything is read before the
 * first write, and nothing is written that is as it shall be, so a step that goes on after a wait does the same again.
 */
export const reconcileControlPlane = async (
  provider: ControlPlaneProvider,
  { openShoot, createKeyPair, compare }: ReconcileOptions,
  step: ControlPlaneStep,
): Promise<StepResult> => {
  const { object, kubernetes, secret } = step
  const namespace = namespaceOf(step)
  const cluster = clusterOf(step)
  const desired = provider.desired({
    controlPlane: object,
    cluster,
    secretLabels: secret?.labels ?? {},
  })
  desired.resources({ secrets: madeUp, cloudproviderData: {}, replicas: 1 })

  const [observed, sleep, cloudproviderData, shootWebhooks] = await Promise.all([
    listManagedResources(kubernetes, namespace),
    sleepOf(step, cluster),
    readCloudprovider(step, namespace),
    provider.shootWebhooks !== undefined && !isSelfHosted(cluster)
      ? readShootWebhooks(kubernetes, provider.shootWebhooks)
      : undefined,
  ])
  const prerequisites = await keepManagedResources(
    step,
    [
      ...(shootWebhooks === undefined ? [] : [shootWebhooksResource(shootWebhooks, namespace)]),
      ...desired.prerequisites,
    ],
    observed,
    compare,
  )
  if (prerequisites.kind === 'waiting') return prerequisites.result

  const manager = secretsManagerOf(provider, step, createKeyPair)
  // No new certificate is served before those who check it know its CA: what is written below tells them.
  let generated = await manager.generate({ isTrusted: () => false })
  const lost = tellLost(step, generated)
  await keepAccessSecrets(kubernetes, namespace, provider.shootAccess)
  const unready = await awaitPrerequisites(step, cluster, prerequisites.kept)
  if (unready !== undefined) return unready

  const replicas = sleep === 'asleep' ? 0 : 1
  const resourcesWith = (secrets: UsableSecrets) =>
    desired.resources({ secrets, cloudproviderData, replicas })
  const written = await keepManagedResources(step, resourcesWith(generated), observed, compare)
  if (written.kind === 'waiting') return written.result

  // Nobody can tell a shoot that sleeps: its certificates follow when it is awake.
  if (generated.awaitingTrust.length > 0 && !isHibernationEnabled(cluster)) {
    const telling = namesThatTell(resourcesWith, generated)
    const waiting = awaitTrust(
      step,
      written.kept.filter(({ metadata }) => telling.has(metadata.name)),
    )
    if (waiting !== undefined) return waiting
    generated = await manager.generate()
    const rewritten = await keepManagedResources(
      step,
      resourcesWith(generated),
      new Map(written.kept.map(managedResource => [managedResource.metadata.name, managedResource])),
      compare,
    )
    if (rewritten.kind === 'waiting') return rewritten.result
  }
  if (lost.isReported) await generated.cleanUp()
  if (desired.shootCleanUp !== undefined) await cleanUpShoot(step, openShoot, desired.shootCleanUp)
  return doneWith({ ...desired.conditions, [lostAuthorityType]: lost.condition }, sleep)
}

const doneWith = (conditions: ConditionUpdates, sleep: Sleep): StepResult => ({
  kind: 'done',
  conditions,
  ...(sleep === 'going to sleep' && { againAfterMs: untilAsleepMs }),
})

/** By which rendering finds out what it cannot render, before there are Secrets. */
const madeUp: UsableSecrets = {
  current: name => ({ name, data: {} }),
  bundle: name => ({ name, data: {} }),
}

/** The data of the Secret with the credentials, as the API server has it; its checksum is in pods. */
const readCloudprovider = async (
  { kubernetes }: ControlPlaneStep,
  namespace: string,
): Promise<Readonly<Record<string, string>>> => {
  const secret = await kubernetes.get(secrets, { namespace, name: 'cloudprovider' })
  return Object(secret?.data)
}

/** Undefined: all of them are healthy. One that was written just now may be so already. */
const awaitPrerequisites = async (
  step: ControlPlaneStep,
  cluster: Cluster,
  kept: readonly ManagedResource[],
): Promise<StepResult | undefined> => {
  if (isHibernationEnabled(cluster)) return undefined
  for (const managedResource of kept) {
    const { name } = managedResource.metadata
    const key = { namespace: namespaceOf(step), name }
    const isHealthy = healthyWait(key, managedResource).kind === 'over'
    const now = isHealthy ? managedResource : await readManagedResource(step.kubernetes, key)
    const result = settleResources(
      step,
      {
        name: `${name} healthy`,
        doing: `could not wait for managed resource ${name} to be healthy`,
        longestMs: longestCreationMs,
        progress: 30,
      },
      [healthyWait(key, now)],
    )
    if (result !== undefined) return result
  }
  return undefined
}

/** The ManagedResources by which somebody is told whom to trust: those that another bundle makes others of. */
const namesThatTell = (
  resourcesWith: (secrets: UsableSecrets) => readonly DesiredManagedResource[],
  secrets: UsableSecrets,
): ReadonlySet<string> => {
  const others = new Map(
    resourcesWith({ ...secrets, bundle: madeUp.bundle }).map(({ name, objects }) => [
      name,
      JSON.stringify(objects),
    ]),
  )
  const differing = resourcesWith(secrets).filter(
    ({ name, objects }) => others.get(name) !== JSON.stringify(objects),
  )
  return new Set(differing.map(({ name }) => name))
}

/** Undefined: who has to know of the new CA is told. */
const awaitTrust = (step: ControlPlaneStep, telling: readonly ManagedResource[]): StepResult | undefined =>
  settleResources(
    step,
    {
      name: 'new CA trusted',
      doing: 'could not wait for the new CA to be trusted in the shoot',
      longestMs: longestCreationMs,
      progress: 80,
    },
    telling.map(managedResource => {
      const { name, namespace = '' } = managedResource.metadata
      return appliedWait({ name, namespace }, managedResource)
    }),
  )
