import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { createFilter, filterExpressionSchema } from './filter.ts'

const event = {
  specversion: '1.0',
  id: '1',
  source: '/seeds/eu-1',
  type: 'cloud.gardener.extensions.dnsrecord.reconcile',
  kind: 'DNSRecord',
  provider: 'aws-route53',
  empty: '',
}

describe('the attributes filter', () => {
  test.each([
    [undefined, true],
    [{}, true],
    [{ kind: 'DNSRecord' }, true],
    [{ kind: 'DNSRecord', provider: 'aws-route53' }, true],
    [{ kind: 'DNSRecord', provider: 'google-clouddns' }, false],
    [{ kind: 'dnsrecord' }, false],
    [{ absent: 'x' }, false],
    [{ kind: '' }, true],
    [{ empty: '' }, false],
    [{ absent: '' }, false],
  ])('%j passes the event: %s', (attributes, passes) => {
    expect(createFilter({ filter: { attributes } })(event)).toBe(passes)
  })
})

describe('the filter expressions', () => {
  const expressions = z.array(filterExpressionSchema)
  test.each<[unknown[], boolean]>([
    [[], true],
    [[{ exact: { kind: 'DNSRecord' } }], true],
    [[{ exact: { kind: 'DNSRecord', provider: 'x' } }], false],
    [[{ prefix: { type: 'cloud.gardener.' } }], true],
    [[{ prefix: { type: 'gardener' } }], false],
    [[{ prefix: { absent: 'x' } }], false],
    [[{ suffix: { type: '.reconcile' } }], true],
    [[{ suffix: { type: '.delete' } }], false],
    [[{ not: { exact: { kind: 'Worker' } } }], true],
    [[{ not: { exact: { absent: 'x' } } }], true],
    [[{ any: [{ exact: { kind: 'Worker' } }, { suffix: { type: '.reconcile' } }] }], true],
    [[{ any: [{ exact: { kind: 'Worker' } }] }], false],
    [[{ all: [{ exact: { kind: 'DNSRecord' } }, { not: { suffix: { type: '.delete' } } }] }], true],
    [[{ all: [{ exact: { kind: 'DNSRecord' } }, { suffix: { type: '.delete' } }] }], false],
    [[{ exact: { kind: 'DNSRecord' } }, { exact: { kind: 'Worker' } }], false],
  ])('%j pass the event: %s', (filters, passes) => {
    expect(createFilter({ filters: expressions.parse(filters) })(event)).toBe(passes)
  })

  test('filter expressions override the attributes filter unless they are empty', () => {
    const filter = { attributes: { kind: 'Worker' } }
    expect(createFilter({ filter, filters: [{ exact: { kind: 'DNSRecord' } }] })(event)).toBe(true)
    expect(createFilter({ filter, filters: [] })(event)).toBe(false)
  })

  test.each([
    [{ cesql: "kind = 'DNSRecord'" }, 'the sandbox does not support CloudEvents SQL (cesql)'],
    [{ exact: { a: 'b' }, prefix: { a: 'b' } }, 'expected exactly one dialect'],
    [{}, 'expected exactly one dialect'],
    [{ regex: { a: 'b' } }, 'unknown dialect regex'],
    [{ exact: { Kind: 'x' } }, 'an attribute name must start with a letter'],
    [{ exact: { kind: '' } }, 'the value must not be empty'],
    [{ not: { cesql: 'x' } }, 'the sandbox does not support CloudEvents SQL (cesql)'],
  ])('the filter expressions %j are refused', (expression, message) => {
    const parsed = filterExpressionSchema.safeParse(expression)
    expect(JSON.stringify(parsed.error?.issues)).toContain(message)
  })
})
