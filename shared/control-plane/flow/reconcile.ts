import { isHibernationEnabled } from '../../contract/cluster-facts.ts'
import type { ConditionUpdates } from '../../contract/conditions.ts'
import type { Cluster, ManagedResource } from '../../contract/objects.ts'
import { secrets } from '../../kubernetes/core-resources.ts'
import type { StepResult } from '../../lifecycle/lifecycle.ts'
import {
  appliedWait,
  type CompareManifests,
  type DesiredManagedResource,
  ensureManagedResources,
  healthyWait,
  listManagedResources,
  longestCreationMs,
  readManagedResource,
  waitForResources,
} from '../../resources/resources.ts'
import { type CreateKeyPair, lostAuthorityType, reportLost } from '../../secrets-manager/secrets-manager.ts'
import { ensureAccessSecrets } from '../../shoot/shoot.ts'
import { cleanUpShoot, type OpenShoot } from '../clean-up/clean-up-shoot.ts'
import type { ControlPlaneProvider, UsableSecrets } from '../provider.ts'
import { isSelfHosted, readShootWebhooks, shootWebhooksResource } from '../shoot-webhooks.ts'
import {
  type ControlPlaneStep,
  clusterOf,
  namespaceOf,
  type Sleep,
  secretsManagerOf,
  sleepOf,
} from './control-plane-step.ts'

/** Delay until the next check of a hibernating shoot, in milliseconds (docs/contract/control-planes.md#hibernation). */
const untilAsleepMs = 2_000

export interface ReconcileOptions {
  readonly openShoot: OpenShoot
  readonly createKeyPair: CreateKeyPair
  readonly compare: CompareManifests
}

/**
 * Reconciles the ControlPlane (docs/contract/control-planes.md#order-of-writes). Reads everything before the first
 * write and writes only differences, so a step after a wait repeats the same work safely.
 */
export const reconcileControlPlane = async (
  provider: ControlPlaneProvider,
  { openShoot, createKeyPair, compare }: ReconcileOptions,
  step: ControlPlaneStep,
): Promise<StepResult> => {
  const { object, kubernetes, secret } = step
  const namespace = namespaceOf(step)
  const cluster = clusterOf(step)
  const desired = provider.desired({ controlPlane: object, cluster, secret })
  desired.resources({ secrets: madeUp, cloudproviderData: {}, replicas: 1 })

  const [observed, sleep, cloudproviderData, shootWebhooks] = await Promise.all([
    listManagedResources(kubernetes, namespace),
    sleepOf(step, cluster),
    readCloudprovider(step, namespace),
    provider.shootWebhooks !== undefined && !isSelfHosted(cluster)
      ? readShootWebhooks(kubernetes, provider.shootWebhooks)
      : undefined,
  ])
  const prerequisites = await ensureManagedResources(
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
  // Serves no new certificate before its clients know the CA. The writes below distribute it.
  let generated = await manager.generate({ isTrusted: () => false })
  const lost = reportLost(step, generated)
  await ensureAccessSecrets(kubernetes, namespace, provider.shootAccess)
  const unready = await awaitPrerequisites(step, cluster, prerequisites.kept)
  if (unready !== undefined) return unready

  const replicas = sleep === 'asleep' ? 0 : 1
  const resourcesWith = (secrets: UsableSecrets) =>
    desired.resources({ secrets, cloudproviderData, replicas })
  const written = await ensureManagedResources(step, resourcesWith(generated), observed, compare)
  if (written.kind === 'waiting') return written.result

  // A hibernated shoot cannot get the new CA. Its certificates follow when it is awake.
  if (generated.awaitingTrust.length > 0 && !isHibernationEnabled(cluster)) {
    const significant = significantNames(resourcesWith, generated)
    const waiting = awaitTrust(
      step,
      written.kept.filter(({ metadata }) => significant.has(metadata.name)),
    )
    if (waiting !== undefined) return waiting
    generated = await manager.generate()
    const rewritten = await ensureManagedResources(
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

/** Placeholders with which rendering reports its errors before Secrets exist. */
const madeUp: UsableSecrets = {
  current: name => ({ name, data: {} }),
  bundle: name => ({ name, data: {} }),
}

/** The data of the Secret with the credentials, as in the API server. Its checksum is an annotation of pods. */
const readCloudprovider = async (
  { kubernetes }: ControlPlaneStep,
  namespace: string,
): Promise<Readonly<Record<string, string>>> => {
  const secret = await kubernetes.get(secrets, { namespace, name: 'cloudprovider' })
  return Object(secret?.data)
}

/** Undefined: all are healthy. Also checks those that were just written, which may already be healthy. */
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
    const result = waitForResources(
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

/** The ManagedResources that distribute the trusted CAs: their content depends on the bundle. */
const significantNames = (
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

/** Undefined: all clients know the new CA. */
const awaitTrust = (step: ControlPlaneStep, telling: readonly ManagedResource[]): StepResult | undefined =>
  waitForResources(
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
