import { describe, expect, test } from 'vitest'
import { firstAt } from './first-at.ts'

const object = {
  metadata: { annotations: { 'eventing.knative.dev/broker.class': 'x' } },
  spec: { type: 'a', count: 0 },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', weight: 5 },
      { type: 'Created', status: 'False', weight: 7 },
    ],
    ingress: [{ ip: '1.2.3.4' }],
  },
}

describe('a JSONPath', () => {
  test.each([
    ['.spec.type', 'a'],
    ['{.spec.type}', 'a'],
    ['$.spec.type', 'a'],
    ['.spec.count', 0],
    ['.spec.none', undefined],
    ['.none.none', undefined],
    ['.status.ingress[0].ip', '1.2.3.4'],
    ['.status.ingress[-1].ip', '1.2.3.4'],
    ['.status.ingress[1].ip', undefined],
    ['.status.ingress.ip', undefined],
    ['.status.conditions[*].type', 'Ready'],
    ['.status.conditions[?(@.type=="Created")].status', 'False'],
    [".status.conditions[?(@.type=='Created')].status", 'False'],
    ['.status.conditions[?(@.type == "None")].status', undefined],
    ['.status.conditions[?(@.weight>5)].type', 'Created'],
    ['.status.conditions[?(@.weight)].type', 'Ready'],
    [String.raw`.metadata.annotations.eventing\.knative\.dev/broker\.class`, 'x'],
    [".metadata.annotations['eventing.knative.dev/broker.class']", 'x'],
  ])('%s', (path, value) => {
    expect(firstAt(object, path)).toEqual(value)
  })

  test('an unsupported JSONPath is reported with its position', () => {
    expect(() => firstAt(object, '.spec..type')).toThrow('syntax error at column 6')
  })
})
