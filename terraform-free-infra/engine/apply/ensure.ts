import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { configurationProblem } from '../../../shared/contract/errors.ts'
import { ActionTimeout, type ErrorKind, failureOf } from '../error-kind.ts'
import type { Resource } from '../graph/graph.ts'
import type { AnyFound } from '../graph/resource-type.ts'
import { type Change, completeAttributes } from '../graph/resource-type.ts'
import {
  creatingAs,
  isChanging,
  isCreating,
  type MemoryTime,
  noteAnswered,
  noteChanging,
  noteCreating,
  noteMade,
  noteUnchanged,
} from '../memory.ts'
import type { Ensure } from '../planning/action.ts'
import { differencesOf, mustReplace } from '../planning/plan.ts'
import { waitingSince } from '../state.ts'
import {
  type ActionResult,
  type ApplyContext,
  defaultPollMs,
  stay,
  type Wait,
  write,
} from './apply-context.ts'

/** Ensures one resource of the graph: creates it, waits until it is usable, and updates differences. */
export const ensure = async <C>(work: ApplyContext<C>, action: Ensure<C>): Promise<ActionResult> => {
  const { kind, resource, found, incarnation, unshown } = action
  if (kind === 'missing')
    throw configurationProblem(`${resource.label} does not exist, and Trellis must not create it`)
  if (unshown !== undefined) {
    if (found !== undefined && !action.likely) await remember(work, resource, found)
    return untilShown(work, resource, found?.id ?? incarnation[0] ?? '', unshown)
  }
  if (found === undefined) {
    const made = await create(work, action)
    return 'how' in made ? made : completeFound(work, resource, made, true)
  }
  // Recorded resources may be replaced. An adopted one may also have keys to remove.
  if (kind === 'adopt' || !action.likely) await remember(work, resource, found)
  return kind === 'adopt' ? { kind: 'done' } : completeFound(work, resource, found, false)
}

/** A wait until the cloud shows a creation or a change. It ends when the cloud must show it. */
export const untilShown = <C>(
  work: ApplyContext<C>,
  resource: Resource<C>,
  id: string,
  unshown: string,
): Wait => ({
  kind: 'waiting',
  how: 'busy',
  id,
  afterMs: untilShownMs(work, resource.label, id, pollOf(resource)),
  text: `${resource.label} ${unshown}`,
  isBounded: true,
})

/** Returns the milliseconds until the next look. They grow with the wait, because each look reads everything. */
export const untilShownMs = <C>(
  { stateWriter, clock, shownWithinMs }: ApplyContext<C>,
  subject: string,
  id: string,
  pollMs: number,
): number => {
  const waited = clock.now() - (waitingSince(stateWriter.current(), subject, id) ?? clock.now())
  return Math.max(pollMs, Math.min(Math.round(waited / 4), shownWithinMs - waited))
}

export const momentOf = <C>({ clock, shownWithinMs }: ApplyContext<C>): MemoryTime => ({
  now: clock.now(),
  shownWithinMs,
})

