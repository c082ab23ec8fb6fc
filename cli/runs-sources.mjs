/**
 * Returns true if a version of Node can run the sources directly: it removes the types itself and fits the
 * dependencies. Node 22 can from 22.19 on; 23 is end-of-life, and its first versions cannot.
 *
 * @param {string} version such as `22.19.0`
 */
export const runsSources = version => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major >= 24 || (major === 22 && minor >= 19)
}
