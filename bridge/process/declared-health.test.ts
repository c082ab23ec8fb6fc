import { expect, test } from 'vitest'
import { declaredHealthOf, deploymentCheck, podsCheck } from '../../shared/health/health.ts'
import { parseDeclaredHealth } from './declared-health.ts'

test('the health that the manifests contain is read', () => {
  const declared = declaredHealthOf({
    kind: 'Extension',
    types: ['acme'],
    health: {
      conditions: [{ type: 'SystemComponentsHealthy', checks: [deploymentCheck('a'), podsCheck('app=a')] }],
    },
  })
  expect(parseDeclaredHealth(JSON.stringify(declared))).toEqual(declared)
})

test.each([
  ['no JSON', '[{', /expected a list in JSON/],
  ['an unknown kind', '[{"kind":"Extensions","type":"a","conditions":["A"],"reads":[]}]', /\[0\]\.kind/],
  ['no condition', '[{"kind":"Extension","type":"a","conditions":[],"reads":[]}]', /\[0\]\.conditions/],
  ['an unknown field', '[{"kind":"Extension","type":"a","conditions":["A"],"reads":[],"read":[]}]', /"read"/],
])('%s is refused by name', (_, text, message) => {
  expect(() => parseDeclaredHealth(text)).toThrow(message)
})
