import { remembers } from '../graph/resource-type.ts'
import type { Remove } from '../plan/action.ts'
import { goneKey } from '../plan/waits.ts'
import { type ActionResult, type ApplyContext, defaultPollMs, stay, write } from './work.ts'

/** Removes one resource and waits until it is gone. A resource that is already gone counts as removed. */
export const remove = async <C>(work: ApplyContext<C>, action: Remove<C>): Promise<ActionResult> => {
  const { type, found, label, kind } = action
  const removed = kind === 'wait' ? 'going' : await removal(work, action)
  const gone =
    removed === 'gone' ||
    (await stay(work, type, things => {
      const now = things.find(({ id }) => id === found.id)
      return now === undefined || now.status === 'gone' ? true : undefined
    }))
  if (!gone) {
    const pollMs = type.pollMs ?? defaultPollMs
    const afterMs = kind === 'wait' ? pollMs : (type.firstGonePollMs ?? type.firstPollMs ?? pollMs)
    return {
      kind: 'waiting',
      how: 'going',
      id: found.id,
      afterMs,
      text: `${label} (${found.id}) to be deleted`,
    }
  }
  work.keeper.change(forgotten(work, action))
  await work.keeper.saved()
  return { kind: 'done' }
}

const removal = async <C>(work: ApplyContext<C>, { type, found }: Remove<C>): Promise<'gone' | 'going'> => {
  try {
    return await write(work, type, async call => (await type.remove?.({ ...call, found })) ?? 'gone')
  } catch (error) {
    if (work.errorKindOf(error) === 'gone') return 'gone'
    throw error
  }
}

/**
 * Returns the keys that referred only to the removed resource, without it, and their new values. Its id is retained if
 * a replacement takes over its key.
 */
const forgotten = <C>(
  work: ApplyContext<C>,
  { type, found, resource, replaced }: Remove<C>,
): Readonly<Record<string, string | undefined>> => {
  if (replaced) return {}
  const state = work.keeper.current()
  const isIt = resource !== undefined && state[resource.idKey] === found.id
  const others = Object.keys(state).filter(key => state[key] === found.id && remembers(type, key))
  const idKeys = [...(resource === undefined ? [] : [resource.idKey]), ...others]
  const remembered = type.usesToken === true && !work.destroying
  return {
    ...Object.fromEntries([...(isIt ? resource.stateKeys : []), ...others].map(key => [key, undefined])),
    ...(remembered && Object.fromEntries(idKeys.map(key => [goneKey(key), found.id]))),
  }
}
