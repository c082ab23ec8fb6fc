import { expect, test } from 'vitest'
import { filesOfRecordEvent } from './dns-record.ts'
import { isOnThePath } from './ran-files.ts'

// One of them, `record-in-zone.ts`, because a record may be in several zones.
test('a reader who follows a new DNSRecord through its function opens at most 23 files', async () => {
  const path = (await filesOfRecordEvent()).filter(isOnThePath)
  expect(path).toContain('functions/aws/dnsrecord/actuator.ts')
  expect(path.length, `these files ran:\n${path.join('\n')}\n`).toBeLessThanOrEqual(23)
})
