import type { ControlPlaneSeed } from './seed.ts'

const isWrite = (call: string): boolean => !/^(get|list) /.test(call)

/** A process that dies at its n-th write. No later write reaches its target. */
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
        if (!isWrite(call)) return
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

/** Returns the resulting objects without values that depend on keys and times. */
export const shapeOf = async (seed: ControlPlaneSeed) => {
  const withoutHash = (name: string) => name.replace(/-[0-9a-f]{8}(?=$|-[0-9a-f]{5}$)/, '')
  return {
    secrets: (await seed.secrets())
      .map(({ metadata: { name, labels = {} }, type, data }) =>
        [withoutHash(name), type, ...Object.keys(labels).sort(), ...Object.keys(Object(data)).sort()].join(
          ' ',
        ),
      )
      .sort(),
    managedResources: await seed.managedResources(),
  }
}
