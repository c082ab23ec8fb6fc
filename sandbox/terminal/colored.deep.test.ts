import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningAws, startAws } from '../providers/aws/command/start-aws.ts'

const esc = String.fromCharCode(27)
const root = fileURLToPath(new URL('../..', import.meta.url))
let aws: RunningAws
beforeAll(async () => {
  const settings = { port: 0, scale: 0, account: '123456789012', throttle: false, quotas: false }
  aws = await startAws({ ...settings, loggedCalls: 100 })
})
afterAll(() => aws.close())

describe.each([
  [
    'plan',
    ['plan', 'examples/infrastructure/one-zone.yaml', '--endpoint'],
    `${esc}[32m+ create VPC${esc}[39m`,
  ],
  ['replay', ['replay', 'test/events/dnsrecord-create.json'], `${esc}[32m+`],
])('%s into a pipe', (name, args, green) => {
  const print = async (env: Readonly<Record<string, string>>) => {
    const { NO_COLOR: _, FORCE_COLOR: __, ...rest } = process.env
    const all = ['cli/trellis.mjs', ...args, ...(name === 'plan' ? [aws.url] : [])]
    const { stdout } = await promisify(execFile)(process.execPath, all, {
      cwd: root,
      env: { ...rest, ...env },
    })
    return stdout
  }

  test('it has no colours, even if picocolors detects CI', async () => {
    expect(await print({ CI: 'true' })).not.toContain(esc)
  })

  test('it has colours with FORCE_COLOR', async () => {
    expect(await print({ FORCE_COLOR: '1' })).toContain(green)
  })
})
