/** A semantic version as Go's library reads it: only the first number is required. */
const semantic = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.\d{1,9})?(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

/**
 * Returns the first two numbers of a Kubernetes version, also of a prerelease. Throws an Error with the message of Go's
 * library for an invalid version.
 *
 * @example
 * const hasFeature = minorVersionOf(kubernetesVersionOf(cluster)).minor >= 34
 */
export const minorVersionOf = (version: string): { readonly major: number; readonly minor: number } => {
  const [, major, minor = '0'] = semantic.exec(version) ?? []
  if (major === undefined) throw new Error('invalid semantic version')
  return { major: Number(major), minor: Number(minor) }
}
