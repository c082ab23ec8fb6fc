import type { SimulationSet } from './simulation-set.ts'

/** The sets by name, in the order of their figures. A set is loaded on demand. */
export const sets: Readonly<Record<SimulationSet['name'], () => Promise<SimulationSet>>> = {
  histories: async () => (await import('./histories/history-set.ts')).historySet,
  lives: async () => (await import('./lives/lives-set.ts')).livesSet,
  points: async () => (await import('./points/points-set.ts')).pointsSet,
  migration: async () => (await import('./migration/migration-set.ts')).migrationSet,
  random: async () => (await import('./random/random-set.ts')).randomSet,
  walks: async () => (await import('./walks/walks-set.ts')).walksSet,
}

export type SetName = keyof typeof sets

export const setNames = Object.keys(sets) as readonly SetName[]
