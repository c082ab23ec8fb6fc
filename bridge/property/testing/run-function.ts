import type { Clock } from '../../../shared/clock/clock.ts'
import { formatMilliseconds, formatSeconds } from '../../../shared/clock/clock.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { formatStepAnnotation } from '../../../shared/contract/step-annotation.ts'
import type { ExtensionEvent } from '../../../shared/events/events.ts'
import { eventId } from '../../../shared/events/events.ts'
import { dueWorkOf, factsOf, lastOperationMark, requestOf } from '../../../shared/lifecycle/lifecycle.ts'
import type { FunctionMode } from './command.ts'
import type { SimulatedSeed } from './simulated-seed.ts'

/** A short version of a function: decides on the live object, claims, acts, writes the result. */
export const runFunction = async (
  clock: Clock,
  seed: SimulatedSeed,
  event: ExtensionEvent,
  mode: () => FunctionMode,
  /** The time by which the function's clock is ahead, in ms. */
  skewMs: () => number,
  onClaim: () => void,
): Promise<void> => {
  await clock.sleep(50)
  const object = seed.read(event.name)
  if (object === undefined) return
  const skew = skewMs()
  const facts = factsOf(object)
  const due = dueWorkOf('DNSRecord', facts, clock.now() + skew)
  if (due.kind === 'none') return
  // Timed work is due when the bridge says so.
  const isNamed = eventId(facts.uid, facts.generation, due.operation, due.cause) === event.id
  if (due.timed ? !isNamed : due.kind !== 'emit') return
  const operation = facts.deletionTimestamp === undefined ? 'reconcile' : 'delete'
  const base = {
    operation,
    attempt: 0,
    event: event.id,
    request: requestOf('DNSRecord', facts)?.id ?? '',
    generation: facts.generation,
    was: lastOperationMark(facts.lastOperation),
    ...(facts.metadataHash === undefined ? {} : { metadataHash: facts.metadataHash }),
  } as const
  const until = (ms: number) => formatMilliseconds(clock.now() + skew + ms)
  const status = (state: string) => ({
    lastOperation: { type: operation, state, lastUpdateTime: formatSeconds(clock.now()) },
  })
  const chosen = mode()
  const timestamp = object.metadata.annotations?.[annotations.timestamp] ?? ''
  const claim = formatStepAnnotation({ ...base, phase: 'claimed', until: until(30_000), durationMs: 30_000 })
  const claimed = seed.write(
    object,
    { [annotations.operation]: undefined, [annotations.step]: claim },
    status('Processing'),
  )
  onClaim()
  await clock.sleep(400)
  const live = seed.read(event.name)
  if (chosen === 'dies' || live === undefined || live.metadata.uid !== claimed.metadata.uid) return
  if (chosen !== 'succeeds') {
    const wait = formatStepAnnotation({ ...base, phase: 'waiting', until: until(15_000), durationMs: 15_000 })
    seed.write(live, { [annotations.step]: wait }, status(chosen === 'fails' ? 'Error' : 'Processing'))
    return
  }
  seed.answered.set(event.name, timestamp)
  if (operation === 'delete') seed.remove(event.name)
  else seed.write(live, { [annotations.step]: undefined }, status('Succeeded'))
}
