import { RequeueAfterError, StepExpiredError } from '../../../shared/contract/errors.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import { ActionError, ActionTimeout } from '../error-kind.ts'
import { remembers } from '../graph/resource-type.ts'
import { mayBeYoung, noteDeleted } from '../memory.ts'
import type { Action, Remove, Unmarking } from '../planning/action.ts'
import { retained } from '../planning/match.ts'
import { goneKey, waitingSince } from '../state.ts'
import {
  type ActionResult,
  type ApplyContext,
  defaultPollMs,
  defaultWaitLimitMs,
  stay,
  write,
} from './apply-context.ts'
import { ensure, momentOf, untilShownMs } from './ensure.ts'

export type Performed = ActionResult | { readonly kind: 'failed'; readonly error: ActionError }

/** Returns the subject of an action, which is stable across steps. */
export const subjectOf = <C>(action: Action<C>): string =>
  action.target === 'resource'
    ? action.resource.label
    : action.target === 'removal'
      ? `${action.label} (${action.found.id})`
      : action.sentence

/** Performs one action. Rejects only when the step is over. Every other error becomes a wait or a failure. */
export const perform = async <C>(work: ApplyContext<C>, action: Action<C>): Promise<Performed> => {
  const result = await attempted(work, action)
  if (result.kind !== 'waiting' || result.isBounded) return result
  const since = waitingSince(work.stateWriter.current(), subjectOf(action), result.id)
  // An unrecorded resource is tried once per reconcile: its mark still proves its owner later.
  if (isUnneeded(work, action) && result.how === 'busy' && result.error !== undefined)
    return leave(work, action)
  const limitMs = typeOf(action)?.waitLimitMs ?? defaultWaitLimitMs
  if (since === undefined || work.clock.now() - since < limitMs) return result
  if (action.target === 'removal' && action.optional && result.how === 'busy') return leave(work, action)
  const waited = `waited ${Math.round((work.clock.now() - since) / 1000)} s for ${result.text}`
  return { kind: 'failed', error: new ActionError(action.sentence, result.error ?? new Error(waited)) }
}

type Removal<C> = Extract<Action<C>, { readonly target: 'removal' }>

const isUnneeded = <C>(work: ApplyContext<C>, action: Action<C>): action is Removal<C> =>
  action.target === 'removal' && action.optional && !isRecorded(work, action)

const isRecorded = <C>(work: ApplyContext<C>, { found }: Pick<Removal<C>, 'found'>): boolean =>
  Object.values(work.stateWriter.current()).includes(found.id)

/** A resource that is in use but not needed causes no failure. It is reported, and the next reconcile tries again. */
const leave = <C>(
  { left }: ApplyContext<C>,
  { type, found }: Pick<Removal<C>, 'type' | 'found'>,
  why = 'the cloud reports that it is in use',
): { readonly kind: 'done' } => {
  left.push(retained({ type, found }, why))
  return { kind: 'done' }
}

const attempted = async <C>(work: ApplyContext<C>, action: Action<C>): Promise<Performed> => {
  try {
    switch (action.target) {
      case 'resource':
        return await ensure(work, action)
      case 'removal':
        return await remove(work, action)
      case 'marks':
        return await unmark(work, action)
      case 'state':
        if (action.kind === 'wait')
          return {
            kind: 'waiting',
            how: 'busy',
            id: '',
            afterMs: untilShownMs(work, subjectOf(action), '', defaultPollMs),
            text: waited(action),
            isBounded: true,
          }
        work.stateWriter.change({
          ...Object.fromEntries(action.keys.map(key => [key, undefined])),
          ...action.instead,
        })
        await work.stateWriter.saved()
        return { kind: 'done' }
    }
  } catch (thrown) {
    if (thrown instanceof StepExpiredError || work.signal.aborted) throw thrown
    const id = 'found' in action ? (action.found?.id ?? '') : ''
    const afterMs = backOffMs(work, action, id, thrown)
    if (afterMs === undefined) return { kind: 'failed', error: new ActionError(action.sentence, thrown) }
    const error = await explained(work, action, thrown)
    const text = `${subjectOf(action)}: ${messageOf(error)}`
    return { kind: 'waiting', how: 'busy', id, afterMs, text, error }
  }
}

/** Adds what blocks a removal that was refused before, too. The first refusal often passes without a reason. */
const explained = async <C>(work: ApplyContext<C>, action: Action<C>, error: unknown): Promise<unknown> => {
  if (action.target !== 'removal' || work.errorKindOf(error) !== 'busy') return error
  if (waitingSince(work.stateWriter.current(), subjectOf(action), action.found.id) === undefined) return error
  // An explanation that cannot be read must not hide the refusal.
  const why = await work.explain(action.type, action.found).catch(() => undefined)
  work.signal.throwIfAborted()
  return why === undefined ? error : new Error(`${messageOf(error)}. ${why}`, { cause: error })
}

