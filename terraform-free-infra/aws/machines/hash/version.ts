/** From this minor version of Kubernetes on pools are hashed by the fields of their WorkerConfig. */
const fieldsFrom = { major: 1, minor: 34 }

/** A semantic version as Go's library reads it, where only the first number has to be there. */
const semantic = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

/**
 * Whether a pool of this version is hashed by fields; pre-releases of 1.34 are, a pool without a version is not.
 * Throws an Error in the words of the Go extension for what is no version.
 */
export const isHashedByFields = (kubernetesVersion: string | undefined): boolean => {
  if (!kubernetesVersion) return false
  const [, major, minor] = semantic.exec(kubernetesVersion) ?? []
  if (major === undefined) throw new Error('invalid semantic version')
  if (Number(major) !== fieldsFrom.major) return Number(major) > fieldsFrom.major
  return Number(minor ?? 0) >= fieldsFrom.minor
}
