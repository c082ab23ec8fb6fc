import { loadSimulatedCode, type SimulatedCode } from '../../../sandbox/simulation/simulation.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import type { JobResult, SimulationJob, SimulationSet } from '../simulation-set.ts'
import { backupHistories } from './backups.ts'
import { bastionHistories } from './bastions.ts'
import { bridgeHistories } from './bridges.ts'
import { deletionHistories } from './deletions.ts'
import { dnsRecordHistories } from './dns-records.ts'
import type { History, HistoryResult } from './history.ts'
import { lateListHistories } from './late-lists.ts'
import { localHistories } from './local-shoots.ts'
import { namesakeHistories } from './namesakes.ts'
import { networkHistories } from './networks.ts'
import { recordRaceHistories } from './record-races.ts'
import { shootHistories } from './shoots.ts'

const histories: readonly History[] = [
  ...dnsRecordHistories,
  ...recordRaceHistories,
  ...bridgeHistories,
  ...backupHistories,
  ...networkHistories,
  ...deletionHistories,
  ...bastionHistories,
  ...namesakeHistories,
  ...lateListHistories,
  ...localHistories,
  ...shootHistories,
]

/** Chosen courses of events: each is the shortest one that shows a known kind of defect (`mutants`). */
export const historySet: SimulationSet = {
  name: 'histories',
  jobs: ({ functions }) => {
    let code: Promise<SimulatedCode> | undefined
    const load = () => {
      code ??= loadSimulatedCode()
      return code
    }
    return histories
      .filter(one => functions === undefined || one.functions.some(name => functions.includes(name)))
      .map(one => jobOf(one, load))
  },
}

const jobOf = (history: History, load: () => Promise<SimulatedCode>): SimulationJob => ({
  id: history.name,
  run: async () => resultOf(history, await outcomeOf(history, await load())),
})

const outcomeOf = async ({ run }: History, code: SimulatedCode): Promise<HistoryResult> => {
  try {
    return await run(code)
  } catch (error) {
    return { virtualMs: 0, broken: [messageOf(error)] }
  }
}

const resultOf = ({ name, kinds, points }: History, { virtualMs, broken }: HistoryResult): JobResult => ({
  kinds,
  runs: 1,
  points: {
    intermediate: Number(points === 'intermediate'),
    stale: Number(points === 'stale'),
    unobserved: Number(points === 'unobserved'),
  },
  virtualMs,
  failures: broken.length === 0 ? [] : [{ what: name, broken, trace: [] }],
})
