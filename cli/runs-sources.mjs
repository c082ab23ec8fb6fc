/**
 * Whether a Node, by its version, runs the sources as they stand: it takes the types away by itself and suits the
 * dependencies. Of 22 that is from 22.19 on; 23 has come to its end, and its first versions do not do it.
 *
 * @param {string} version such as `22.19.0`
 */
export const runsSources = version => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major >= 24 || (major === 22 && minor >= 19)
}
