import { createRandom, type Random } from '../../../sandbox/simulation/simulation.ts'
import type { Cast, Part } from './cast.ts'
import { type Act, type LifePlan, milestones, type Trouble } from './plan-life.ts'

const second = 1_000
const minute = 60 * second

/** The acts on an object in a while, each with troubles of its own. */
type Story = (random: Random, surroundings: { readonly cast: Cast; readonly index: number }) => readonly Act[]

/**
 * Lets several stories happen to each part, one after the other: at each time of a life something may fail that AWS and
 * Kubernetes let fail, such as a death between two writes, a resource that is not found, or a refusal that ends soon.
 */
export const withStories = (plan: LifePlan, cast: Cast, parts: readonly Part[]): LifePlan => {
  const random = createRandom(`${plan.seed}/stories`)
  const { pages } = plan.hostility
  const planned = parts.map((part, index) => (part.isLast ? [] : storiesOf(random, cast, part, index)))
  const stuck = random.pick([...stuckOf(cast), ...Array(8).fill(undefined)])
  return {
    ...plan,
    ends: plan.ends.map((end, index) => (planned[index]?.at(-1)?.do === 'delete' ? 'deleted' : end)),
    hostility: {
      ...plan.hostility,
      ...(pages && { pages: { ...pages, omitted: random.pick([0, 0.5]) } }),
      lagMs: random.pick([0, 10, 90, 90]) * second,
      isSlow: random.chance(0.4),
      ...(stuck && { stuck }),
    },
    events: planned.flatMap((acts, part) => acts.map(act => ({ ...act, part }))),
  }
}

const storiesOf = (random: Random, cast: Cast, part: Part, index: number): readonly Act[] => {
  const surroundings = { cast, index }
  const draw = (stories: readonly Story[]) => random.pick(stories)(random, surroundings)
  const middle = Array.from({ length: random.pick([0, 1, 2, 2, 3]) }, () => draw(middlesOf(part)))
  const acts = [...middle.flat(), ...(random.chance(0.8) ? draw(endsOf(part)) : [])]
  return acts.map(one =>
    one.do === 'delete' && random.chance(0.5)
      ? { ...one, with: [...(one.with ?? []), ...refusedForAMoment(random, surroundings)] }
      : one,
  )
}

const act = (what: Act['do'], more: Partial<Act> = {}): Act => ({
  kind: 'act',
  do: what,
  pick: 0,
  after: 'the success',
  delayMs: 0,
  ...more,
})

const pickOf = (random: Random): number => random.int(1_000)
const soon = (random: Random): number => random.pick([0, 0, second, 10 * second, 40 * second])

const tables = {
  ec2: ['addresses', 'natGateways', 'routeTables', 'subnets', 'securityGroups', 'keyPairs', 'vpcs'],
  s3: ['buckets'],
  route53: ['zones'],
} as const

const servicesOf = ({ actions }: Cast): readonly string[] => [
  ...new Set(actions.map(action => action.slice(0, action.indexOf(':')))),
]

const hidden = (
  random: Random,
  { cast }: { readonly cast: Cast },
  at = 0,
): Extract<Trouble, { readonly kind: 'hidden' }> => {
  const all = servicesOf(cast).flatMap(service => tables[service as keyof typeof tables] ?? [])
  return {
    kind: 'hidden',
    at,
    forMs: random.pick([5, 30, 150]) * second,
    pick: pickOf(random),
    ...(all.length > 0 && { table: random.pick(all) }),
  }
}

const isCreation = (action: string): action is `${string}:${string}` =>
  /:(?:Create(?!Tags)|Allocate|Run|Import|Add|Authorize|Change)/.test(action)

const died = (random: Random, most: number): Trouble => ({
  kind: 'exchange',
  of: 'write',
  at: random.int(most),
  fault: random.pick(['crash after', 'crash after', 'crash before', 'lost']),
})

/** One of the resources is not found for a while, although it is complete. */
const hiddenReconcile: Story = (random, where) => [
  act('reconcile', { delayMs: soon(random), with: [hidden(random, where), hidden(random, where)] }),
]

/** A change, and before the lists show it, the change back. */
const changedBack: Story = random => {
  const first = pickOf(random)
  return [
    act('change', { pick: first, delayMs: soon(random) }),
    act('change', { pick: pickOf(random), delayMs: soon(random) }),
    act('change', { pick: first, delayMs: soon(random) }),
  ]
}

/** A change whose step dies after a write, and before the lists show it, the next request. */
const diedAndChanged: Story = random => {
  const write = random.pick([0, 0, 1, 2])
  return [
    act('change', {
      pick: pickOf(random),
      with: [{ kind: 'exchange', of: 'write', at: write, fault: 'crash after' }],
    }),
    act('change', { pick: pickOf(random), after: `write ${write + 1}`, delayMs: random.pick([0, second]) }),
  ]
}

/** Refusals that end soon (docs/contract/provider-aws.md#repeated-while-in-use). Gardener must not give up. */
const refusals: readonly (readonly [`${string}:${string}`, string])[] = [
  ['ec2:ReleaseAddress', 'AuthFailure'],
  ['ec2:DeleteSubnet', 'DependencyViolation'],
  ['ec2:DeleteSecurityGroup', 'DependencyViolation'],
  ['ec2:DetachInternetGateway', 'DependencyViolation'],
  ['ec2:DeleteRouteTable', 'DependencyViolation'],
  ['ec2:DeleteVpc', 'DependencyViolation'],
  ['iam:DeleteRole', 'DeleteConflict'],
  ['route53:ChangeResourceRecordSets', 'PriorRequestNotComplete'],
  ['s3:DeleteBucket', 'OperationAborted'],
  ['s3:CreateBucket', 'OperationAborted'],
]

