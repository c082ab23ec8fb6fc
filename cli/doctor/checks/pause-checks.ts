import { formatSeconds } from '../../../shared/clock/clock.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { kindNames } from '../../../shared/contract/kinds.ts'
import { isInForce, pauseOf, pauseProblem } from '../../../shared/contract/pause.ts'
import { pathOf } from '../../observe/observe.ts'
import { objectsOf, serverNow } from '../checked-seed.ts'
import { type Diagnosis, type DoctorCheck, warning } from '../diagnosis.ts'

/** Pauses of shoots and objects, and annotations that pause nothing. */
export const pauseChecks: readonly DoctorCheck[] = [
  {
    area: 'objects',
    about: 'paused shoots',
    needs: ['clusters'],
    run: seed => {
      const now = serverNow(seed)
      return [
        ...objectsOf(seed, 'clusters').map(one => ({ ...one, kind: 'Cluster' })),
        ...kindNames.flatMap(kind => objectsOf(seed, kind).map(one => ({ ...one, kind }))),
      ].flatMap((object): readonly Diagnosis[] => {
        const { kind, metadata } = object
        const pause = pauseOf(metadata)
        const target = kind === 'Cluster' ? metadata.name : pathOf(object)
        if (isInForce(pause, now)) {
          const note = pause.note === '' ? '' : ` (${pause.note})`
          return [
            warning(
              `${kind === 'Cluster' ? `the shoot ${target}` : target} is paused until ${formatSeconds(pause.until)}${note}`,
              `trellis resume ${target} ends the pause`,
            ),
          ]
        }
        const problem = pauseProblem(metadata, now)
        return problem === undefined
          ? []
          : [
              warning(
                `${kind === 'Cluster' ? `Cluster/${target}` : target}: ${problem}`,
                `remove ${annotations.pause} with trellis resume ${target}, or pause again with trellis pause`,
              ),
            ]
      })
    },
  },
]