const unmark = async <C>(work: ApplyContext<C>, { marks }: Unmarking): Promise<ActionResult> => {
  const all = [...new Set([...marks.values(), ...work.marks.values()])]
  if (all.length > 0) await write(work, {}, async call => work.hooks.unmark?.(call, all))
  return { kind: 'done' }
}

/** Returns what a sentence waits for. The caller adds the prefix for the wait. */
const waited = ({ sentence }: { readonly sentence: string }): string => sentence.replace(/^wait for /, '')

/**
 * Returns the milliseconds until the retry of an action that was refused for now. Each retry waits a tenth longer than
 * the total wait so far, since each attempt reads everything. Undefined if the action has failed.
 */
const backOffMs = <C>(
  work: ApplyContext<C>,
  action: Action<C>,
  id: string,
  error: unknown,
): number | undefined => {
  if (error instanceof RequeueAfterError) return error.delayMs
  if (error instanceof ActionTimeout) return undefined
  const fault = work.errorKindOf(error)
  // A resource that is gone although it was observed or just created is not visible everywhere yet, or the next plan
  // creates it. If an addition of an update already exists, it was added after the read, and the next plan knows it.
  const passes =
    fault === 'busy' ||
    fault === 'gone' ||
    (fault === 'exists' && action.kind === 'update') ||
    (action.target === 'removal' && action.type.retriesRemoval?.(error) === true)
  if (!passes) return undefined
  const now = work.clock.now()
  const waited = now - (waitingSince(work.stateWriter.current(), subjectOf(action), id) ?? now)
  return Math.max(typeOf(action)?.pollMs ?? defaultPollMs, Math.round(waited / 10))
}

export const typeOf = <C>(action: Action<C>) =>
  action.target === 'resource' ? action.resource.type : action.target === 'removal' ? action.type : undefined

/** Removes one resource and waits until it is gone. A resource that is already gone counts as removed. */
const remove = async <C>(work: ApplyContext<C>, action: Remove<C>): Promise<ActionResult> => {
  const { type, found, label, kind } = action
  const { confirm } = work.hooks
  const isProposed = action.optional && kind === 'delete' && !isRecorded(work, action)
  if (isProposed && confirm && !(await write(work, type, call => confirm(call, found))))
    return leave(work, action, 'the cloud does not confirm that it belongs to this object')
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
  work.stateWriter.change(forgotten(work, action))
  await work.stateWriter.saved()
  return { kind: 'done' }
}

const removal = async <C>(work: ApplyContext<C>, action: Remove<C>): Promise<'gone' | 'going'> => {
  const { type, found } = action
  try {
    return await write(work, type, async call => (await type.remove?.({ ...call, found })) ?? 'gone')
  } catch (error) {
    if (work.errorKindOf(error) !== 'gone') throw error
    // The error may be about a part, such as an attachment, whose removal a client repeated without an answer.
    const isThere = (await work.observeType(type)).some(
      ({ id, status }) => id === found.id && status !== 'gone',
    )
    // A resource that was created lately may be known to the list, and not yet to the removal.
    if (isThere || mayBeYoung(work.stateWriter.current(), keysOf(work, action), momentOf(work))) throw error
    return 'gone'
  }
}

/** Returns the key of the resource, and other keys under which the state has its id. */
const keysOf = <C>(
  { stateWriter }: ApplyContext<C>,
  { type, found, resource }: Pick<Remove<C>, 'type' | 'found' | 'resource'>,
): readonly string[] => {
  const state = stateWriter.current()
  const others = Object.keys(state).filter(key => state[key] === found.id && remembers(type, key))
  return [...(resource === undefined ? [] : [resource.idKey]), ...others]
}

/**
 * Returns the keys that referred only to the removed resource, without it, and their new values. Its id is retained if
 * a replacement takes over its key.
 */
const forgotten = <C>(
  work: ApplyContext<C>,
  { type, found, resource, replaced }: Remove<C>,
): Readonly<Record<string, string | undefined>> => {
  const state = work.stateWriter.current()
  const now = work.clock.now()
  // Another create may have made a second resource, which the cloud does not list yet.
  const isOnly = type.doubles !== true
  if (replaced) return noteDeleted([], type.what, found.id, now, isOnly)
  const isIt = resource !== undefined && state[resource.idKey] === found.id
  const idKeys = keysOf(work, { type, found, resource })
  const remembered = type.usesToken === true && !work.destroying
  return {
    ...noteDeleted(idKeys, type.what, found.id, now, isOnly),
    ...Object.fromEntries(
      [...(isIt ? resource.stateKeys : []), ...idKeys.filter(key => state[key] === found.id)].map(key => [
        key,
        undefined,
      ]),
    ),
    ...(remembered && Object.fromEntries(idKeys.map(key => [goneKey(key), found.id]))),
  }
}
