import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type RecordedLifeStep, recordedLifeOf } from '../../../test/recorded/lives.ts'
import { backupSeed, secretOf } from '../../testing/backup-seed.ts'
import { isOwnWrite, playLife, recordedStep } from '../../testing/play-life.ts'
import { directoriesIn, useVolumes } from '../../testing/volume.ts'
import { definition } from './function.ts'

const newVolume = useVolumes()

type Step = RecordedLifeStep & {
  readonly etcdBackupSecret: {
    readonly metadata: { readonly annotations: object }
    readonly data: Readonly<Record<string, string>>
  } | null
}

describe('the recorded entry', () => {
  test('looks the same after each step, and so do its directory and the Secret of etcd', async () => {
    const recorded = recordedLifeOf<Step>('local/backupentry')
    const { object, cluster } = recorded.input
    const backupDirectory = await newVolume()
    await mkdir(join(backupDirectory, 'bucketb', object.metadata.name, 'etcd-main'), { recursive: true })
    const namespace = cluster?.metadata.name ?? ''
    const seed = await backupSeed(definition, object, { backupDirectory }, [
      secretOf('generated-bucket-bucketb', 'garden'),
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    ])
    const replayed = await playLife(seed, recorded, async (step, { writes }) => {
      const { action, directories, etcdBackupSecret: expected } = step as Step
      expect(await directoriesIn(backupDirectory), action).toEqual(directories)
      const secret = await seed.secret('etcd-backup', namespace)
      expect(secret?.metadata.annotations, action).toEqual(expected?.metadata.annotations)
      expect(decoded(secret?.data), action).toEqual(expected?.data)
      // L1: the Go extension patches the Secret of etcd in every reconcile, with nothing.
      if (action === 'idle') expect(writes.filter(write => !isOwnWrite('backupentries')(write))).toEqual([])
    })
    expect(replayed.map(({ writes: _, ...step }) => step)).toEqual(recorded.steps.map(recordedStep))
  })
})

const decoded = (data: unknown): object | undefined =>
  data === undefined
    ? undefined
    : Object.fromEntries(Object.entries(Object(data)).map(([key, value]) => [key, atob(String(value))]))
