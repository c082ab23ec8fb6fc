import { type Applied, waitingFor } from './apply.ts'
import { stateKeeper } from './state.ts'
import type { StepInput } from './step.ts'
import { type NotedWait, notedWaits } from './waits.ts'
import { defaultPollMs, defaultWaitLimitMs, looks } from './work.ts'

/**
 * The wait that goes on, when nothing but waiting is left and something is still on its way; undefined when there is
 * something to do. Costs one look at each type that is waited for.
 */
export const stillWaiting = async <C>(input: StepInput<C>): Promise<Applied | undefined> => {
  const { graph, state, clock, destroy = false } = input
  const waits = notedWaits(state)
  const looked = (how: NotedWait['how']) => how === 'going' || (how === 'pending' && !destroy)
  if (waits.length === 0 || !waits.every(({ how }) => looked(how))) return undefined
  const types = graph.types.filter(({ what }) => waits.some(wait => wait.what === what))
  const limitOf = (what: string) => types.find(type => type.what === what)?.waitLimitMs ?? defaultWaitLimitMs
  if (waits.some(({ since, what }) => clock.now() - since >= limitOf(what))) return undefined

  const { look } = looks({ ...input, keeper: stateKeeper(state, input.save) })
  const found = new Map(await Promise.all(types.map(async type => [type.what, await look(type)] as const)))
  const standing = waits.map(wait => ({
    ...wait,
    status: found.get(wait.what)?.find(({ id }) => id === wait.id)?.status,
  }))
  const open = standing.filter(({ how, status }) => status === (how === 'pending' ? 'pending' : 'deleting'))
  const failed = standing.some(
    ({ how, status }) => how === 'pending' && status !== 'pending' && status !== 'ready',
  )
  if (open.length === 0 || failed) return undefined
  const pollMs = types
    .filter(({ what }) => open.some(wait => wait.what === what))
    .map(type => type.pollMs ?? defaultPollMs)
  const size = Math.max(graph.resources.length, waits.length, 1)
  return {
    kind: 'continue',
    afterMs: Math.min(...pollMs),
    progress: Math.min(99, Math.max(1, Math.round((100 * (size - open.length)) / size))),
    description: waitingFor(
      open.map(
        ({ subject, how }) => `${subject} ${how === 'pending' ? 'to become available' : 'to be gone'}`,
      ),
    ),
  }
}
