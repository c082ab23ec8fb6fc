import type { WorkerSeed } from './seed.ts'

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
