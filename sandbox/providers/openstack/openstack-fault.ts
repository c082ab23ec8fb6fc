import type { CloudFaultOrder } from './simulator/openstack.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE']

const effects: readonly {
  readonly order: Pick<CloudFaultOrder, 'effect' | 'when' | 'times'>
  readonly text: string
}[] = [
  {
    order: { effect: { kind: 'answer', status: 429, headers: { 'retry-after': '1' } }, times: 2 },
    text: 'is throttled, like the one after it',
  },
  { order: { effect: { kind: 'answer', status: 503, body: 'Service Unavailable' } }, text: 'gets 503' },
  { order: { effect: { kind: 'drop' }, when: 'before' }, text: 'does not arrive' },
  { order: { effect: { kind: 'drop' }, when: 'after' }, text: 'succeeds, but its answer is lost' },
  { order: { effect: { kind: 'delay', ms: 1_500 } }, text: 'is answered 1.5 s late' },
]

/** Returns a random fault, from numbers between 0 and 1. */
export const openstackFault = (
  random: () => number,
): { readonly order: CloudFaultOrder; readonly text: string } => {
  const choose = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const method = choose(methods)
  const { order, text } = choose(effects)
  return { order: { method, ...order }, text: `the next ${method} ${text}` }
}
