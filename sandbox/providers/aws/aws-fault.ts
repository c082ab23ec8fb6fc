import type { FaultOrder } from './simulator/aws.ts'

const actions = [
  ...['Create*', 'Delete*', 'Describe*', 'Modify*', 'Allocate*', 'Associate*', 'Attach*', 'Authorize*'],
  ...['ChangeResourceRecordSets', 'ListResourceRecordSets', 'Get*', 'Put*'],
]

const effects: readonly {
  readonly order: Pick<FaultOrder, 'effect' | 'when' | 'lasts'>
  readonly text: string
}[] = [
  {
    order: { effect: { kind: 'throttle' }, lasts: 2_000 },
    text: 'is throttled, like all requests of its kind, for 2 s',
  },
  { order: { effect: { kind: 'error', code: 'InternalError', status: 500 } }, text: 'fails inside AWS' },
  { order: { effect: { kind: 'drop' }, when: 'before' }, text: 'does not arrive' },
  { order: { effect: { kind: 'drop' }, when: 'after' }, text: 'succeeds, but its answer is lost' },
  { order: { effect: { kind: 'delay', milliseconds: 1_500 } }, text: 'is answered 1.5 s late' },
]

/** Returns a random fault, from numbers between 0 and 1. */
export const awsFault = (random: () => number): { readonly order: FaultOrder; readonly text: string } => {
  const choose = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const action = choose(actions)
  const { order, text } = choose(effects)
  return { order: { action, ...order }, text: `the next ${action} ${text}` }
}
