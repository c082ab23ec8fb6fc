import type { WorkerSeed } from './seed.ts'

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

/** The objects afterwards, without times, versions and uids. */
export const shapeOf = async (seed: Pick<WorkerSeed, 'machineObjects' | 'classSecrets'>) => ({
  classes: (await seed.machineObjects('MachineClass')).map(
    ({ metadata: { name, labels }, providerSpec }) => ({
      name,
      labels,
      providerSpec,
    }),
  ),
  secrets: (await seed.classSecrets()).map(({ metadata: { name, labels }, data }) => ({
    name,
    labels,
    data,
  })),
  deployments: (await seed.machineObjects('MachineDeployment')).map(
    ({ metadata: { name, labels }, spec }) => ({
      name,
      labels,
      spec,
    }),
  ),
  machines: (await seed.machineObjects('Machine')).map(({ metadata }) => metadata.name),
})
