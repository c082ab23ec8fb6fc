import { createRandom, type Random } from '../../../sandbox/simulation/simulation.ts'
import type { Cast, Part } from './cast.ts'
import type { Act, Begin, LifeEvent, LifePlan } from './plan-life.ts'

const second = 1_000

/**
 * Lets inputs of a part change while a step runs or right after a write whose answer is lost, before the lists of AWS
 * show it. Several of these meet in each life.
 */
export const withTimes = (plan: LifePlan, cast: Cast, parts: readonly Part[]): LifePlan => {
  const random = createRandom(`${plan.seed}/times`)
  const chosen = parts.flatMap((part, index) => (part.isLast ? [] : [{ part, index }]))
  const { pages } = plan.hostility
  const acts = chosen.flatMap(({ part, index }) =>
    actsOf(random, cast, part).map(act => ({ ...act, part: index })),
  )
  const deleted = new Set(acts.flatMap(({ do: what, part }) => (what === 'delete' ? [part] : [])))
  return {
    ...plan,
    ends: plan.ends.map((end, index) => (deleted.has(index) ? (random.chance(0.8) ? 'deleted' : end) : end)),
    hostility: {
      ...plan.hostility,
      ...(pages && { pages: { ...pages, omitted: random.pick([0, 0.5]) } }),
      lagMs: random.pick([0, 10, 30, 90, 90]) * second,
    },
    events: [
      ...acts,
      ...chosen.flatMap(({ part, index }) => troublesOf(random, cast, part, index)),
      ...plan.events.filter(({ kind }) => kind === 'process' && random.chance(0.5)),
    ],
  }
}

const afterOf = (random: Random, cast: Cast): Act['after'] =>
  random.pick<() => Act['after']>([
    () => 'the claim',
    () => 'the claim',
    () => 'the success',
    () => 'the success',
    () => `write ${random.between(1, Math.ceil(cast.exchanges / 4))}`,
    () => `call ${writeOf(random, cast)}`,
  ])()

/** The time of a call, of some calls, of a step, and of a repeated step. */
const delayOf = (random: Random): number =>
  random.pick([0, 0, random.int(100), second, 5 * second, 60 * second])

const actsOf = (
  random: Random,
  cast: Cast,
  { changes, canMove, accidents, desired }: Part,
): readonly Act[] => {
  const kinds: readonly Act['do'][] = [
    'reconcile',
    ...(changes.length > 0 ? (['change', 'change', 'change', 'change'] as const) : []),
    ...(canMove ? (['move'] as const) : []),
  ]
  const act = (what: Act['do']): Act => ({
    kind: 'act',
    do: what,
    pick: random.int(1_000),
    after: afterOf(random, cast),
    delayMs: delayOf(random),
  })
  const acts = Array.from({ length: random.between(0, 3) }, () => act(random.pick(kinds)))
  // Without backups there is nothing to leave behind. Other accidents hide what is wrong at a success.
  if (accidents.length > 0 && (/^Backup/.test(desired.kind) || random.chance(0.2)))
    acts.push({ ...act('accident'), after: 'the success' }, { ...act('reconcile'), after: 'the success' })
  return random.chance(0.6) ? [...acts, act('delete')] : acts
}

const isWrite = (action: string): action is `${string}:${string}` =>
  !/:(?:Describe|Get|List|Head)/.test(action)

const isMade = (action: string): boolean =>
  /:(?:Create|Allocate|Run|Import|Put|Authorize|Associate|Attach|Change)/.test(action)

const writeOf = (random: Random, { actions }: Cast): `${string}:${string}` =>
  random.pick(actions.filter(isWrite).filter(isMade))

const troublesOf = (random: Random, cast: Cast, part: Part, index: number): readonly LifeEvent[] => {
  const from: Begin = random.pick<() => Begin>([
    () => writeOf(random, cast),
    () => random.pick(['change', 'delete', 'reconcile'] as const),
  ])()
  const forMs = random.pick([5, 30, 150, 400]) * second
  const lost = random.pick(['crash after', 'crash after', 'lost', 'silence', 'late'] as const)
  const [service] = from.includes(':') ? from.split(':') : ['ec2']
  const troubles: readonly (LifeEvent | false | undefined)[] = [
    // A write takes effect, and no one hears of it. Then AWS may refuse the next calls.
    random.chance(0.7) && { kind: 'exchange', ...whichOf(random, cast), fault: lost },
    random.chance(0.3) && {
      kind: 'window',
      from,
      at: random.pick([1, 500]),
      forMs,
      fault: 'throttled',
      action: `${service}:*`,
    },
    random.chance(0.3) && {
      kind: 'hidden',
      from: random.pick(['delete', from]),
      at: random.int(2 * second),
      forMs: random.pick([5, 30, 150]) * second,
      pick: random.int(1_000),
    },
    random.chance(0.15) && { kind: 'exchange', of: 'object write', at: random.int(12), fault: 'suspended' },
    index === 0 && random.chance(0.3) && { kind: 'slow reads', mostMs: random.pick([1, 4]) * second },
    part.desired.kind === 'Infrastructure' &&
      random.chance(0.15) && { kind: 'blocker', part: index, at: random.pick([0, second]) },
    part.places &&
      random.chance(0.6) && {
        kind: 'part refused',
        from: 'change',
        at: 0,
        forMs,
        text: random.pick(part.places),
      },
    part.inputs &&
      random.chance(0.5) && {
        kind: 'input',
        part: index,
        input: random.pick(part.inputs),
        from,
        at: random.pick([0, second, 20 * second]),
        forMs,
      },
  ]
  return troubles.filter(one => typeof one === 'object')
}

/** Only calls of EC2 and its kind show their action on their way. */
const whichOf = (
  random: Random,
  cast: Cast,
): { readonly of: 'write' | `ec2:${string}`; readonly at: number } => {
  const [, action = ''] = writeOf(random, cast).split(':')
  return random.chance(0.5) || !cast.actions.some(one => one.startsWith('ec2:'))
    ? { of: 'write', at: random.int(Math.ceil(cast.exchanges / 4)) }
    : { of: `ec2:${action}`, at: random.int(2) }
}
