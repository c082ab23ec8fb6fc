import { askedAt } from '../shoot.ts'
import type { StartedKind } from '../start-world.ts'
import { shootOf, workerOf } from './objects.ts'
import { bundle } from './worker-world.ts'

/** The largest number that a benchmark asks for: a burst has 200. */
const most = 240
const namespaceOf = (index: number) => `shoot--bench--started-${index}`

/** Workers of hibernated shoots: the function creates all objects and does not wait for machines. */
export const startedWorkers: StartedKind = {
  kind: 'Worker',
  bundle,
  objects: Array.from({ length: most }, (_, index) =>
    shootOf(namespaceOf(index), { pools: 1, isHibernated: true }),
  ).flat(),
  prepare: () => {},
  objectNumber: index => {
    const { metadata, ...worker } = workerOf(namespaceOf(index), { pools: 1, zones: 1 })
    return { ...worker, metadata: { ...metadata, annotations: askedAt(index) } }
  },
}
