import { expect, test } from 'vitest'
import { findProviders } from '../../sandbox/providers/find-providers.ts'
import type { Stage, Stop } from '../../sandbox/providers/stop.ts'
import { type DemoOptions, runDemo } from './run-demo.ts'

const run = async (options: Partial<DemoOptions> = {}) => {
  let text = ''
  const allWell = await runDemo({
    providers: await findProviders(),
    write: more => {
      text += more
    },
    paceMs: 0,
    signal: new AbortController().signal,
    ...options,
  })
  return { allWell, text }
}

test('the demo shows records and a network, a function that is killed and recovers, and the life of a whole shoot', async () => {
  const { allWell, text } = await run()
  expect(text).not.toContain('off ')
  expect(allWell).toBe(true)
  const story = [
    'Route 53, example.com:',
    '1 read, 0 writes.',
    'ERR_CONFIGURATION_PROBLEM',
    'rose-external is deleted',
    'CreateVpc',
    'is dead',
    'aws-infrastructure exited unexpectedly',
    'because of expired',
    'Infrastructure shoot--garden--one-zone/one-zone: Succeeded',
    'Nothing was created twice: 1 VPC',
    'Infrastructure shoot--garden--one-zone/one-zone is deleted',
    'AWS contains the same resources as before.',
    'aws-infrastructure scales to zero',
    'Network shoot--garden--iris/iris: Succeeded',
    '-init: Succeeded',
    'Worker shoot--garden--iris/iris: Succeeded',
    '2 machines, 2 disks, 2 buckets, 3 DNS records; both machines are nodes',
    'ec2 TerminateInstances',
    'ec2 RunInstances',
    'ca-provider-aws-controlplane-bdef740c-6130c, and signs what cloud-controller-manager serves',
    'seed north  Worker shoot--garden--iris/iris: Succeeded, Successfully migrated Worker',
    'UPSERT A api.iris.example.com → 203.0.113.20',
    'The same network, machines and CA',
    'seed south  Infrastructure shoot--garden--iris/iris is deleted',
    'Summary',
  ]
  const places = story.map(part => text.indexOf(part))
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(places[0]).toBeGreaterThan(0)
  expect(text.match(/The console shows (?:this seed|seed north|seed south) on a page/g)).toHaveLength(3)
  expect(text.match(/AWS contains the same resources as before\./g)).toHaveLength(2)
})

const stop = (act: Stop['run']): Stop => ({ title: 'a stop', typed: '(wait)', run: act })

test('the demo ends at the first failed check, and shows no stop after it', async () => {
  const { allWell, text } = await run({
    stops: [
      stop(() => Promise.reject(new Error('the record is not there'))),
      stop(() => Promise.reject(new Error('never reached'))),
    ],
  })
  expect(allWell).toBe(false)
  expect(text).toMatch(/off .* a stop: the record is not there/)
  expect(text).not.toContain('never reached')
})

test('an aborted demo ends early, with everything it has started', async () => {
  const ending = new AbortController()
  let stage: Stage | undefined
  const { allWell } = await run({
    signal: ending.signal,
    stops: [
      stop((given, signal) => {
        stage = given
        const cut = new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        )
        ending.abort(new Error('Ctrl-C'))
        return cut
      }),
    ],
  })
  expect(allWell).toBe(false)
  await expect(fetch(stage?.cloudUrls.aws ?? '')).rejects.toThrow()
  await expect(fetch(stage?.kubernetesUrl ?? '')).rejects.toThrow()
})
