import type { SimulationSet } from '../simulation-set.ts'

export const randomSet: SimulationSet = { name: 'random', jobs: () => [] }
