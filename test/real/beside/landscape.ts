import { contentsOf, deploymentOfValues, parseValues } from '../../../knative/chart/chart.ts'
import { deployedObjects } from '../../../knative/knative.ts'
import { formatSeconds } from '../../../shared/clock/clock.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { deployments } from '../../../shared/kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { installable } from '../helm-charts.ts'
import type { RealCluster } from '../real-cluster.ts'
import { type RealSeed, startRealSeed } from '../real-seed.ts'
import {
  controllerDeployments,
  controllerInstallations,
  controllerRegistrations,
  registeredOf,
} from './garden-objects.ts'

const triggers = { group: 'eventing.knative.dev', version: 'v1', plural: 'triggers', namespaced: true }

const goNamespace = 'extension-provider-aws-x7k2p'
const goName = 'gardener-extension-provider-aws'
const ownNamespace = 'extension-trellis-aws-b4n9t'

/** A gardenlet and the Go extension in a landscape, each reduced to its rule. */
export interface Landscape {
  /** The objects that the Go extension has reconciled. */
  readonly byGo: readonly string[]
  /** Kinds that were enabled in both extensions at the same time. */
  readonly overlaps: ReadonlySet<string>
  close(): Promise<void>
}

/** The time between two looks, in ms. */
const everyMs = 100

/**
 * gardenlet installs the charts of ControllerDeployments that have a registration. The Go extension acts on each
 * DNSRecord unless a flag of its Deployment disables that (docs/beside-go.md#when-both-run-for-one-kind). Trellis is
 * the real one, and runs while its Triggers are in the seed.
 */
export const startLandscape = async (cluster: RealCluster, aws: RealSeed['aws']): Promise<Landscape> => {
  const { kubernetes } = cluster
  const byGo: string[] = []
  const overlaps = new Set<string>()
  let trellis: RealSeed | undefined
  let isOver = false

  const work = async () => {
    const [all, registrations] = await Promise.all([
      kubernetes.list(controllerDeployments),
      kubernetes.list(controllerRegistrations),
    ])
    const registered = new Set(registrations.items.map(({ metadata }) => metadata.name))
    const installed = all.items.filter(({ metadata }) => registered.has(metadata.name))
    // gardenlet handles each installation on its own: here the Go extension before Trellis.
    await installGo(cluster, installed)
    await installTrellis(cluster, installed)
    const [enabledInGo, enabledInTrellis] = [await goKinds(cluster), await trellisKinds(cluster)]
    for (const kind of enabledInTrellis) if (enabledInGo(kind)) overlaps.add(kind)
    const isNeeded = enabledInTrellis.includes('dnsrecord')
    if (isNeeded && trellis === undefined) trellis = await startRealSeed(cluster, 'DNSRecord', aws)
    if (!isNeeded) await stopTrellis()
    await recordInstallations(cluster, installed)
    if (enabledInGo('dnsrecord')) byGo.push(...(await reconcileByGo(cluster)))
  }
  const stopTrellis = async () => {
    const running = trellis
    trellis = undefined
    await running?.close()
  }
  const running = (async () => {
    while (!isOver) {
      await work()
      await new Promise(resolve => setTimeout(resolve, everyMs))
    }
  })()
  // A failure shows at the end.
  running.catch(() => {})
  return {
    byGo,
    overlaps,
    close: async () => {
      isOver = true
      await running
      await stopTrellis()
    },
  }
}

const installGo = async (cluster: RealCluster, installed: readonly KubernetesObject[]): Promise<void> => {
  const deployment = installed.find(({ metadata }) => metadata.name === 'provider-aws')
  if (deployment === undefined) return
  const { disabled } = registeredOf(deployment, undefined)
  const labels = { app: goName }
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: goName, namespace: goNamespace },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: goName,
              image: 'registry.example.com/provider-aws:v1',
              args: [
                '--leader-election-id=provider-aws',
                ...(disabled.length > 0 ? [`--disable-controllers=${disabled.join(',')}`] : []),
              ],
            },
          ],
        },
      },
    },
  }
  const { metadata } = await cluster.apply(object)
  await cluster.kubernetes.patch(
    deployments,
    { name: goName, namespace: goNamespace },
    { status: { observedGeneration: metadata.generation, replicas: 1, updatedReplicas: 1 } },
    { subresource: 'status' },
  )
}

