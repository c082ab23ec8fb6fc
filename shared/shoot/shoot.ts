/**
 * Access from a function in the seed to the API server of a shoot: with gardenlet's kubeconfig, or with the generic one
 * and the token of a shoot access Secret.
 */

export {
  accessSecretName,
  ensureAccessSecrets,
  isAccessSecret,
  removeAccessSecrets,
} from './access-secrets.ts'
export { kubeconfigMount, kubeconfigPath, kubeconfigVolume } from './kubeconfig-volume.ts'
export { findShoot, type OpenShootInput, openShoot, type ReachedShoot } from './open-shoot.ts'