/** Returns the created resource, or the wait for one that an earlier create has made and the cloud does not list. */
const create = async <C>(
  work: ApplyContext<C>,
  { resource, incarnation }: Ensure<C>,
): Promise<AnyFound | Wait> => {
  const { type, label, name, key, idKey } = resource
  const { clock, stateWriter } = work
  const attributes = completeAttributes(label, resource.desired(work.outcomes))
  const needs = resource.needs(work.outcomes) ?? {}
  const before = stateWriter.current()
  const wasCreating = isCreating(before, idKey, momentOf(work))
  // A resource that cannot be removed cannot be left behind.
  if (type.remove !== undefined) stateWriter.change(noteCreating(idKey, clock.now()))
  const once = Object.keys(attributes).filter(attribute => type.once?.[attribute] === 'by create')
  stateWriter.change(noteChanging(idKey, once, clock.now()))
  await stateWriter.saved()
  const attempt = async (round: number): Promise<AnyFound> => {
    const token = createToken(work.uid, label, round === 0 ? incarnation : [...incarnation, `round ${round}`])
    try {
      const made = await write(work, type, call => {
        if (type.create === undefined) throw new TypeError(`${type.what} cannot be created`)
        return type.create({ ...call, name, key, attributes, needs, token })
      })
      if (made.id === '') throw new UnnamedThing(label)
      return made
    } catch (error) {
      // The token created a resource that an old state does not name. The next token is also the same in every attempt.
      if (work.errorKindOf(error) === 'spent' && round < mostTokens) return attempt(round + 1)
      throw error
    }
  }
  let found: AnyFound | undefined
  try {
    found = await attempt(0)
  } catch (error) {
    const fault = faultOf(work, error)
    if (fault !== 'uncertain' && fault !== 'exists') {
      stateWriter.change({ ...noteAnswered(idKey), ...noteUnchanged(idKey, once) })
      throw error
    }
    work.signal.throwIfAborted()
    const listed = await work.observeType(type)
    // A foreign resource may have the same key.
    const isIt = ({ id, key, status, mark, ours }: AnyFound) =>
      key === resource.key &&
      !incarnation.includes(id) &&
      (mark ?? ours) !== undefined &&
      (status === 'ready' || status === 'pending')
    found = listed.find(isIt)
    if (found === undefined) {
      const isForeign = listed.some(
        ({ id, key, mark, ours }) =>
          (key === resource.key || (type.sameId && id === name)) && (mark ?? ours) === undefined,
      )
      const hadItsTime = !wasCreating && waitingSince(before, label, '') !== undefined
      // The answer is about something else. Another wait for a resource of ours would hide the error.
      if (fault === 'exists' && (isForeign || hadItsTime)) stateWriter.change(noteAnswered(idKey))
      if (fault !== 'exists' || isForeign || !wasCreating) throw error
      // Otherwise each attempt would renew the wait, and a name of others that is never listed would be no error.
      stateWriter.change(creatingAs(idKey, before))
      return untilShown(work, resource, '', 'to be listed, because its creation got no answer')
    }
  }
  if (type.marks) work.marks.set(found.id, found.mark ?? found.id)
  stateWriter.change(noteMade(idKey, type.what, found.id, clock.now()))
  if (!found.repeated) stateWriter.change(noteAnswered(idKey))
  await remember(work, resource, found)
  return found
}

const faultOf = <C>(work: ApplyContext<C>, error: unknown): ErrorKind =>
  error instanceof ActionTimeout || error instanceof UnnamedThing ? 'uncertain' : work.errorKindOf(error)

/** The maximum number of spent tokens in a row. */
const mostTokens = 20

/** A create response has no id, so it did not come from the cloud, but from a proxy. */
class UnnamedThing extends Error {
  override readonly name = 'UnnamedThing'

  constructor(label: string) {
    super(
      `${label}: the create response has no id and may be from a proxy. Check proxies and endpoints on the way`,
    )
  }
}

const completeFound = async <C>(
  work: ApplyContext<C>,
  resource: Resource<C>,
  start: AnyFound,
  created: boolean,
): Promise<ActionResult> => {
  const { label } = resource
  let found = await available(work, resource, start, created)
  if ('how' in found) return found
  const changes = differencesOf(resource, found, resource.desired(work.outcomes))
  const unshown = unshownIn(work, resource, changes)
  if (unshown.length > 0) return untilShown(work, resource, found.id, withNew(unshown))
  if (mustReplace(resource, changes)) {
    // The next plan replaces a resource that differs. A resource that was just created would differ forever.
    if (created) throw new Error(`${label} (${found.id}) was created with other values: ${listed(changes)}`)
    return { kind: 'waiting', how: 'busy', id: found.id, afterMs: 0, text: `${label} to be replaced` }
  }
  if (changes.length > 0) {
    const updated = await update(work, resource, found, changes)
    await remember(work, resource, updated)
    found = await available(work, resource, updated, true)
    if ('how' in found) return found
    const left = unshownIn(work, resource, differencesOf(resource, found, resource.desired(work.outcomes)))
    if (left.length > 0) return untilShown(work, resource, found.id, withNew(left))
  }
  await remember(work, resource, found)
  const { outcomes, reshaped } = work
  if (outcomes.has(label) && !isDeepStrictEqual(outcomes.get(label), found.outcome)) reshaped.add(label)
  outcomes.set(label, found.outcome)
  return { kind: 'done' }
}

