import { expect, test } from 'vitest'
import { fieldValue, resourceValue } from './field-value.ts'
import type { Pod } from './pod.ts'

const pod: Pod = {
  metadata: { name: 'a', namespace: 'n', uid: 'u', labels: { 'x/y': '1', z: '"' } },
  spec: { containers: [], nodeName: 'machine' },
}

test.each([
  ['metadata.name', 'a'],
  ["metadata.labels['x/y']", '1'],
  ["metadata.annotations['none']", ''],
  ['metadata.labels', 'x/y="1"\nz="\\""'],
  ['spec.nodeName', 'machine'],
  ['spec.serviceAccountName', 'default'],
  ['status.podIP', '10.1.1.1'],
  ['status.hostIP', '10.1.1.2'],
])('%s is %j', (path, expected) => {
  expect(fieldValue(path, pod, { pod: '10.1.1.1', node: '10.1.1.2' })).toBe(expected)
})

test('an unknown field is an error', () => {
  expect(() => fieldValue('status.phase', pod, { pod: '', node: '' })).toThrow('status.phase')
})

test.each([
  ['limits.memory', undefined, String(64 * 2 ** 20)],
  ['limits.memory', '1Mi', '64'],
  ['limits.cpu', undefined, '2'],
  ['requests.cpu', '1m', '150'],
  ['requests.memory', undefined, '0'],
])('%s in %s is %s', (resource, divisor, expected) => {
  const resources = { limits: { memory: '64Mi' }, requests: { cpu: '150m' } }
  const reference = { resource, ...(divisor === undefined ? {} : { divisor }) }
  expect(resourceValue(reference, { resources }, { cpu: '2' })).toBe(expected)
})
