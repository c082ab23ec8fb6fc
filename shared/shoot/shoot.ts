/**
 * The API server of a shoot, as a function of the seed reaches it: by a kubeconfig that gardenlet keeps, or by the generic one with
 * the token of a shoot access Secret.
 */

export { accessSecretName, isAccessSecret, keepAccessSecrets, removeAccessSecrets } from './access-secrets.ts'
export { findShoot, type OpenShootInput, openShoot, type ReachedShoot } from './open-shoot.ts'
export { type ShootSecrets, secretAccess } from './secret-access.ts'
