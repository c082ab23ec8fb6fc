import { loadSimulatedCode } from '../../../sandbox/simulation/simulation.ts'
import type { JobResult, SimulationSet } from '../simulation-set.ts'
import { runWalks } from './run-walks.ts'
import type { WalkSpace } from './space/walk-space.ts'
import { walkSpaces } from './walk-spaces.ts'

/** Walks of a job: a space in turns with the others. */
const walksOfJob = 5

/** Walks at random through all spaces, without an end. */
export const walksSet: SimulationSet = {
  name: 'walks',
  *jobs({ seed, functions }) {
    const spaces = walkSpaces.filter(
      ({ name }) => functions === undefined || functions.includes(name.replace('/', '-')),
    )
    if (spaces.length === 0) return
    for (let number = Number(seed); ; number += walksOfJob)
      for (const space of spaces)
        yield { id: `${space.name} from seed ${number}`, run: () => runJob(space, number) }
  },
}

const runJob = async (space: WalkSpace, seed: number): Promise<JobResult> => {
  await loadSimulatedCode()
  const [counts] = await runWalks({ spaces: [space], seed, count: walksOfJob })
  const [provider = '', kind = ''] = space.name.split('/')
  return {
    kinds: [`${kind} of ${provider}`],
    runs: counts?.walks ?? 0,
    points: { intermediate: 0, stale: 0, unobserved: 0 },
    virtualMs: 0,
    failures: (counts?.failures ?? []).map(({ seed: found, text }) => ({
      what: `walk ${space.name}, seed ${found}`,
      broken: text.split('\n'),
      trace: [],
    })),
  }
}
