import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { blockExpression, expression, numberExpression, scalarText } from './placeholder.ts'
import { templateText } from './template-text.ts'
import { type Make, unionOf, variantsOf } from './union-of.ts'

const items = ['a', 'b']
const switches = ['s']

const object = (spec: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'thing' },
  spec,
})

const textOf = (make: Make<readonly KubernetesObject[]>): string =>
  templateText(unionOf(variantsOf(make, { items, switches })), {
    ofItem: item => `is ${item}`,
    ofSwitch: name => `on ${name}`,
  })

describe('the template of objects that differ', () => {
  test('a part that is always included has no condition', () => {
    expect(parse(textOf(() => [object({ replicas: 2 })]))).toEqual(object({ replicas: 2 }))
  })

  test('the parts of an item, and those that several share, have their conditions', () => {
    const text = textOf(isThere => [
      object({ list: ['both', 'a', 'b'].filter(one => one === 'both' || isThere(one)) }),
    ])
    expect(text.split('\n').slice(5)).toEqual([
      'spec:',
      '  list:',
      '    - both',
      '{{- if is a }}',
      '    - a',
      '{{- end }}',
      '{{- if is b }}',
      '    - b',
      '{{- end }}',
    ])
    expect(textOf(isThere => (isThere('a') || isThere('b') ? [object({})] : []))).toContain(
      '{{- if or (is a) (is b) }}\n---\n',
    )
  })

  test('a part that a switch removes has its condition, inside the one condition of the items', () => {
    const text = textOf((isThere, isOn) => (isThere('a') ? [object(isOn('s') ? { x: 1 } : {})] : []))
    expect(text).toContain('{{- if is a }}\n---')
    expect(text).toContain('{{- if on s }}\n  x: 1\n{{- end }}')
  })

  test('the words of a list in a text are joined', () => {
    const text = textOf(isThere => [object({ value: items.filter(isThere).join() })])
    expect(text).toContain(
      'value: {{ list (ternary "a" "" (is a)) (ternary "b" "" (is b)) | compact | join "," | quote }}',
    )
  })

  test('a rule with fewer verbs counts as the same rule', () => {
    const rule = (verbs: readonly string[]) => ({ apiGroups: [''], resources: ['pods'], verbs })
    const text = textOf(isThere => [
      object({ rules: isThere('a') || isThere('b') ? [rule(isThere('b') ? ['get', 'list'] : ['get'])] : [] }),
    ])
    expect(text).toContain('        - get\n{{- if is b }}\n        - list\n{{- end }}')
  })

  test('it fails if a part needs two items, or differs as a text', () => {
    expect(() => textOf(isThere => [object(isThere('a') && isThere('b') ? { x: 1 } : {})])).toThrow(
      'no item alone brings',
    )
    expect(() => textOf(isThere => [object(isThere('a') && isThere('b') ? {} : { x: 1 })])).toThrow(
      'where everything is',
    )
    expect(() => textOf(isThere => [object({ x: isThere('a') && isThere('b') ? 'two' : 'one' })])).toThrow(
      'no item alone brings two',
    )
  })
})

describe('a scalar of a template', () => {
  test.each<[string | number | boolean, boolean, string]>([
    ['plain', false, 'plain'],
    ['true', false, '"true"'],
    ['Off', false, '"Off"'],
    ['a: b', false, '"a: b"'],
    [2, false, '2'],
    [expression('.Values.x'), false, '{{ .Values.x | quote }}'],
    [numberExpression('.Values.n'), false, '{{ .Values.n }}'],
    [String(numberExpression('.Values.n')), true, '{{ .Values.n | toString | quote }}'],
    [`a:${expression('.x')}:b`, false, '"a:{{ .x }}:b"'],
    ['{{ label }}', false, '"{{ `{{` }} label {{ `}}` }}"'],
  ])('%j is %j: %s', (value, isText, text) => {
    expect(scalarText(value, isText)).toBe(text)
  })
})

test('a block replaces the item that contains it', () => {
  const text = textOf(() => [
    object({
      env: [
        { name: 'A', value: '1' },
        { name: blockExpression('env $env'), value: '' },
      ],
    }),
  ])
  expect(text).toContain(
    [
      '{{- if not (hasKey $env "A") }}',
      '    - name: A',
      '      value: "1"',
      '{{- end }}',
      '{{- with env $env }}',
      '{{ . | trim | indent 4 }}',
      '{{- end }}',
    ].join('\n'),
  )
})
