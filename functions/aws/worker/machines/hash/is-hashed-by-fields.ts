import { minorVersionOf } from '../../../../../shared/contract/minor-version-of.ts'

/** From this minor version of Kubernetes on, pools are hashed by the fields of their WorkerConfig. */
const fieldsFrom = { major: 1, minor: 34 }

/**
 * Returns true if a pool of this version is hashed by fields. Pre-releases of 1.34 are; a pool without a version is
 * not. Throws an Error for an invalid version.
 */
export const isHashedByFields = (kubernetesVersion: string | undefined): boolean => {
  if (!kubernetesVersion) return false
  const { major, minor } = minorVersionOf(kubernetesVersion)
  return major === fieldsFrom.major ? minor >= fieldsFrom.minor : major > fieldsFrom.major
}
