import { describe, expect, test } from 'vitest'
import { createCelRuleChecker } from './cel-rule-checker.ts'
import { applyDefaults } from './default.ts'
import { prune } from './prune.ts'
import type { EnforcedSchema } from './structural-schema.ts'
import { validate } from './validate.ts'

const object = (properties: Record<string, EnforcedSchema>, more: EnforcedSchema = {}): EnforcedSchema => ({
  type: 'object',
  properties,
  ...more,
})

describe('validation', () => {
  const keyed: EnforcedSchema = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
  }
  const cases: readonly (readonly [string, unknown, EnforcedSchema, readonly string[]])[] = [
    ['right', { a: 1 }, object({ a: { type: 'integer' } }), []],
    ['required below', { a: {} }, object({ a: object({}, { required: ['b'] }) }), ['a.b: Required value']],
    [
      'type',
      { a: 'x' },
      object({ a: { type: 'integer' } }),
      ['a: Invalid value: "string": a in body must be of type integer: "string"'],
    ],
    [
      'null',
      { a: null },
      object({ a: { type: 'string' } }),
      ['a: Invalid value: "null": a in body must be of type string: "null"'],
    ],
    ['null that is allowed', { a: null }, object({ a: { type: 'string', nullable: true } }), []],
    ['an integer is a number', { a: 1 }, object({ a: { type: 'number' } }), []],
    [
      'a fraction is no integer',
      { a: 1.5 },
      object({ a: { type: 'integer' } }),
      ['a: Invalid value: "number": a in body must be of type integer: "number"'],
    ],
    [
      'integer or text',
      { a: '50%', b: 3 },
      object({ a: { 'x-kubernetes-int-or-string': true }, b: { 'x-kubernetes-int-or-string': true } }),
      [],
    ],
    [
      'too short',
      { a: '' },
      object({ a: { type: 'string', minLength: 1 } }),
      ['a: Invalid value: "": a in body should be at least 1 chars long'],
    ],
    [
      'not small enough',
      { a: 5 },
      object({ a: { type: 'integer', maximum: 5, exclusiveMaximum: true } }),
      ['a: Invalid value: 5: a in body should be less than 5'],
    ],
    ['a time', { a: '2026-01-01T00:00:00Z' }, object({ a: { type: 'string', format: 'date-time' } }), []],
    [
      'the same key twice',
      { a: [{ type: 'x' }, { type: 'y' }, { type: 'x' }] },
      object({ a: keyed }),
      ['a[2]: Duplicate value: {"type":"x"}'],
    ],
    [
      'the same item twice',
      { a: ['x', 'x'] },
      object({ a: { type: 'array', 'x-kubernetes-list-type': 'set' } }),
      ['a[1]: Duplicate value: "x"'],
    ],
    [
      'values of a map',
      { a: { k: 1 } },
      object({ a: { type: 'object', additionalProperties: { type: 'string' } } }),
      ['a.k: Invalid value: "integer": a.k in body must be of type string: "integer"'],
    ],
    [
      'none of several',
      { a: {} },
      object({ a: { type: 'object', oneOf: [{ required: ['x'] }, { required: ['y'] }] } }),
      ['<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found none valid'],
    ],
    [
      'any of several',
      { a: { y: 1 } },
      object({ a: { anyOf: [{ required: ['x'] }, { required: ['y'] }] } }),
      [],
    ],
    [
      'a forbidden field',
      { a: { x: 1 } },
      object({ a: { not: { required: ['x'] } } }),
      ['<nil>: Invalid value: "": "a" must not validate the schema (not)'],
    ],
    ['metadata is checked elsewhere', { metadata: 5 }, object({ metadata: { type: 'object' } }), []],
  ]

  test.each(cases)('%s', (_, value, schema, faults) => {
    expect(validate(value, schema, '').map(cause => `${cause.field}: ${cause.message}`)).toEqual(faults)
  })
})

