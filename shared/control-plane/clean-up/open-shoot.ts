import { openShoot as openByKubeconfig } from '../../shoot/shoot.ts'
import type { OpenShoot } from './clean-up-shoot.ts'

/** Reaches a shoot's API server by the kubeconfig that gardenlet keeps in its namespace (docs/contract/control-planes.md#clean-up-in-the-shoot). */
export const openShoot: OpenShoot = ({ object, kubernetes, clock, signal }) =>
  openByKubeconfig({ kubernetes, namespace: object.metadata.namespace ?? '', clock, signal })
