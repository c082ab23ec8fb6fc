import { describe, expect, test } from 'vitest'
import { recordedLifeOf } from '../../../test/recorded/lives.ts'
import { playLife, recordedStep } from '../../testing/play-life.ts'
import { recordSeed } from './testing/record-seed.ts'

/**
 * The recorded updates that the name server must receive. If fewer are expected, the entry names the defect by which
 * the rest was sent.
 */
const expectedUpdates = {
  create: { count: 1 },
  // L1: an update in every reconcile, though nothing has changed.
  idle: { count: 0 },
  change: { count: 1 },
  migrate: { count: 1 },
  // L2: a second run after a restore.
  restore: { count: 1 },
  delete: { count: 1 },
} as const

describe('the recorded record', () => {
  test('looks the same after each step, and the name server gets the same updates', async () => {
    const recorded = recordedLifeOf('local/dnsrecord-a')
    const { object, cluster } = recorded.input
    if (cluster === undefined) throw new Error('the recording has no Cluster')
    const seed = await recordSeed({ object, objects: [cluster] })
    const replayed = await playLife(seed, recorded, ({ action, dns = [] }) => {
      expect(seed.updates(), action).toEqual(dns.slice(0, expectedUpdates[action].count))
    })
    expect(replayed.map(({ writes: _, ...step }) => step)).toEqual(recorded.steps.map(recordedStep))
  })
})
