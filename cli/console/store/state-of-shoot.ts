import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { NodeState } from '../../observe/observe.ts'
import { isWorse, objectState } from './object-state.ts'
import type { StateOfShoot } from './shoot-store.ts'

/** Derives the state from the last operations of all objects: the worst one counts. */
export const stateOfShoot: StateOfShoot = objects => {
  let state: NodeState = 'unknown'
  let why: string | undefined
  let failed = 0
  let known = 0
  let name: string | undefined
  for (const [id, object] of objects) {
    if (id.startsWith('Cluster ')) {
      name = gardenName(object)
      continue
    }
    const found = objectState(object)
    if (found === undefined) continue
    known++
    if (found.state === 'failed') failed++
    if (known === 1 || isWorse(found.state, state)) {
      state = found.state
      why = found.why && `${id.slice(0, id.indexOf(' '))}: ${found.why}`
    }
  }
  if (objects.size === 0) state = 'gone'
  return {
    ...(name !== undefined && { name }),
    state: { state, failed, objects: known, ...(why !== undefined && { why: why.slice(0, longestWhy) }) },
  }
}

/** In characters: the list of shoots shows one line. */
const longestWhy = 200

const gardenName = (cluster: unknown): string | undefined => {
  const { namespace, name } = recordOf(recordOf(recordOf(recordOf(cluster).spec).shoot).metadata)
  const text = [stringOf(namespace), stringOf(name)].filter(part => part !== '').join('/')
  return text === '' ? undefined : text
}
