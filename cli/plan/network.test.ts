import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findProviders } from '../../functions/find-providers.ts'
import { functionsToPlan } from './functions-to-plan.ts'
import { planObjects } from './plan-object.ts'

const example = fileURLToPath(new URL('../../examples/network/calico.yaml', import.meta.url))

test('a new Network is told by the names in its ManagedResource, and of its dashboards the beginning', async () => {
  let text = ''
  const differs = await planObjects(
    [example],
    { output: 'text' },
    {
      stdin: Readable.from([]),
      write: more => {
        text += more
      },
      providers: await findProviders(),
      functions: await functionsToPlan([], []),
      connection: undefined,
    },
  )
  expect(differs).toBe(true)
  expect(text).toContain(
    '+ create ManagedResource shoot--garden--network/extension-networking-calico-config, 60 objects in the shoot',
  )
  expect(text).toContain('DaemonSet: calico-node')
  expect(text).toMatch(
    /\+ create ConfigMap shoot--garden--network\/calico-dashboards\n(?: {4}.*\n){100} {4}… and \d{4} lines more\n/,
  )
  expect(text.split('\n').length).toBeLessThan(200)
})
