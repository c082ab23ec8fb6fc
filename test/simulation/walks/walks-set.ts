import type { SimulationSet } from '../simulation-set.ts'

export const walksSet: SimulationSet = { name: 'walks', jobs: () => [] }
