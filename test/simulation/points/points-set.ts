import type { SimulationSet } from '../simulation-set.ts'

export const pointsSet: SimulationSet = { name: 'points', jobs: () => [] }
