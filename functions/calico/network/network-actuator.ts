import { type ImageSource, openImages } from '../../../build/library/components.ts'
import {
  type CompareManifests,
  ensureManagedResources,
  readManagedResource,
  rememberingComparison,
  removeManagedResources,
  resourceTexts,
} from '../../../build/library/resources.ts'
import {
  type Actuator,
  done,
  type Network,
  type StepContext,
  type StepResult,
} from '../../../build/library/trellis.ts'
import { networkConfigVersion } from './config/calico.ts'
import { desiredNetwork, resourceTraits } from './desired-network.ts'
import { imageTable } from './image-table.ts'
import { calicoValues, presentFamilies } from './input/calico-values.ts'
import { readNetwork } from './input/read-network.ts'
import { ensureMonitoring, removeMonitoring } from './monitoring/ensure-monitoring.ts'
import { readMonitoring } from './monitoring/present-monitoring.ts'
import { scrapedComponents } from './monitoring/scrape-configs.ts'
import { awaitRoutes } from './overlay-switch/await-routes.ts'
import { type OpenNodes, openNodes } from './overlay-switch/open-nodes.ts'
import type { NetworkSettings } from './settings.ts'

export interface NetworkActuatorOptions {
  /** Default: the built-in images with the operator's overrides. */
  readonly images?: readonly ImageSource[]
  /** Opens a client that lists the nodes of a shoot. Default: by the kubeconfig from gardenlet. */
  readonly openNodes?: OpenNodes
}

/**
 * Reconciles Networks of type `calico`. Restore is the same as reconcile, because everything is derived from the
 * objects.
 */
export const networkActuator = (
  settings: NetworkSettings,
  { images = openImages(imageTable, settings.imagevectorOverwrite), ...options }: NetworkActuatorOptions = {},
): Required<
  Pick<Actuator<Network>, 'check' | 'reconcile' | 'remove' | 'forceRemove' | 'orphans' | 'migrate'>
> => {
  const deps = { settings, images, openNodes, compare: rememberingComparison(), ...options }
  return {
    check: ({ object }) => void readNetwork(object),
    reconcile: step => reconcileNetwork(deps, step),
    remove: step => removeNetwork(step, 'delete'),
    forceRemove: step => removeNetwork(step, 'force'),
    orphans: ({ object: { metadata } }) => resourceTexts(metadata.namespace ?? '', [resourceTraits.name]),
    migrate: step => removeNetwork(step, 'migrate'),
  }
}

interface ReconcileDeps {
  readonly settings: NetworkSettings
  readonly images: readonly ImageSource[]
  readonly openNodes: OpenNodes
  readonly compare: CompareManifests
}

/** Applies Calico in the shoot and its monitoring in the seed. Validates everything before it writes. */
const reconcileNetwork = async (
  { settings, images, openNodes, compare }: ReconcileDeps,
  step: StepContext<Network>,
): Promise<StepResult> => {
  const { object: network, cluster, kubernetes } = step
  const namespace = network.metadata.namespace ?? ''
  if (cluster === undefined) throw new Error(`the namespace ${namespace} has no Cluster`)
  const config = readNetwork(network)
  const values = calicoValues({ network, config, cluster, nonPrivileged: settings.nonPrivilegedCalicoNode })
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
  const present = new Map(observed && [[key.name, observed]])
  const written = await ensureManagedResources(step, [desired], present, compare)
  if (written.kind === 'waiting') return written.result
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

/**
 * - `delete`: deletes everything
 * - `force`: the same, without waiting
 * - `migrate`: retains the objects in the shoot
 */
type NetworkRemoval = 'delete' | 'force' | 'migrate'

/** Deletes the Network. Ignores objects that are already gone, so a step after a wait repeats the same calls. */
const removeNetwork = async (step: StepContext<Network>, mode: NetworkRemoval): Promise<StepResult> => {
  const { kubernetes, object } = step
  const { namespace = '' } = object.metadata
  await removeMonitoring(kubernetes, namespace, await readMonitoring(kubernetes, namespace))
  const waiting = await removeManagedResources(step, {
    namespace,
    resources: [{ ...resourceTraits, orphans: mode === 'migrate' }],
    doing: `could not wait for managed resource ${resourceTraits.name} to be deleted`,
    isForced: mode === 'force',
  })
  return waiting ?? done()
}
