import { expect, test } from 'vitest'
import { isOnThePath } from './ran-files.ts'
import { filesOfNodeReview } from './webhook-process.ts'

/** Reference: the format of InfrastructureConfigs, and the fields of all provider objects. */
const isReference = (file: string): boolean =>
  ['terraform-free-infra/aws/infrastructure/config/', 'terraform-free-infra/aws/account/config/'].some(
    folder => file.startsWith(folder),
  )

/** The process renews certificates, writes registrations and follows Clusters on timers, also during a review. */
const runsOnTimers = (file: string): boolean =>
  [
    'shared/control-plane/',
    'shared/leadership/',
    'shared/resources/',
    'shared/secrets-manager/',
    'shared/webhooks/admission/registration/registrations.ts',
    'shared/webhooks/server/certificates/',
    'shared/webhooks/server/process/',
    'shared/webhooks/server/registration/create-registration.ts',
    'shared/webhooks/server/registration/ensure-configuration.ts',
    'shared/webhooks/server/registration/hand-over.ts',
    'shared/webhooks/server/registration/update-shoots.ts',
    'shared/webhooks/server/start.ts',
  ].some(other => file.startsWith(other))

test('a reader who follows a review of an OperatingSystemConfig opens at most 18 files', async () => {
  const ran = await filesOfNodeReview('provider-aws', 'controlplane')
  const path = [...ran.keys()]
    .filter(file => isOnThePath(file) && !isReference(file) && !runsOnTimers(file))
    .toSorted()
  expect(path).toContain('functions/aws/webhooks/controlplane/node-changes.ts')
  expect(path.length, `these files ran:\n${path.join('\n')}\n`).toBeLessThanOrEqual(18)
})
