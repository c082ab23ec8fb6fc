import type { BackupBucket } from '../../../shared/contract/objects.ts'
import { type Actuator, done } from '../../../shared/lifecycle/lifecycle.ts'
import { ensureInCloud, removeFromCloud } from '../cloud/cloud.ts'

/** Creates, updates and deletes the bucket of a BackupBucket. */
export const backupBucketActuator: Actuator<BackupBucket> = {
  reconcile: async step => {
    const { region } = step.object.spec
    // TODO: Refuse a bucket of this name that has another owner.
    await ensureInCloud(step, { ...bucketOf(step.object), properties: { region } })
    return done()
  },
  remove: async step => {
    // TODO: Throw an error if the bucket is not empty. gardenlet deletes the BackupEntries first.
    await removeFromCloud(step, bucketOf(step.object))
    return done()
  },
}

const bucketOf = ({ metadata: { name } }: BackupBucket) => ({ name: `bucket-${name}`, namespace: 'garden' })
