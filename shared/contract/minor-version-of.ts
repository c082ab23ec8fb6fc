/** A semantic version as Go's library reads it: only the first number has to be there. */
const semantic = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.\d{1,9})?(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

/**
 * The first two numbers of a version of Kubernetes, those of a pre-release too. Throws an Error in the words of Go's
 * library for what is no version.
 */
export const minorVersionOf = (version: string): { readonly major: number; readonly minor: number } => {
  const [, major, minor = '0'] = semantic.exec(version) ?? []
  if (major === undefined) throw new Error('invalid semantic version')
  return { major: Number(major), minor: Number(minor) }
}
