/**
 * Hooks of a process that dies at its n-th write. No later write reaches its target. Calls are texts such as
 * `patch secrets one`.
 */
export const dyingAt = (n: number, when: 'before' | 'after') => {
  let writes = 0
  let dead = false
  const die = () => {
    dead = true
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
  }
  return {
    interference: {
      before: (call: string) => {
        if (dead) die()
        if (/^(get|list) /.test(call)) return
        writes++
        if (when === 'before' && writes === n) die()
      },
      after: () => {
        if (dead || (when === 'after' && writes >= n)) die()
      },
    },
    died: () => dead,
  }
}