const refusedForAMoment = (random: Random, { cast }: { readonly cast: Cast }): readonly Trouble[] => {
  const own = refusals.filter(([action]) => servicesOf(cast).includes(action.split(':')[0] ?? ''))
  return own.map(([action, code]) => ({
    kind: 'window',
    action,
    at: 0,
    from: action,
    forMs: random.pick([2, 10]) * second,
    fault: `refused ${code}`,
  }))
}

const deleted: Story = (random, where) => [
  act('delete', {
    delayMs: soon(random),
    with: random.pick([
      () => [],
      () => [hidden(random, where), hidden(random, where, second)],
      () => [died(random, 8)],
      () => [diedBetweenObjects(random)],
    ])(),
  }),
]

const diedBetweenObjects = (random: Random): Trouble =>
  random.chance(0.7)
    ? { kind: 'death', at: random.pick([0, 0, 1]), after: random.pick(milestones) }
    : { kind: 'exchange', of: 'object write', at: random.int(7), fault: 'crash before' }

/** Deaths between writes of objects: state saved, Secret released, finalizer removed. */
const diedInDeletion: Story = random => [
  act('delete', { delayMs: soon(random), with: [diedBetweenObjects(random), diedBetweenObjects(random)] }),
]

/** The spec changes, and before any step sees that, the object is deleted. */
const changedUnseen: Story = random => [
  act('unseen change', { pick: pickOf(random) }),
  act('delete', { after: 'the request' }),
]

/** A new creation in which a call takes effect, and no one hears of it, and then the deletion at once. */
const createdInVain: Story = (random, { cast, index }) => {
  const action = random.pick(cast.actions.filter(isCreation))
  const noKey: Trouble = { kind: 'input', at: 0, forMs: 45 * second, part: index, input: 'no key' }
  const isLate = random.chance(0.3)
  const failed: Trouble = { kind: 'window', at: 0, action, forMs: 100 * second, fault: 'failed' }
  return [
    act('delete'),
    act('reconcile', {
      delayMs: random.pick([0, 0, 100 * second]),
      with: [...(isLate ? [noKey] : []), random.chance(0.6) ? failed : died(random, 10)],
    }),
    isLate || random.chance(0.5)
      ? act('delete', { after: `call ${action}`, delayMs: random.pick([0, 5 * second]) })
      : act('delete', { after: `write ${random.between(1, 10)}` }),
  ]
}

const createdAgain: Story = random => [act('delete'), act('reconcile', { delayMs: soon(random) })]

/** In the new seed, the Secret is invalid for a while. */
const movedBadly: Story = (random, { index }) => [
  act('move', {
    with: [{ kind: 'input', at: 0, forMs: 16 * minute, part: index, input: 'no key' }],
  }),
  act('delete', { after: 'the request', delayMs: random.pick([0, 20 * second]) }),
]

/** Once at the start of a long deletion and once at its end, something is not found. Nothing may list it. */
const missedTwice: Story = (random, where) => {
  const service = random.pick(servicesOf(where.cast))
  const long = { kind: 'window', at: 0, forMs: 39 * minute } as const
  return [
    act('delete', {
      with: [
        { ...hidden(random, where), forMs: 20 * second, isOld: true },
        { ...long, action: `${service}:ListBuckets`, fault: 'denied' },
        { ...long, at: 0, forMs: 36 * minute, action: `${service}:Delete*`, fault: 'throttled' },
        { ...hidden(random, where, 33 * minute), forMs: 4 * minute, isOld: true },
      ],
    }),
  ]
}

/** The end of the text of a call. */
const listOfZones = '/2013-04-01/hostedzone '

/**
 * The place changes, and for a while the user may use only the new one, and may list none. The last changes are those
 * of places.
 */
const movedAway =
  (changes: number): Story =>
  (random, { index }) => {
    const refused = { kind: 'part refused', forMs: 120 * second, isDenied: true, part: index } as const
    return [
      act('change', {
        pick: changes - 1 - random.int(Math.min(changes, 6)),
        delayMs: soon(random),
        with: [
          { ...refused, at: 50, text: undefined },
          { ...refused, at: 0, text: listOfZones },
        ],
      }),
    ]
  }

const middlesOf = ({ changes, places, canMove }: Part): readonly Story[] => [
  hiddenReconcile,
  ...(changes.length > 0 ? [changedBack, changedBack, diedAndChanged, diedAndChanged] : []),
  ...(places ? Array<Story>(4).fill(movedAway(changes.length)) : []),
  createdAgain,
  ...(canMove ? [(() => [act('move')]) satisfies Story] : []),
]

const endsOf = ({ changes, unseen, canMove, desired: { kind } }: Part): readonly Story[] => [
  deleted,
  deleted,
  diedInDeletion,
  diedInDeletion,
  createdInVain,
  createdInVain,
  ...(changes.length > 0 || unseen ? [changedUnseen] : []),
  ...(canMove ? [movedBadly, movedBadly] : []),
  ...(/^Backup/.test(kind) ? [missedTwice] : []),
]

const stuckOf = ({ name }: Cast): readonly NonNullable<LifePlan['hostility']['stuck']>[] =>
  name === 'networks' ? ['natGatewayAvailable', 'natGatewayDeleted'] : []
