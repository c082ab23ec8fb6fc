import { expect, test } from 'vitest'
import { isOnThePath } from './ran-files.ts'
import { filesOfNodeReview } from './webhook-process.ts'

test('a reader who follows a review of an OperatingSystemConfig opens at most 26 files', async () => {
  const path = [...(await filesOfNodeReview('provider-aws', 'controlplane')).keys()]
    .filter(isOnThePath)
    .toSorted()
  expect(path).toContain('functions/aws/webhooks/controlplane/node-changes.ts')
  expect(path.length, `these files ran:\n${path.join('\n')}\n`).toBeLessThanOrEqual(26)
})
