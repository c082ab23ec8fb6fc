import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { functionsToPlan } from './functions-to-plan.ts'
import { plan } from './testing/plan-run.ts'

const example = fileURLToPath(new URL('../../examples/network/calico.yaml', import.meta.url))

test('a plan of a new Network lists the names in its ManagedResource, and only the beginning of its dashboards', async () => {
  const { text, differs } = await plan([example], { functions: await functionsToPlan([], []) })
  expect(differs).toBe(true)
  expect(text).toContain(
    '+ create ManagedResource shoot--garden--network/extension-networking-calico-config, 60 objects in the shoot',
  )
  expect(text).toContain('DaemonSet: calico-node')
  expect(text).toMatch(
    /\+ create ConfigMap shoot--garden--network\/calico-dashboards\n(?: {4}.*\n){100} {4}… and \d{4} more lines\n/,
  )
  expect(text.split('\n').length).toBeLessThan(200)
})
