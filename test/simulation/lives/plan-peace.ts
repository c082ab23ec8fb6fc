import { createRandom, type Random } from '../../../sandbox/simulation/simulation.ts'
import type { Cast, Part } from './cast.ts'
import type { Act, LifePlan } from './plan-life.ts'

const second = 1_000

/**
 * Leaves out every trouble and everyone else. Changes and requests follow each other soon. AWS may show them late, but no
 * operation has a reason to end in an error.
 */
export const inPeace = (plan: LifePlan, _cast: Cast, parts: readonly Part[]): LifePlan => {
  const random = createRandom(`${plan.seed}/peace`)
  const planned = parts.map(part => (part.isLast ? [] : actsOf(random, part)))
  return {
    ...plan,
    ends: planned.map((acts, index) =>
      acts.at(-1)?.do === 'delete' ? 'deleted' : (plan.ends[index] ?? 'present'),
    ),
    hostility: { ...plan.hostility, lagMs: random.pick([0, 2, 30, 90]) * second },
    hasOthers: false,
    events: planned.flatMap((acts, part) => acts.map(act => ({ ...act, part }))),
  }
}

const actsOf = (random: Random, { changes, canMove }: Part): readonly Act[] => {
  const act = (what: Act['do'], after: Act['after'] = 'the success'): Act => ({
    kind: 'act',
    do: what,
    pick: random.int(1_000),
    after,
    delayMs: random.pick([0, second, 20 * second, 100 * second]),
  })
  const rounds = Array.from({ length: random.between(1, 4) }, () =>
    random.pick<() => readonly Act[]>([
      () => [act('reconcile')],
      ...(changes.length > 0 ? Array<() => Act[]>(4).fill(() => [act('change'), act('reconcile')]) : []),
      () => [act('delete'), act('reconcile')],
      ...(canMove ? [() => [act('move')]] : []),
    ])(),
  )
  return [...rounds.flat(), ...(random.chance(0.6) ? [act('delete')] : [])]
}
