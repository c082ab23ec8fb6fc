import { kindNames } from '../../../shared/contract/kinds.ts'
import { isInForce, pauseOf, pauseProblem } from '../../../shared/contract/pause.ts'
import { pathOf, pauseText } from '../../observe/observe.ts'
import { objectsOf, serverNow } from '../checked-seed.ts'
import { type DoctorCheck, warning } from '../diagnosis.ts'

/** Pauses of shoots and objects, and annotations that pause nothing. */
export const pauseChecks: readonly DoctorCheck[] = [
  {
    area: 'objects',
    about: 'paused shoots and objects',
    needs: ['clusters', ...kindNames],
    run: seed => {
      const now = serverNow(seed)
      const targets = [
        ...objectsOf(seed, 'clusters').map(({ metadata }) => ({ metadata, target: metadata.name })),
        ...kindNames.flatMap(kind =>
          objectsOf(seed, kind).map(({ metadata }) => ({ metadata, target: pathOf({ kind, metadata }) })),
        ),
      ]
      return targets.flatMap(({ metadata, target }) => {
        const pause = pauseOf(metadata)
        const text = isInForce(pause, now) ? pauseText(pause, now) : pauseProblem(metadata, now)
        return text === undefined ? [] : [warning(`${target}: ${text}`, `trellis resume ${target} ends this`)]
      })
    },
  },
]