const installTrellis = async (
  cluster: RealCluster,
  installed: readonly KubernetesObject[],
): Promise<void> => {
  const deployment = installed.find(({ metadata }) => metadata.name === 'trellis-aws')
  const wanted =
    deployment === undefined
      ? []
      : deployedObjects(
          deploymentOfValues(
            parseValues(contentsOf(installable), Object(Object(deployment).helm).values),
            installable,
            {
              name: 'trellis-aws',
              namespace: ownNamespace,
              version: installable.version,
              libraryVersion: installable.version,
            },
          ),
        ).filter(({ kind }) => kind === 'Trigger')
  for (const trigger of wanted) await cluster.apply(trigger)
  const names = new Set(wanted.map(({ metadata }) => metadata.name))
  const { items } = await cluster.kubernetes.list(triggers, { namespace: ownNamespace })
  for (const { metadata } of items)
    if (!names.has(metadata.name))
      await cluster.kubernetes.delete(triggers, { name: metadata.name, namespace: ownNamespace })
}

/** Creates the ControllerInstallations, and deletes those that are gone from the seed. */
const recordInstallations = async (
  { kubernetes }: RealCluster,
  installed: readonly KubernetesObject[],
): Promise<void> => {
  const { items } = await kubernetes.list(controllerInstallations)
  const names = installed.map(({ metadata }) => metadata.name)
  const present = items.map(({ metadata }) => metadata.name)
  for (const name of names.filter(one => !present.includes(one)))
    await kubernetes.create(controllerInstallations, {
      apiVersion: 'core.gardener.cloud/v1beta1',
      kind: 'ControllerInstallation',
      metadata: { name },
      spec: { registrationRef: { name }, deploymentRef: { name }, seedRef: { name: 'north' } },
    })
  for (const name of present.filter(one => !names.includes(one)))
    await kubernetes.delete(controllerInstallations, { name })
}

const goKinds = async ({ kubernetes }: RealCluster): Promise<(kind: string) => boolean> => {
  const deployment = await kubernetes.get(deployments, { name: goName, namespace: goNamespace })
  const text = /--disable-controllers=([a-z,]*)/.exec(JSON.stringify(deployment ?? {}))?.[1] ?? ''
  return kind => deployment !== undefined && !text.split(',').includes(kind)
}

const trellisKinds = async ({ kubernetes }: RealCluster): Promise<readonly string[]> =>
  (await kubernetes.list(triggers, { namespace: ownNamespace })).items.map(({ metadata }) =>
    metadata.name.replace(/^aws-/, ''),
  )

/** Answers open requests as the Go extension does when nothing differs. Returns the names of the objects. */
const reconcileByGo = async ({ kubernetes }: RealCluster): Promise<readonly string[]> => {
  const { resource } = kinds.DNSRecord
  const open = (await kubernetes.list(resource, {})).items.filter(
    ({ metadata }) => metadata.annotations?.[annotations.operation] === 'reconcile',
  )
  for (const { metadata } of open) {
    const { name, namespace = '' } = metadata
    const key = { name, namespace }
    const lastOperation = {
      type: 'Reconcile',
      state: 'Succeeded',
      progress: 100,
      description: 'Successfully reconciled DNSRecord',
      lastUpdateTime: formatSeconds(Date.now()),
    }
    await kubernetes.patch(resource, key, { metadata: { annotations: { [annotations.operation]: null } } })
    await kubernetes.patch(
      resource,
      key,
      { status: { observedGeneration: metadata.generation, lastOperation } },
      { subresource: 'status' },
    )
  }
  return open.map(({ metadata }) => metadata.name)
}