describe('pruning', () => {
  const schema = object({
    spec: object({
      known: { type: 'string' },
      list: { type: 'array', items: object({ a: {} }) },
      map: { type: 'object', additionalProperties: object({ a: {} }) },
      open: {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { inner: object({}) },
      },
      embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: object({}) } },
    }),
  })

  test('pruning removes unknown fields and names them', () => {
    const unknown: string[] = []
    const value = {
      apiVersion: 'v1',
      kind: 'X',
      metadata: { anything: 1 },
      other: 1,
      spec: {
        known: 'a',
        unknown: 1,
        list: [{ a: 1, b: 2 }],
        map: { k: { a: 1, b: 2 } },
        open: { kept: 1, inner: { dropped: 1 } },
        embedded: { apiVersion: 'v1', metadata: {}, dropped: 1, spec: { dropped: 1 } },
      },
    }
    expect(prune(value, schema, '', unknown)).toEqual({
      apiVersion: 'v1',
      kind: 'X',
      metadata: { anything: 1 },
      spec: {
        known: 'a',
        list: [{ a: 1 }],
        map: { k: { a: 1 } },
        open: { kept: 1, inner: {} },
        embedded: { apiVersion: 'v1', metadata: {}, spec: {} },
      },
    })
    expect(unknown).toEqual([
      'other',
      'spec.unknown',
      'spec.list[0].b',
      'spec.map.k.b',
      'spec.open.inner.dropped',
      'spec.embedded.dropped',
      'spec.embedded.spec.dropped',
    ])
  })

  test('a field named like an object method is unknown too', () => {
    const unknown: string[] = []
    const value: unknown = JSON.parse('{"constructor": 1, "__proto__": {"x": 1}}')
    prune(value, object({}), '', unknown)
    expect(unknown).toEqual(['constructor', '__proto__'])
  })
})

describe('defaults', () => {
  const schema = object({
    a: { type: 'string', default: 'x' },
    deep: object({ b: { type: 'integer', default: 2 } }),
    made: object({ c: { type: 'integer', default: 3 } }, { default: {} }),
    list: { type: 'array', items: object({ d: { default: 4 } }) },
    map: { type: 'object', additionalProperties: object({ e: { default: 5 } }) },
    maybe: { type: 'string', nullable: true, default: 'y' },
  })

  test('defaults are set if their parent object exists', () => {
    expect(applyDefaults({ deep: {}, list: [{}, { d: 0 }], map: { k: {} } }, schema)).toEqual({
      a: 'x',
      deep: { b: 2 },
      made: { c: 3 },
      list: [{ d: 4 }, { d: 0 }],
      map: { k: { e: 5 } },
      maybe: 'y',
    })
  })

  test('defaults replace a null only if null is not allowed', () => {
    expect(applyDefaults({ a: null, maybe: null }, schema)).toMatchObject({ a: 'x', maybe: null })
  })
})

describe('CEL rules', () => {
  const rules = createCelRuleChecker()
  const cases: readonly (readonly [string, EnforcedSchema, unknown, unknown, readonly string[]])[] = [
    [
      'a rule about the past does not hold for something new',
      object({ a: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] } }),
      { a: 'y' },
      undefined,
      [],
    ],
    [
      'a rule about two fields',
      object(
        { min: { type: 'integer' }, max: { type: 'integer' } },
        { 'x-kubernetes-validations': [{ rule: 'self.min <= self.max', fieldPath: '.min' }] },
      ),
      { min: 3, max: 2 },
      undefined,
      ['.min: Invalid value: failed rule: self.min <= self.max'],
    ],
    [
      'arithmetic with integers',
      object({
        a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self + 1 == 6 && self % 2 == 1' }] },
      }),
      { a: 5 },
      undefined,
      [],
    ],
    [
      'a message that is computed',
      object({
        a: {
          type: 'array',
          items: { type: 'string' },
          'x-kubernetes-validations': [
            { rule: "self.all(x, x.startsWith('a'))", messageExpression: "'got ' + self[0]" },
          ],
        },
      }),
      { a: ['b'] },
      undefined,
      ['a: Invalid value: got b'],
    ],
    [
      'items of keyed lists have a past',
      object({
        a: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['n'],
          items: object({
            n: {},
            v: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] },
          }),
        },
      }),
      {
        a: [
          { n: 'new', v: 0 },
          { n: 'x', v: 1 },
        ],
      },
      { a: [{ n: 'x', v: 2 }] },
      ['a[1].v: Invalid value: 1: failed rule: self >= oldSelf'],
    ],
    [
      'a rule that cannot be computed is broken',
      object({ a: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self.nothing > 1' }] } }),
      { a: 'x' },
      undefined,
      [expect.stringContaining('a: Invalid value: "x": self.nothing > 1:') as unknown as string],
    ],
  ]

  test.each(cases)('%s', (_, schema, value, old, faults) => {
    expect(rules.check(value, old, schema).map(cause => `${cause.field}: ${cause.message}`)).toEqual(faults)
  })
})
