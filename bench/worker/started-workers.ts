import { askedAt } from '../shoot.ts'
import type { StartedKind } from '../start-world.ts'
import { shootOf, workerOf } from './objects.ts'
import { bundle } from './worker-world.ts'

/** As many as a benchmark asks for at most: a burst has 200. */
const most = 240
const namespaceOf = (index: number) => `shoot--bench--started-${index}`

/** Workers of shoots that are hibernated: all objects are made, and no machine is to be waited for. */
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
