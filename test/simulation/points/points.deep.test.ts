// First: it replaces builtins to which modules of the product take references when they are loaded.
import '../../../sandbox/simulation/simulation.ts'
import { expect, test } from 'vitest'
import { loadSimulatedCode } from '../../../sandbox/simulation/simulation.ts'
import { isNight } from '../../cases/share.ts'
import { type PointClass, pointClasses } from './faults-of.ts'
import { phasesOf } from './phases.ts'
import { createPhaseRecorder } from './run-points.ts'
import { subjects } from './subjects.ts'

const recorder = loadSimulatedCode().then(createPhaseRecorder)

/** Functions with every n-th of their points. `make simulate` runs all points of all functions. */
const everyNth: Readonly<Record<string, number>> = {
  'aws-dnsrecord': 3,
  'aws-backupbucket': 6,
  'local-backupentry': 3,
  'gardenlinux-operatingsystemconfig': 4,
}

const phases = subjects.flatMap(subject =>
  phasesOf(subject)
    .filter(() => subject.name in everyNth)
    .map(phase => ({ subject, phase })),
)

test.each(phases)(
  '$subject.name converges in phase $phase.name, with a fault at any of its points',
  async ({ subject, phase }) => {
    const recorded = await (await recorder)(subject, phase)
    expect(recorded.failure).toBeUndefined()
    const step = (everyNth[subject.name] ?? 1) * (isNight ? 1 : 3)
    const chosen = pointClasses.flatMap((of: PointClass) =>
      recorded.points(of).filter((_, index) => index % step === 0),
    )
    expect(chosen.length).toBeGreaterThan(0)
    for (const point of chosen) expect((await recorded.run([point])).failure).toBeUndefined()
  },
)
