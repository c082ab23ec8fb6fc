import type { BackupBucket } from '../../../shared/contract/objects.ts'
import { type Actuator, done } from '../../../shared/lifecycle/lifecycle.ts'
import { ensureInCloud, removeFromCloud } from '../cloud/cloud.ts'

/** A bucket with the name of its object. */
export const backupBucketActuator: Actuator<BackupBucket> = {
  reconcile: async step => {
    const { region } = step.object.spec
    // TODO: do not change a bucket of this name with another owner.
    await ensureInCloud(step, { ...bucketOf(step.object), properties: { region } })
    return done()
  },
  remove: async step => {
    // TODO: gardenlet deletes the entries first. Do not delete a bucket that is not empty; return an error instead.
    await removeFromCloud(step, bucketOf(step.object))
    return done()
  },
}

const bucketOf = ({ metadata: { name } }: BackupBucket) => ({ name: `bucket-${name}`, namespace: 'garden' })
