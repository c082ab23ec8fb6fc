import type { WorkerSeed } from './seed.ts'

/** The objects afterwards, without times, versions and uids. */
export const shapeOf = async (seed: Pick<WorkerSeed, 'machineObjects' | 'classSecrets'>) =>
  [
    ...(await seed.machineObjects('MachineClass')),
    ...(await seed.machineObjects('MachineDeployment')),
    ...(await seed.machineObjects('Machine')),
    ...(await seed.classSecrets()),
  ].map(({ metadata: { name, labels }, ...object }) => ({
    name,
    labels,
    content: 'providerSpec' in object ? object.providerSpec : 'data' in object ? object.data : object.spec,
  }))