/** Returns the attributes that were sent, must not be sent again, and are not shown yet. */
const unshownIn = <C>(
  work: ApplyContext<C>,
  { type, idKey }: Resource<C>,
  changes: readonly Change[],
): readonly string[] =>
  changes
    .map(({ attribute }) => attribute)
    .filter(
      attribute =>
        type.once?.[attribute] !== undefined &&
        isChanging(work.stateWriter.current(), idKey, attribute, momentOf(work)),
    )

export const withNew = (attributes: readonly string[]): string =>
  `to be shown with its new ${attributes.join(' and ')}`

const update = async <C>(
  work: ApplyContext<C>,
  resource: Resource<C>,
  found: AnyFound,
  changes: readonly Change[],
): Promise<AnyFound> => {
  const { type, label, name, idKey } = resource
  const attributes = completeAttributes(label, resource.desired(work.outcomes))
  const needs = resource.needs(work.outcomes) ?? {}
  const once = changes.some(({ attribute }) => type.once?.[attribute] !== undefined)
    ? Object.keys(type.once ?? {})
    : []
  work.stateWriter.change(noteChanging(idKey, once, work.clock.now()))
  await work.stateWriter.saved()
  try {
    const updated = await write(work, type, async call =>
      type.update?.({ ...call, name, found, changes, attributes, needs }),
    )
    return updated ?? found
  } catch (error) {
    if (faultOf(work, error) !== 'uncertain') work.stateWriter.change(noteUnchanged(idKey, once))
    throw error
  }
}

/** Returns the resource once it is ready, or the wait. Throws if the resource has failed. */
const available = async <C>(
  work: ApplyContext<C>,
  resource: Resource<C>,
  start: AnyFound,
  begun: boolean,
): Promise<AnyFound | Wait> => {
  const { type, label } = resource
  const { id } = start
  const found =
    start.status === 'pending'
      ? await stay(work, type, things => {
          const now = things.find(thing => thing.id === id)
          return now?.status === 'pending' ? undefined : now
        })
      : start
  const pollMs = pollOf(resource)
  if (found === undefined) {
    const afterMs = begun ? (type.firstPollMs ?? pollMs) : pollMs
    return { kind: 'waiting', how: 'pending', id, afterMs, text: `${label} to become available` }
  }
  if (found.status === 'failed') throw failureOf(label, found)
  // The resource was deleted just now, or long ago and an old token has returned it. The next plan creates another.
  if (found.status !== 'ready')
    return { kind: 'waiting', how: 'busy', id, afterMs: pollMs, text: `${label} to be created` }
  return found
}

const pollOf = <C>({ type }: Resource<C>): number => type.pollMs ?? defaultPollMs

const remember = async <C>(work: ApplyContext<C>, resource: Resource<C>, found: AnyFound): Promise<void> => {
  work.stateWriter.change(resource.remembered(found))
  await work.stateWriter.saved()
}

const listed = (changes: readonly Change[]): string =>
  changes
    .map(({ attribute, before, after }) => `${attribute} ${String(before)} instead of ${String(after)}`)
    .join(', ')

/**
 * Returns the idempotency token of a create. It is the same for every attempt to create one incarnation of a resource,
 * and changes with each incarnation (`incarnation`: the ids that this resource has had). 32 hexadecimal digits.
 */
const createToken = (uid: string, label: string, incarnation: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([uid, label, incarnation]))
    .digest('hex')
    .slice(0, 32)
