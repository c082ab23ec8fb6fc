import { describe, expect, test } from 'vitest'
import { recordedLifeOf } from '../../../test/recorded/lives.ts'
import { backupSeed, secretOf } from '../../testing/backup-seed.ts'
import { isOwnWrite, playLife, recordedStep } from '../../testing/play-life.ts'
import { directoriesIn, useVolumes } from '../../testing/volume.ts'
import { definition } from './function.ts'

const newVolume = useVolumes()

describe('the recorded bucket', () => {
  test('looks the same after each step, and so do its directory and its Secret', async () => {
    const recorded = recordedLifeOf('local/backupbucket')
    const { object } = recorded.input
    const backupDirectory = await newVolume()
    const seed = await backupSeed(definition, object, { backupDirectory }, [
      secretOf('backup-cred', 'garden'),
    ])
    const replayed = await playLife(seed, recorded, async ({ action, directories }, { writes }) => {
      expect(await directoriesIn(backupDirectory), action).toEqual(directories)
      const secret = await seed.secret('generated-bucket-bucketb', 'garden')
      expect(secret === undefined, action).toBe(action === 'delete')
      expect(secret?.data).toBeUndefined()
      if (action === 'idle') expect(writes.filter(write => !isOwnWrite('backupbuckets')(write))).toEqual([])
    })
    expect(replayed.map(({ writes: _, ...step }) => step)).toEqual(recorded.steps.map(recordedStep))
  })
})
