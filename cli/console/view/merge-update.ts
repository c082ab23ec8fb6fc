import type { Numbered, Overview, ShootHistory } from '../model/history.ts'

/** Adds later states to an overview. Entries that it has already are dropped. */
export const mergeOverview = (known: Overview | undefined, more: Overview): Overview => {
  if (known === undefined) return more
  const added = new Map(more.shoots.map(shoot => [shoot.id, shoot]))
  const shoots = known.shoots.map(shoot => {
    const later = added.get(shoot.id)
    added.delete(shoot.id)
    return later === undefined ? shoot : { ...shoot, ...later, states: joined(shoot.states, later.states) }
  })
  return { ...more, shoots: [...shoots, ...added.values()], gaps: joined(known.gaps, more.gaps) }
}

/** Adds later entries to the history of the same shoot. */
export const mergeHistory = (known: ShootHistory, more: ShootHistory): ShootHistory => ({
  shoot: known.shoot,
  n: Math.max(known.n, more.n),
  nodes: joined(known.nodes, more.nodes),
  steps: joined(known.steps, more.steps),
  events: joined(known.events, more.events),
  objects: joined(known.objects, more.objects),
})

const joined = <T extends Numbered>(known: readonly T[], more: readonly T[]): readonly T[] => {
  const last = known.at(-1)?.n ?? 0
  const later = more.filter(({ n }) => n > last)
  return later.length === 0 ? known : [...known, ...later]
}
