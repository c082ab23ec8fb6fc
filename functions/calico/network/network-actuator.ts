import type { Network } from '../../../shared/contract/objects.ts'
import { type ImageSource, openImages } from '../../../shared/images/images.ts'
import type { Actuator } from '../../../shared/lifecycle/lifecycle.ts'
import { rememberingComparison } from '../../../shared/resources/resources.ts'
import { imageTable } from './image-table.ts'
import { readNetwork } from './input/read-network.ts'
import { type OpenNodes, openNodes } from './overlay-switch/open-nodes.ts'
import { reconcileNetwork } from './reconcile-network.ts'
import { removeNetwork } from './remove-network.ts'
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
): Required<Pick<Actuator<Network>, 'check' | 'reconcile' | 'remove' | 'forceRemove' | 'migrate'>> => {
  const deps = { settings, images, openNodes, compare: rememberingComparison(), ...options }
  return {
    check: ({ object }) => void readNetwork(object),
    reconcile: step => reconcileNetwork(deps, step),
    remove: step => removeNetwork(step, 'delete'),
    forceRemove: step => removeNetwork(step, 'force'),
    migrate: step => removeNetwork(step, 'migrate'),
  }
}
