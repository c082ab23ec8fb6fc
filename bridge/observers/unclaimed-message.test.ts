import { describe, expect, test } from 'vitest'
import { isWorthReporting, type Unclaimed, unclaimedMessage } from './unclaimed-message.ts'

const unclaimed = (fields: Partial<Unclaimed>): Unclaimed => ({
  type: 'unclaimed',
  kind: 'DNSRecord',
  object: 'garden/x',
  uid: 'u',
  id: 'id',
  operation: 'reconcile',
  reason: 'annotation',
  attempt: 0,
  times: 0,
  provider: 'aws-rout53',
  known: ['google-clouddns', 'aws-route53'],
  ...fields,
})

describe('the notice of an unclaimed object', () => {
  test.each<[Partial<Unclaimed>, string]>([
    [
      {},
      'no function serves DNSRecord of type "aws-rout53". Did you mean "aws-route53"? (served: aws-route53, google-clouddns)',
    ],
    [
      { provider: 'azure' },
      'no function serves DNSRecord of type "azure" (served: aws-route53, google-clouddns)',
    ],
    [{ known: [] }, 'no function serves DNSRecord of type "aws-rout53"'],
    [
      { times: 1, known: [] },
      'no function has claimed it since its event was sent once; its spec.type is "aws-rout53"',
    ],
    [
      { times: 4, provider: 'aws-route53' },
      'no function has claimed it since its event was sent 4 times; its spec.type is "aws-route53"',
    ],
    [
      { provider: 'x'.repeat(100_000), known: ['aws'] },
      `no function serves DNSRecord of type "${'x'.repeat(62)}…" (served: aws)`,
    ],
  ])('%j', (fields, message) => expect(unclaimedMessage(unclaimed(fields))).toBe(message))

  test('a type without a function is reported at once, and one with busy functions after twenty minutes', () => {
    const shown = (provider: string) =>
      [0, 1, 2, 3, 4].filter(times => isWorthReporting(unclaimed({ provider, times })))
    expect(shown('aws-rout53')).toEqual([0, 1, 2, 3, 4])
    expect(shown('aws-route53')).toEqual([4])
  })
})
