import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DesiredRecord } from './plan.ts'
import { planRecord, planRemoval } from './plan.ts'
import type { RecordChange, RecordSet } from './route53.ts'
import { canonicalName, txtKey, txtValue } from './spelling.ts'

/** Texts that are hard to quote: quotes, backslashes, digits after them, and other alphabets. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', '\\', '0', '3', '7', 'a', ' ', 'ü', '\t'), maxLength: 400 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }),
)

const target = fc.constantFrom(
  'lb-1.eu-west-1.elb.amazonaws.com',
  'lb-2.elb.us-east-1.amazonaws.com',
  'd1.cloudfront.net',
  'other.example.org',
  'Another.Example.org',
)
const address = { A: fc.ipV4(), AAAA: fc.ipV6(), TXT: text, CNAME: target }

/** A sequence of desired records of one type for one name, as in a DNSRecord over time. */
const records: fc.Arbitrary<DesiredRecord[]> = fc
  .record({
    name: fc.constantFrom('api.example.com', '*.Ingress.example.com'),
    type: fc.constantFrom('A', 'AAAA', 'TXT', 'CNAME'),
  })
  .chain(({ name, type }) =>
    fc.array(
      fc.record<DesiredRecord>({
        name: fc.constant(name),
        type: fc.constant(type),
        values: fc.array(address[type], { minLength: 1, maxLength: 4 }),
        ttl: fc.nat(),
        ipStack: fc.constantFrom('ipv4', 'ipv6', 'dual-stack'),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  )

/** Returns the content of Route 53 after a batch, in its spelling. Fails for changes that Route 53 refuses. */
const applied = (sets: readonly RecordSet[], changes: readonly RecordChange[]): RecordSet[] => {
  const after = new Map(sets.map(set => [set.type, set]))
  for (const { action, set } of changes) {
    if (action === 'DELETE') {
      expect(after.get(set.type)).toEqual(set)
      after.delete(set.type)
    } else {
      const alias = set.alias && { ...set.alias, dnsName: `${canonicalName(set.alias.dnsName)}.` }
      after.set(set.type, { ...set, name: `${canonicalName(set.name)}.`, ...(alias && { alias }) })
    }
  }
  if (after.has('CNAME')) expect([...after.keys()]).toEqual(['CNAME'])
  return [...after.values()].reverse()
}

test('one batch creates the desired record from any former one, and a removal leaves nothing', () => {
  fc.assert(
    fc.property(records, history => {
      let sets: RecordSet[] = []
      for (const record of history) {
        sets = applied(sets, planRecord(record, sets))
        expect(planRecord(record, sets)).toEqual([])
      }
      const [last] = history
      if (last) expect(applied(sets, planRemoval(last, sets))).toEqual([])
    }),
  )
})

test('a name in its canonical spelling is canonical', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), name => {
      const canonical = canonicalName(name)
      fc.pre(!canonical.endsWith('.'))
      expect(canonicalName(canonical)).toBe(canonical)
      expect(canonical).toMatch(/^(?:[a-z0-9_.-]|\\[0-3][0-7]{2})*$/)
    }),
  )
})

test('a text becomes strings of at most 255 bytes, and quoting them again changes nothing', () => {
  fc.assert(
    fc.property(text, value => {
      const sent = txtValue(value)
      expect(txtValue(sent)).toBe(sent)
      expect(txtKey(sent)).toMatch(/^(?:<[0-9a-f]{0,510}>)+$/)
      expect(sent).toMatch(/^[ -~]*$/)
    }),
  )
})
