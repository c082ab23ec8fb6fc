import type { BackupBucket } from '../../../shared/contract/objects.ts'
import { type Actuator, done } from '../../../shared/lifecycle/lifecycle.ts'
import { keepInCloud, removeFromCloud } from '../cloud/cloud.ts'

/** A bucket, named like its object. */
export const backupBucketActuator: Actuator<BackupBucket> = {
  reconcile: async step => {
    const { region } = step.object.spec
    // TODO: a bucket of this name that is somebody else's must stay as it is.
    await keepInCloud(step, { ...bucketOf(step.object), properties: { region } })
    return done()
  },
  remove: async step => {
    // TODO: gardenlet deletes the entries first. Leave a bucket that is not empty, and say so in an error.
    await removeFromCloud(step, bucketOf(step.object))
    return done()
  },
}

const bucketOf = ({ metadata: { name } }: BackupBucket) => ({ name: `bucket-${name}`, namespace: 'garden' })
