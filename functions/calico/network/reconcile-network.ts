import type { Network } from '../../../shared/contract/objects.ts'
import type { ImageSource } from '../../../shared/images/images.ts'
import { done, type StepContext, type StepResult } from '../../../shared/lifecycle/lifecycle.ts'
import {
  type CompareManifests,
  ensureManagedResource,
  goneWait,
  longestDeletionMs,
  readManagedResource,
  waitForResources,
} from '../../../shared/resources/resources.ts'
import { networkConfigVersion } from './config/calico.ts'
import { desiredNetwork, resourceTraits } from './desired-network.ts'
import { calicoValues, presentFamilies } from './input/calico-values.ts'
import { readNetwork } from './input/read-network.ts'
import { ensureMonitoring } from './monitoring/ensure-monitoring.ts'
import { readMonitoring } from './monitoring/present-monitoring.ts'
import { scrapedComponents } from './monitoring/scrape-configs.ts'
import { awaitRoutes } from './overlay-switch/await-routes.ts'
import type { OpenNodes } from './overlay-switch/open-nodes.ts'
import type { NetworkSettings } from './settings.ts'

export interface ReconcileDeps {
  readonly settings: NetworkSettings
  readonly images: readonly ImageSource[]
  readonly openNodes: OpenNodes
  readonly compare: CompareManifests
}

/** Applies Calico in the shoot and its monitoring in the seed. Validates everything before it writes. */
export const reconcileNetwork = async (
  { settings, images, openNodes, compare }: ReconcileDeps,
  step: StepContext<Network>,
): Promise<StepResult> => {
  const { object: network, cluster, kubernetes } = step
  const namespace = network.metadata.namespace ?? ''
  if (cluster === undefined) throw new Error(`the namespace ${namespace} has no Cluster`)
  const config = readNetwork(network)
  const values = calicoValues({
    network,
    config,
    cluster,
    nonPrivileged: settings.nonPrivilegedCalicoNode,
  })
  const desired = desiredNetwork(values, images)
  const key = { namespace, name: resourceTraits.name }
  const [observed, monitoring] = await Promise.all([
    readManagedResource(kubernetes, key),
    readMonitoring(kubernetes, namespace),
  ])
  if (settings.seamlessOverlaySwitch && observed !== undefined && values.overlay === 'off') {
    const waiting = await awaitRoutes({ step, cluster, observed, openNodes })
    if (waiting !== undefined) return waiting
  }
  const kept = await ensureManagedResource(kubernetes, desired, observed ?? null, compare)
  if (kept.outcome === 'deleting') {
    const waiting = waitForResources(
      step,
      {
        name: 'former network gone',
        doing: `could not wait for the former managed resource ${key.name} to be deleted`,
        longestMs: longestDeletionMs,
        progress: 20,
      },
      [goneWait(key, kept.managedResource)],
    )
    if (waiting !== undefined) return waiting
  }
  await ensureMonitoring(
    kubernetes,
    namespace,
    scrapedComponents.filter(component => component !== 'bird' || values.hasBirdExporter),
    monitoring,
  )
  return done({
    providerStatus: { apiVersion: networkConfigVersion, kind: 'NetworkStatus' },
    ipFamilies: presentFamilies(network, cluster).toSorted(),
  })
}
