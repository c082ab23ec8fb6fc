import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startAws } from '../../sandbox/providers/aws/command/start-aws.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('the process exits with 2 if requested and there are changes', async () => {
  const settings = { port: 0, scale: 0, account: '123456789012', throttle: false, quotas: false }
  const aws = await startAws({ ...settings, loggedCalls: 100 })
  try {
    const file = 'examples/infrastructure/one-zone.yaml'
    const run = (...args: readonly string[]) =>
      promisify(execFile)(
        process.execPath,
        ['cli/trellis.mjs', 'plan', file, '--endpoint', aws.url, ...args],
        { cwd: root },
      )
    expect((await run()).stdout).toContain('+ create VPC')
    await expect(run('--exit-code')).rejects.toMatchObject({ code: 2 })
  } finally {
    await aws.close()
  }
})
