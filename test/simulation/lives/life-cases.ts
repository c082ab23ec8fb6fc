import type { Act, ExchangeFault, LifeEvent, LifePlan } from './plan-life.ts'

/** A life that once failed. */
export interface LifeCase {
  readonly found: string
  readonly plan: LifePlan
}

const kind: LifePlan['hostility'] = { shuffles: false, pages: undefined, lagMs: 0 }
const late = (lagMs: number): LifePlan['hostility'] => ({ ...kind, lagMs })
const paged = (most: number, repeated: number): LifePlan['hostility'] => ({
  shuffles: true,
  pages: { most, repeated, omitted: 0 },
  lagMs: 0,
})

const act = (what: Act['do'], after: Act['after'], delayMs: number, pick = 0): LifeEvent => ({
  kind: 'act',
  part: 0,
  do: what,
  pick,
  after,
  delayMs,
})
const exchange = (at: number, fault: ExchangeFault): LifeEvent => ({ kind: 'exchange', at, fault })

/** The seed determines the parts. */
const life = (
  cast: string,
  seed: number,
  ends: LifePlan['ends'],
  hostility: LifePlan['hostility'],
  events: readonly LifeEvent[],
): LifePlan => ({ seed: `case ${seed}`, cast, ends, latencyMs: 20, hostility, events })

/** Each failed with an earlier version of a function. They need few events, so the cause of a new failure is clear. */
export const lifeCases: readonly LifeCase[] = [
  {
    found: 'a subnet that a list repeated counted as surplus',
    plan: life('networks', 1, ['present'], paged(1, 0.6), [act('reconcile', 'the success', 1_000)]),
  },
  {
    found: 'a route table that EC2 did not show after a success was created again',
    plan: life('networks', 6, ['present'], late(90_000), [
      act('reconcile', 'the success', 100),
      act('reconcile', 'the success', 100),
      act('reconcile', 'the success', 3_000),
    ]),
  },
  {
    found: 'an endpoint that EC2 did not show became that of a neighbour, with its NAT gateway',
    plan: life('networks', 6, ['deleted'], late(90_000), [
      act('change', 'the success', 100, 1),
      act('change', 'the success', 100, 3),
      act('delete', 'the success', 0),
    ]),
  },
  {
    found: 'an address whose creation had no answer stayed after a deletion in the creation',
    plan: life('networks', 1, ['deleted'], late(90_000), [
      act('delete', 'write 3', 0),
      ...[12, 13, 14, 15].map(at => exchange(at, 'lost')),
    ]),
  },
  {
    found: 'an instance profile that IAM did not show stayed after a deletion in the creation',
    plan: life('networks', 1, ['deleted'], late(90_000), [act('delete', 'write 7', 0)]),
  },
  {
    found: 'a record stayed in the zone to which its object moved and from which it moved back',
    plan: life('records', 15, ['deleted'], kind, [
      act('change', 'the success', 0, 4),
      act('change', 'the request', 300, 5),
      act('delete', 'the success', 0),
      exchange(14, 'crash after'),
    ]),
  },
  {
    found: 'a record set that a list repeated was changed twice in one call',
    plan: life('records', 39, ['present'], paged(2, 0.9), [
      ...[0, 1, 2, 0, 1, 0, 1].map(pick => act('change', 'the success', 100, pick)),
    ]),
  },
  {
    found: 'a security group that EC2 did not show stayed after the deletion of its Bastion',
    plan: life('bastions', 0, ['deleted', 'present'], late(90_000), [act('delete', 'write 1', 0)]),
  },
  {
    found: 'one NoSuchBucket ended the deletion of backups',
    plan: life('backups', 0, ['deleted', 'present'], kind, [
      act('accident', 'the success', 2_000),
      act('delete', 'the success', 4_000),
      { kind: 'hidden', at: 4_000, forMs: 150_000, pick: 0 },
    ]),
  },
  {
    found: 'a forced deletion waited for its turn at Route 53 longer than its time',
    plan: life('records', 15, ['deleted'], kind, [act('delete by force', 'the success', 0)]),
  },
  {
    found: 'a success lacked the address of a gateway of the user, which the first list did not show',
    plan: {
      ...life('networks', 0, ['deleted'], { ...kind, pages: { most: 1, repeated: 0.3, omitted: 0.5 } }, []),
      seed: 'networks 5151-29',
      hasOthers: true,
    },
  },
]
