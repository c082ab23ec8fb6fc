import type { SimulationSet } from '../simulation-set.ts'

export const migrationSet: SimulationSet = { name: 'migration', jobs: () => [] }
