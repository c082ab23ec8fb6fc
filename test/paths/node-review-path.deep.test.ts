import { expect, test } from 'vitest'
import { isOnThePath } from './ran-files.ts'
import { filesOfNodeReview } from './webhook-process.ts'

/** The process renews certificates, writes registrations and follows objects on timers, also during a review. */
const runsOnTimers = (file: string): boolean =>
  /^shared\/webhooks\/(?:server\/(?:start\.ts|(?:registration|certificates|process)\/|lookup\/follow)|admission\/registration\/)|^shared\/control-plane\/|^shared\/(?:resources|secrets-manager|leadership)\//.test(
    file,
  )

test('a reader who follows a review of an OperatingSystemConfig opens at most 20 files', async () => {
  const ran = await filesOfNodeReview('provider-aws', 'controlplane')
  const path = [...ran.keys()].filter(file => isOnThePath(file) && !runsOnTimers(file)).toSorted()
  expect(path).toContain('functions/aws/webhooks/controlplane/node-changes.ts')
  expect(path.length, `these files ran:\n${path.join('\n')}\n`).toBeLessThanOrEqual(20)
})
